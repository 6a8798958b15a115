import { describe, expect, it } from 'vitest';
import { broken, fitted, leastAt, LEAST_LETTER_PX, widthOf } from './letters';

const words = (text: string) => text.match(/[^ ]* |[^ ]+/g)!;

describe('words on a counter', () => {
  it('are parted where the widest line is narrowest', () => {
    expect(broken(words("Infantry Support/MMG '42 1"), 2)).toEqual(['Infantry', "Support/MMG '42 1"]);
    expect(broken(words('Panzer IV F2-H (7.5cm) 4'), 2)).toEqual(['Panzer IV', 'F2-H (7.5cm) 4']);
    expect(broken(words('a b c'), 3)).toEqual(['a', 'b', 'c']);
  });

  it('stay in one line where that fits', () => {
    expect(fitted('Rifle 42 6', { width: 84, sizes: [10, 9], least: 8 })).toEqual({
      lines: ['Rifle 42 6'],
      size: 10,
    });
  });

  it('are parted after a hyphen where no space is enough', () => {
    const room = { width: 90, sizes: [9, 8], least: 7 };
    const name = 'Infanterie-Unterstützung 1';
    expect(fitted(name, room)?.lines).toEqual(['Infanterie-', 'Unterstützung 1']);
  });

  it('never are wider than their room, in letters as large as there may be', () => {
    for (const name of [
      "Infantry Support/MMG '42 1",
      'Guards rifle company 43 2',
      'HMG section (2 MG 34/42) 1',
    ]) {
      const found = fitted(name, { width: 90, sizes: [12, 9, 9], least: 5 })!;
      expect(found.lines.join(' ')).toBe(name);
      for (const line of found.lines) expect(widthOf(line) * found.size).toBeLessThanOrEqual(90.001);
    }
  });

  it('yield where their letters could not be read', () => {
    expect(fitted("Infantry Support/MMG '42 1", { width: 90, sizes: [12], least: 10 })).toBeNull();
    expect((leastAt(50) * 50) / 100).toBe(LEAST_LETTER_PX);
  });
});
