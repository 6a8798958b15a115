import { describe, expect, it } from 'vitest';
import { read, spotOf, textOf } from './places';

describe('places', () => {
  it('are points with a text in inches, or names of hexes', () => {
    expect(textOf([12500, 8250])).toBe('12.5,8.25');
    expect(spotOf('12.5,8.25')).toEqual([12500, 8250]);
    expect(spotOf('0.001,30')).toEqual([1, 30000]);
    expect(spotOf('1-Q7')).toBeNull();
  });

  it('come as text, wherever they stand in a message, but not within actions', () => {
    const sent = { units: [{ place: [1000, 2500], to: [1, 2] }], places: [[1000, 0], '1-A1'], place: null };
    expect(read(JSON.stringify(sent))).toEqual({
      units: [{ place: '1,2.5', to: [1, 2] }],
      places: ['1,0', '1-A1'],
      place: null,
    });
  });
});
