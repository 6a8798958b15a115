import { describe, expect, it } from 'vitest';
import { litPlaces } from './light';

/** Hexes in a row, each named by its number. */
const row = { apart: (a: string, b: string) => Math.abs(Number(a) - Number(b)) };
const cells = ['0', '1', '2', '3', '4', '5', '6', '7'];

describe('the places in sight', () => {
  it('are those within the range of somebody who looks out', () => {
    expect(litPlaces(row, cells, ['2'], 1)).toEqual(['1', '2', '3']);
    expect(litPlaces(row, cells, ['0', '6'], 1)).toEqual(['0', '1', '5', '6', '7']);
    expect(litPlaces(row, cells, [], 3)).toEqual([]);
  });

  it('are those that are lit up as well', () => {
    expect(litPlaces(row, cells, ['0'], 1, ['5'])).toEqual(['0', '1', '5']);
  });
});
