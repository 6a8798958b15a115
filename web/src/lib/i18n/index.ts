/** The client's own words, in the language chosen. Prompts, labels, refusals and rules come from the server. */
export {
  chooseLanguage,
  keptLanguage,
  language,
  LANGUAGES,
  t,
  type Catalogue,
  type Language,
} from './chosen.svelte';
