import { describe, expect, it } from 'vitest';
import { besideLine, hangsBelow, within } from './labels';

const SIZE = 60;

describe('the name of a gun', () => {
  it('stands on a line that is long enough', () => {
    expect(besideLine({ x: 0, y: 0 }, { x: 200, y: 0 }, SIZE, 1)).toEqual({ x: 84, y: 0 });
  });

  it('stands beside a short one, off both counters', () => {
    const level = besideLine({ x: 0, y: 0 }, { x: 100, y: 0 }, SIZE, 1);
    expect(level.x).toBe(50);
    expect(level.y).toBeLessThanOrEqual(-SIZE / 2);
    const upright = besideLine({ x: 0, y: 100 }, { x: 0, y: 0 }, SIZE, 1);
    expect(upright.y).toBe(50);
    expect(upright.x).toBeGreaterThanOrEqual(SIZE / 2 + 35);
    const down = besideLine({ x: 0, y: 0 }, { x: 0, y: 100 }, SIZE, 1);
    expect(down.x).toBeGreaterThanOrEqual(SIZE / 2 + 35);
  });
});

describe('what is said of a target', () => {
  const target = { x: 500, y: 500 };

  it('stands above it', () => {
    expect(hangsBelow(target, [{ x: 400, y: 500 }], 0, SIZE, 1)).toBe(false);
    expect(hangsBelow(target, [{ x: 500, y: 100 }], 0, SIZE, 1)).toBe(false);
  });

  it('hangs below it where a firer stands close above, or the map ends', () => {
    expect(hangsBelow(target, [{ x: 500, y: 413 }], 0, SIZE, 1)).toBe(true);
    expect(hangsBelow(target, [], 400, SIZE, 1)).toBe(true);
    expect(
      hangsBelow(
        target,
        [
          { x: 500, y: 413 },
          { x: 500, y: 587 },
        ],
        0,
        SIZE,
        1,
      ),
    ).toBe(false);
  });
});

describe('a card over its target', () => {
  const seen = { left: 100, right: 500, gap: 6 };

  it('stands over it where there is room', () => {
    expect(within(300, 120, seen)).toBe(300);
    expect(within(434, 120, seen)).toBe(434);
  });

  it('keeps its distance from the edges', () => {
    expect(within(480, 120, seen)).toBe(434);
    expect(within(-50, 120, seen)).toBe(166);
  });

  it('stands in the middle where it is wider than all that is seen', () => {
    expect(within(480, 600, seen)).toBe(300);
  });
});
