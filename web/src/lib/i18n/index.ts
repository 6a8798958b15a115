/** The client's own words. Prompts, labels and refusals come from the server. */
import { en } from './en';

export type Catalogue = typeof en;

export const t: Catalogue = en;
