import { describe, expect, it } from 'vitest';
import { outward, ringPath, signSpot } from './ring';

const SQUARE = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 10, y: 10 },
  { x: 0, y: 10 },
];

describe('the ring of an objective', () => {
  it('is closed where no name is near', () => {
    expect(ringPath(SQUARE, [{ x: 20, y: 0, width: 5, height: 5 }])).toBe(
      'M0.0 0.0L10.0 0.0L10.0 10.0L0.0 10.0Z',
    );
  });

  it('is open where it would cross a name', () => {
    // The name lies over the lower side from 2 to 6.
    expect(ringPath(SQUARE, [{ x: 2, y: 8, width: 4, height: 4 }])).toBe(
      'M0.0 0.0L10.0 0.0L10.0 10.0L6.0 10.0M2.0 10.0L0.0 10.0L0.0 0.0',
    );
  });

  it('is open on both sides of a name that is wider than the ring', () => {
    expect(ringPath(SQUARE, [{ x: -5, y: 4, width: 20, height: 2 }])).toBe(
      'M0.0 0.0L10.0 0.0L10.0 4.0M10.0 6.0L10.0 10.0L0.0 10.0L0.0 6.0M0.0 4.0L0.0 0.0',
    );
  });
});

describe('the sign of an objective', () => {
  it('stands in the first spot where it covers no name', () => {
    const spots = [
      { x: 0, y: 5 },
      { x: 5, y: 0 },
    ];
    expect(signSpot(spots, 2, [])).toEqual(spots[0]);
    expect(signSpot(spots, 2, [{ x: 1, y: 4, width: 9, height: 2 }])).toEqual(spots[1]);
    expect(signSpot(spots, 2, [{ x: -9, y: -9, width: 99, height: 99 }])).toEqual(spots[0]);
  });

  it('stands farther out where names lie all round the ring', () => {
    expect(outward({ x: 3, y: 4 }, { x: 0, y: 0 }, 5)).toEqual({ x: 6, y: 8 });
    expect(outward({ x: 0, y: 0 }, { x: 0, y: 0 }, 5)).toEqual({ x: 0, y: 0 });
  });
});
