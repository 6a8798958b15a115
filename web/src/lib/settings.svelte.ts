/** Settings of this browser, kept between visits. */
import type { Chosen } from './keys';
import { setting } from './storage';

export type ThemeChoice = 'auto' | 'light' | 'dark';

class Settings {
  theme = $state<ThemeChoice>(setting.read('theme', 'auto'));
  letters = $state(setting.read('letters', true));
  keys = $state.raw<Chosen>(setting.read('keys', {}));
  hints = $state(setting.read('hints', true));
  numbers = $state(setting.read('numbers', true));
  magnet = $state(setting.read('magnet', true));
  grid = $state(setting.read('grid', true));
  symbols = $state<'silhouette' | 'nato'>(setting.read('symbols', 'silhouette'));
  private systemDark = $state(false);

  constructor() {
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.systemDark = query.matches;
    query.addEventListener('change', (e) => (this.systemDark = e.matches));
  }

  get shade(): 'light' | 'dark' {
    return this.theme === 'auto' ? (this.systemDark ? 'dark' : 'light') : this.theme;
  }

  keep(): void {
    const { theme, letters, keys, hints, numbers, grid, magnet, symbols } = this;
    for (const [name, value] of Object.entries({
      theme,
      letters,
      keys,
      hints,
      numbers,
      grid,
      magnet,
      symbols,
    }))
      setting.write(name, value);
  }
}

export const settings = new Settings();
