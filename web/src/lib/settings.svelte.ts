/** Settings of this browser, kept between visits. */
import type { Chosen } from './keys';
import type { Pace } from './film/reel';
import { setting } from './storage';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/** What is kept, each under its own name. */
const KEPT = [
  'theme',
  'letters',
  'keys',
  'hints',
  'numbers',
  'grid',
  'magnet',
  'symbols',
  'pace',
  'drama',
  'sound',
  'passAlone',
  'standing',
] as const;

class Settings {
  theme = $state<ThemeChoice>(setting.read('theme', 'auto'));
  letters = $state(setting.read('letters', true));
  keys = $state.raw<Chosen>(setting.read('keys', {}));
  hints = $state(setting.read('hints', true));
  numbers = $state(setting.read('numbers', true));
  magnet = $state(setting.read('magnet', true));
  grid = $state(setting.read('grid', true));
  symbols = $state<'silhouette' | 'nato'>(setting.read('symbols', 'silhouette'));
  /** How fast the film of others' deeds runs. */
  pace = $state<Pace>(setting.read('pace', 'normal'));
  /** The player's own rolls have their moment. */
  drama = $state(setting.read('drama', true));
  /** A question that can only be passed is passed by itself. */
  passAlone = $state(setting.read('passAlone', true));
  sound = $state(setting.read('sound', false));
  /** The head of a game tells all of how it stands, however high that makes it. */
  standing = $state(setting.read('standing', false));
  private systemDark = $state(false);

  constructor() {
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.systemDark = query.matches;
    query.addEventListener('change', (e) => (this.systemDark = e.matches));
  }

  get shade(): 'light' | 'dark' {
    return this.theme === 'auto' ? (this.systemDark ? 'dark' : 'light') : this.theme;
  }

  toggleSound(): void {
    this.sound = !this.sound;
    this.keep();
  }

  keep(): void {
    for (const name of KEPT) setting.write(name, this[name]);
  }
}

export const settings = new Settings();
