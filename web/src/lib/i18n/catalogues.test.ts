import { describe, expect, it } from 'vitest';
import { de } from './de';
import { en } from './en';

type Word = string | ((...given: never[]) => string);

/** Every word of a catalogue under its path, lists and tables opened. */
function words(part: unknown, path = ''): Map<string, Word> {
  if (typeof part === 'string' || typeof part === 'function') return new Map([[path, part as Word]]);
  const inside = Object.entries(part as object).flatMap(([name, value]) => [
    ...words(value, `${path}.${name}`),
  ]);
  return new Map(inside);
}

/** What may well be the same in both languages. */
const SAME = new Set(['.name', '.orders.targets.all', '.terrain']);

/** The names of keys that are the same on every keyboard. */
const isKey = (path: string) => /^\.keys\.list\.\d+\.0$/.test(path);

/** The figures that the rulebooks print on counters. */
function kindsOfFigures(): string[] {
  const sources = import.meta.glob<string>('../../../../src/opfire/rulesets/*/counters.py', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const found = Object.values(sources).flatMap((text) => [...text.matchAll(/Figure\("(\w+)"/g)]);
  return [...new Set(found.map(([, kind]) => kind!))];
}

describe('the German catalogue', () => {
  const [english, german] = [words(en), words(de)];

  it('has every word that the English one has, and no other', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each([...words(en)])('translates %s', (path, word) => {
    const translated = german.get(path);
    expect(typeof translated).toBe(typeof word);
    if (typeof word === 'string') {
      expect(translated).not.toBe('');
      if (!SAME.has(path) && !isKey(path)) expect(translated).not.toBe(word);
    }
  });

  it.each([...words(en)].filter(([, word]) => typeof word === 'function'))(
    'says all that %s is told',
    (path) => {
      if (path === '.terrain') return;
      const translated = german.get(path) as (...given: unknown[]) => string;
      const given = Array.from({ length: translated.length }, (_, i) => 71 + i);
      const said = translated(...given);
      for (const value of given) expect(said).toContain(String(value));
    },
  );

  it('knows one from many', () => {
    expect([de.start.units(1), de.start.units(2)]).toEqual(['1 Einheit', '2 Einheiten']);
  });

  it.each(kindsOfFigures())('names the figure %s of a counter in words', (kind) => {
    expect(de.unit.figures).toHaveProperty(kind);
  });
});

describe('the hint that stands at every table', () => {
  it('is true for a mouse, a finger and the keyboard', () => {
    expect(en.play.choose).not.toMatch(/click|tap/i);
    expect(de.play.choose).not.toMatch(/klick|tipp/i);
  });
});
