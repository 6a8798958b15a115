/** The client's own words, in the language chosen. Prompts, labels and refusals come from the server, in that language
 *  where the rulebook is translated (`language.told`), and rules in English. */
export {
  chooseLanguage,
  figure,
  keptLanguage,
  language,
  LANGUAGES,
  t,
  toldIn,
  type Catalogue,
  type Language,
} from './chosen.svelte';
