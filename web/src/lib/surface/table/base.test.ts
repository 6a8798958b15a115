import { describe, expect, it } from 'vitest';
import { apart, baseOf, beside, cornersOf, overlaps } from './base';

const at = (x: number, y: number, facing = 0) => ({ x, y, facing });

describe('the base of a stand', () => {
  it('is a disc unless the ruleset says otherwise', () => {
    expect(baseOf(undefined)).toBe('disc');
    expect(baseOf({ figures: {}, markers: {}, liveries: {}, badges: {}, short: {}, base: 'square' })).toBe(
      'square',
    );
  });

  it('is a square with sides of the whole width, which turns with the facing', () => {
    const corners = cornersOf('square', { x: 100, y: 100 }, 50);
    expect(corners.map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([
      [150, 150],
      [50, 150],
      [50, 50],
      [150, 50],
    ]);
    const turned = cornersOf('square', { x: 0, y: 0 }, 50, 45);
    expect(Math.max(...turned.map(({ y }) => y))).toBeCloseTo(70.71, 1);
  });

  it('overlaps another one by its own shape', () => {
    expect(overlaps('disc', 50, at(0, 0), at(80, 80))).toBe(false);
    expect(overlaps('square', 50, at(0, 0), at(80, 80))).toBe(true);
    expect(overlaps('square', 50, at(0, 0), at(100, 0))).toBe(false);
    expect(overlaps('square', 50, at(0, 0), at(110, 0, 45))).toBe(true);
    expect(overlaps('square', 50, at(0, 0), at(122, 0, 45))).toBe(false);
  });

  it('is apart from another one by the gap between their edges', () => {
    expect(apart('disc', 50, at(0, 0), at(160, 0))).toBe(60);
    expect(apart('square', 50, at(0, 0), at(160, 30))).toBeCloseTo(60);
    expect(apart('square', 50, at(0, 0), at(200, 0, 45))).toBeCloseTo(79.29, 1);
    expect(apart('square', 50, at(0, 0), at(60, 0))).toBe(0);
  });

  it('is held in contact along the side that is nearest', () => {
    expect(beside({ x: 104, y: 20 }, at(0, 0), 100)).toEqual({ x: 100, y: 20 });
    const { x, y } = beside({ x: 30, y: -120 }, at(0, 0, 90), 100);
    expect([Math.round(x), Math.round(y)]).toEqual([30, -100]);
  });
});
