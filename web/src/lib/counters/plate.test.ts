import { describe, expect, it } from 'vitest';
import { LEAST_LETTER_PX, widthOf } from './letters';
import { plateOf } from './plate';

const named = (whole: string, details: string[] = [], narrow = false) => ({
  name: whole,
  whole,
  details,
  narrow,
});
const NAMES = ['INF 1', 'Guards rifle company 43 2', 'HMG section (2 MG 34/42) 1', '76.2 mm USV / ZIS-3 3'];
const DETAILS = ['armoured personnel carrier, half-track', 'platoon · morale 8/7 · 2 of 2 steps'];

/** The letters of the figures at the foot reach up to here, from afar and from near by. */
const FEET = { afar: 94 - 0.75 * 25, near: 95 - 0.75 * 16 };

describe('the name on a counter', () => {
  it.each([40, 60, 73, 100, 127, 140, 250])('can be read on %d pixels, or yields', (px) => {
    for (const name of NAMES) {
      for (const { text, size, detail } of plateOf(named(name, DETAILS), px).lines) {
        expect(widthOf(text) * size * (detail ? 0.88 : 1)).toBeLessThanOrEqual(88.01);
        if (!detail) expect((size * px) / 100).toBeGreaterThanOrEqual(LEAST_LETTER_PX - 0.01);
      }
    }
  });

  it.each([60, 73, 100, 127, 140, 250])('lies between the symbol and the figures on %d pixels', (px) => {
    for (const name of NAMES) {
      for (const narrow of [false, true]) {
        const { lines, symbol } = plateOf(named(name, DETAILS, narrow), px);
        const [first, last] = [lines[0], lines.at(-1)];
        if (!first || !last) continue;
        expect(first.y - 0.75 * first.size).toBeGreaterThanOrEqual(symbol.y + 34 * symbol.scale);
        expect(last.y).toBeLessThanOrEqual(px < 132 ? FEET.afar : FEET.near);
        expect(symbol.scale).toBeGreaterThan(0.6);
      }
    }
  });

  it('is whole from near by, with the kind and other values, each in as many lines as it needs', () => {
    const { lines } = plateOf(named('HMG section (2 MG 34/42) 1', DETAILS), 140);
    const told = (detail: boolean) => lines.filter((line) => line.detail === detail).map(({ text }) => text);
    expect(told(false).join(' ')).toBe('HMG section (2 MG 34/42) 1');
    expect(told(true).join(' ')).toBe(DETAILS.join(' '));
  });

  it('leaves the counter to the symbol far out, where no figure can be read', () => {
    expect(plateOf(named('INF 1'), 24)).toMatchObject({ lettered: false, lines: [] });
  });
});
