import { describe, expect, it } from 'vitest';
import type { MapHex } from '../protocol';
import { palette } from './palette';
import { colourOf } from './sketch';

describe('the sketch of a map', () => {
  const colours = palette('light');
  const hex = (level: number, ...terrain: string[]) => ({ level, terrain }) as MapHex;

  it('shows what covers a hex, or else how high it lies', () => {
    expect(colourOf(hex(2, 'road', 'woods'), colours)).toBe(colours.woods);
    expect(colourOf(hex(0, 'clear'), colours)).toBe(colours.ground);
    expect(colourOf(hex(2), colours)).toBe(colours.level2);
  });

  it('knows a colour for a valley and for the highest hill', () => {
    expect(colourOf(hex(-1), colours)).toBe(colours.ground);
    expect(colourOf(hex(5), colours)).toBe(colours.level3);
  });
});
