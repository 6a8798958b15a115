/** The catalogue in use. Whatever shows a word shows it anew when the language changes. */
import { setting } from '../storage';
import { en } from './en';

export type Catalogue = typeof en;

/** Each language by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** English comes with the page, other catalogues when they are wanted. */
const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<Catalogue>> = {
  de: async () => (await import('./de')).de,
};

let code = $state<Language>('en');
let catalogue = $state.raw<Catalogue>(en);
let told = $state('en');

export const language = {
  /** The language of the page's own words. */
  get code(): Language {
    return code;
  },
  /** The language of the words that come from the server: English for a rulebook that is not translated. */
  get told(): string {
    return told;
  },
};

/** Takes note of the language in which the server speaks at this table. */
export function toldIn(spoken: string): void {
  told = spoken;
}

export const t: Catalogue = new Proxy(en, {
  get: (_, name) => catalogue[name as keyof Catalogue],
});

export async function chooseLanguage(wanted: Language): Promise<void> {
  catalogue = wanted === 'en' ? en : await OTHERS[wanted]();
  code = wanted;
  document.documentElement.lang = wanted;
  setting.write('language', wanted);
}

/** The language chosen on an earlier visit, at first the browser's. */
export function keptLanguage(): Language {
  const kept = setting.read<string>('language', navigator.language.slice(0, 2));
  return kept in LANGUAGES ? (kept as Language) : 'en';
}

/** A figure to one decimal, as the language writes it. */
export function figure(n: number): string {
  return n.toLocaleString(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
