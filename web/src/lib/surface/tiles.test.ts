import { describe, expect, it } from 'vitest';
import { TILES } from './tiles';

describe('markers on the ground', () => {
  it('look different from each other', () => {
    const drawn = Object.values(TILES).map((strokes) => strokes.map(({ d }) => d).join());
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it.each(Object.entries(TILES))('a %s is seen on light and on dark ground', (_, strokes) => {
    const colours = strokes.flatMap(({ fill, stroke }) => [fill, stroke]).filter(Boolean);
    expect(new Set(colours).size).toBeGreaterThan(1);
  });

  it.each(Object.entries(TILES))('a %s lies within its inch', (_, strokes) => {
    const absolute = strokes.flatMap(({ d }) => [...d.matchAll(/[ML](-?[\d.]+)[ ,]?(-?[\d.]+)/g)]);
    for (const [, x, y] of absolute)
      expect(Math.max(Math.abs(Number(x)), Math.abs(Number(y)))).toBeLessThanOrEqual(37);
  });
});
