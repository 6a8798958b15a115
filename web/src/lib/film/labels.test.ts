import { describe, expect, it } from 'vitest';
import { within } from '../geometry';
import { besideLine, cardBox, hangsBelow } from './labels';

const SIZE = 60;

/** The room of a card over a target at this point. */
const over = ({ x, y }: { x: number; y: number }, pen = 1) => cardBox(x, y - SIZE * 0.62, false, pen);
const under = ({ x, y }: { x: number; y: number }, pen = 1) => cardBox(x, y + SIZE * 0.62, true, pen);

describe('the name of a gun', () => {
  it('stands on a line that is long enough', () => {
    const target = { x: 200, y: 0 };
    expect(besideLine({ x: 0, y: 0 }, target, SIZE, 1, over(target))).toEqual({ x: 84, y: 0 });
  });

  it('stands beside a short one, off both counters and on the side without the card', () => {
    const level = besideLine({ x: 0, y: 0 }, { x: 100, y: 0 }, SIZE, 1, over({ x: 100, y: 0 }));
    expect(level.x).toBe(50);
    expect(level.y).toBeGreaterThanOrEqual(SIZE / 2);
    const hanging = besideLine({ x: 0, y: 0 }, { x: 100, y: 0 }, SIZE, 1, under({ x: 100, y: 0 }));
    expect(hanging.y).toBeLessThanOrEqual(-SIZE / 2);
    const upright = besideLine({ x: 0, y: 100 }, { x: 0, y: 0 }, SIZE, 1, over({ x: 0, y: 0 }));
    expect(upright.y).toBe(50);
    expect(upright.x).toBeGreaterThanOrEqual(SIZE / 2 + 35);
  });

  it('leaves a line that the card would cover, as on a map drawn small', () => {
    // Five page pixels to a map unit's hundred: counters of twelve pixels, a card of three hundred.
    const [pen, target] = [5, { x: 1000, y: 0 }];
    const at = besideLine({ x: 400, y: 0 }, target, SIZE, pen, over(target, pen));
    expect(at.y - 11 * pen).toBeGreaterThanOrEqual(-SIZE * 0.62);
    expect(at.y).toBeGreaterThan(0);
  });

  it('keeps its whole width clear of the card, however long it is', () => {
    // On the line its middle is at 168: 90 pixels end at 213, 200 at 268, under a card that begins at 250.
    const [from, target] = [
      { x: 0, y: -160 },
      { x: 400, y: 0 },
    ];
    expect(besideLine(from, target, SIZE, 1, over(target), 90).x).toBe(168);
    const card = over(target);
    const at = besideLine(from, target, SIZE, 1, card, 200);
    const clear = at.x + 100 <= card.x || at.y - 11 >= card.y + card.height || at.y + 11 <= card.y;
    expect([at.x === 168, clear]).toEqual([false, true]);
  });

  it('stands on the other side of the target where there is no room beside the line', () => {
    const target = { x: 0, y: 0 };
    const at = besideLine({ x: 0, y: -90 }, target, SIZE, 1, over(target));
    expect(at).toEqual({ x: 0, y: SIZE / 2 + 15 });
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
