import { describe, expect, it } from 'vitest';
import type { Spot } from '../places';
import { bearing } from '../places';
import { gapOf, inchesOf, middleOfTapes, nearTo, off } from './tape';

const tape = (unit: string | null) => ({
  from: { at: [1000, 1000] as Spot, unit: 'red-1' },
  to: { at: [4000, 5000] as Spot, unit },
});

describe('a tape', () => {
  it('measures from point to point', () => {
    expect(inchesOf(tape(null))).toBe(5);
  });

  it('measures between the edges of two stands, and never less than nothing', () => {
    expect(gapOf(tape('blue-1'), 1000)).toBe(4);
    expect(gapOf(tape(null), 1000)).toBeNull();
    expect(gapOf(tape('blue-1'), 9000)).toBe(0);
  });
});

describe('the stands near a point', () => {
  const stands = [
    { id: 'far', place: '9,5' },
    { id: 'there', place: '5,7' },
    { id: 'at-the-limit', place: '5,2' },
    { id: 'away', place: null },
  ];

  it('are those with their centres within it, the nearest first', () => {
    expect(nearTo([5000, 5000], 3, stands)).toEqual([
      { id: 'there', inches: 2 },
      { id: 'at-the-limit', inches: 3 },
    ]);
  });

  it('are counted from where the tape in the hand begins, else from the last one that lies', () => {
    const [one, other] = [tape(null), tape('blue-1')];
    expect(middleOfTapes({ inHand: { from: null }, laid: [one, other] })).toBe(other.from);
    expect(middleOfTapes({ inHand: { from: one.to }, laid: [other] })).toBe(one.to);
    expect(middleOfTapes({ inHand: null, laid: [] })).toBeNull();
  });
});

describe('a goal by direction and inches', () => {
  it('lies that far off, clockwise from north', () => {
    expect(off([5000, 5000], 0, 2)).toEqual([5000, 3000]);
    expect(off([5000, 5000], 90, 2)).toEqual([7000, 5000]);
    expect(off([5000, 5000], 225, Math.SQRT2)).toEqual([4000, 6000]);
  });

  it('is turned back into its direction', () => {
    for (const degrees of [0, 45, 90, 200, 315])
      expect(bearing([9000, 9000], off([9000, 9000], degrees, 6))).toBe(degrees);
  });
});
