import { describe, expect, it } from 'vitest';
import { named, read, spotOf, textOf } from './places';

describe('places', () => {
  it('are points with a text in inches, or names of hexes', () => {
    expect(textOf([12500, 8250])).toBe('12.5,8.25');
    expect(spotOf('12.5,8.25')).toEqual([12500, 8250]);
    expect(spotOf('0.001,30')).toEqual([1, 30000]);
    expect(spotOf('1-Q7')).toBeNull();
  });

  it('are told to a tenth of an inch', () => {
    expect(named('14.337,25.05')).toBe('14.3,25.1');
    expect(named('3,0.98')).toBe('3,1');
    expect(named('1-Q7')).toBe('1-Q7');
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
