import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, DEFICIENCIES, difference, seen, type Deficiency } from './colour';
import { LOOKS } from './design';
import { liveryOf } from './counters/symbols';
import { palette } from './render/palette';

const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');

/** The colours of a theme, as the page has them. */
function tokens(theme: string): Record<string, string> {
  const block = css.slice(css.indexOf(`[data-theme='${theme}']`)).split('}')[0]!;
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));
}

const NAMES = Object.keys(DEFICIENCIES) as Deficiency[];
const AT_A_GLANCE = 10;

describe('the arithmetic of colour', () => {
  it('agrees with the ends of the scale', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(difference('#000000', '#ffffff')).toBeCloseTo(100, 0);
    expect(difference('#123456', '#123456')).toBe(0);
  });

  it.each(NAMES)('leaves greys grey in %s', (name) => {
    for (const grey of ['#000000', '#808080', '#ffffff'])
      expect(difference(seen(grey, name), grey)).toBeLessThan(1);
  });

  it('takes red from green where one cannot tell them apart, and not where one can', () => {
    const apart = (name: Deficiency) => difference(seen('#c04040', name), seen('#708000', name));
    expect(apart('deuteranopia')).toBeLessThan(difference('#c04040', '#708000') / 2);
    expect(apart('tritanopia')).toBeGreaterThan(difference('#c04040', '#708000') / 2);
  });
});

describe.each(['light', 'dark'])('the %s theme', (theme) => {
  const c = tokens(theme);
  const grounds = ['bg', 'surface', 'surface-2', 'surface-3'];

  it.each(grounds)('has readable words on %s', (ground) => {
    for (const ink of ['ink', 'ink-2']) expect(contrast(c[ink]!, c[ground]!)).toBeGreaterThanOrEqual(4.5);
  });

  it('has readable buttons, links and notes', () => {
    const pairs = [
      ['accent-ink', 'accent'],
      ['accent-ink', 'accent-hover'],
      ['accent', 'surface'],
      ['accent', 'bg'],
      ['ink', 'accent-soft'],
      ['ink-2', 'accent-soft'],
      ['info', 'info-soft'],
      ['ink', 'info-soft'],
      ['ink', 'chance-none'],
    ] as const;
    for (const [ink, ground] of pairs)
      expect(contrast(c[ink]!, c[ground]!), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it('has readable results on the bar of chances', () => {
    for (const [ink, ground] of [
      ['#ffffff', 'chance-x'],
      ['#1d0d05', 'chance-dd'],
      ['#1d1205', 'chance-d'],
      ['#1d1205', 'chance-s'],
    ] as const)
      expect(contrast(ink, c[ground]!)).toBeGreaterThanOrEqual(4.5);
  });

  it('shows the focus and the edges of controls', () => {
    for (const ground of grounds) expect(contrast(c.focus!, c[ground]!)).toBeGreaterThanOrEqual(3);
    for (const ground of ['bg', 'surface'])
      expect(contrast(c['line-strong']!, c[ground]!)).toBeGreaterThanOrEqual(3);
  });

  it.each(NAMES)('keeps neighbouring chances apart in %s', (name) => {
    const steps = ['chance-x', 'chance-dd', 'chance-d', 'chance-s', 'chance-none'].map((step) =>
      seen(c[step]!, name),
    );
    for (const [i, step] of steps.slice(1).entries())
      expect(difference(steps[i]!, step)).toBeGreaterThanOrEqual(AT_A_GLANCE);
  });

  it.each(NAMES)('keeps woods, water and towns apart from open ground in %s', (name) => {
    const map = palette(theme as 'light' | 'dark');
    for (const cover of [map.woods, map.water, map.roadEdge, map.roofA])
      expect(difference(seen(cover, name), seen(map.ground, name))).toBeGreaterThanOrEqual(AT_A_GLANCE);
  });
});

describe('counters', () => {
  const liveries = Object.keys(LOOKS.liveries).map((nation, i) => liveryOf(nation, i, LOOKS));

  it('have readable figures on every paper', () => {
    for (const { ink, paper } of liveries) expect(contrast(ink, paper)).toBeGreaterThanOrEqual(7);
  });

  it.each(NAMES)('of Germans and their enemies look different in %s', (name) => {
    const [german, ...others] = liveries.map(({ paper }) => seen(paper, name));
    for (const other of others) expect(difference(german!, other)).toBeGreaterThanOrEqual(AT_A_GLANCE);
  });
});
