import { describe, expect, it } from 'vitest';
import type { ReachNode } from '../../protocol';
import type { Spot } from '../places';
import { Lattice, STEP, stepsOf } from './lattice';

/** The points within reach of (10, 10) inches at two points an inch, but for a wall of barred points. */
function reach(left: number, barred: (x: number, y: number) => boolean = () => false): ReachNode[] {
  const found: ReachNode[] = [[10000, 10000, 0, 0]];
  const cost = new Map([['10000,10000', 0]]);
  const queue: [number, number, number, number][] = [[10000, 10000, 0, 0]];
  while (queue.length > 0) {
    queue.sort((a, b) => a[2] - b[2]);
    const [x, y, spent, number] = queue.shift()!;
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ] as const) {
      const [a, b] = [x + dx * STEP, y + dy * STEP];
      const price = spent + Math.hypot(dx, dy) * 1000;
      if (price > left * 1000 || barred(a, b) || cost.has(`${a},${b}`)) continue;
      cost.set(`${a},${b}`, price);
      found.push([a, b, price, number]);
      queue.push([a, b, price, found.length - 1]);
    }
  }
  return found;
}

describe('a reach', () => {
  const open = new Lattice(reach(8));

  it('costs at its points what the server said, and in between what lies between', () => {
    expect(open.costAt([10000, 10000])).toBe(0);
    expect(open.costAt([12000, 10000])).toBe(4);
    expect(open.costAt([12250, 10000])).toBe(4.5);
  });

  it('comes as near to a place out of reach as it can', () => {
    expect(open.nearest([40000, 10000])).toEqual([14000, 10000]);
    expect(open.nearest([11000, 10000])).toEqual([11000, 10000]);
  });

  it('has no cost outside', () => {
    expect(open.costAt([20000, 10000])).toBeNull();
  });

  it('has lines of equal cost round its start', () => {
    const [line] = open.contours([3]);
    expect(line!.pieces.length).toBeGreaterThanOrEqual(12);
    for (const [a, b] of line!.pieces) {
      for (const spot of [a, b]) expect(open.costAt(spot)).toBeCloseTo(3, 0);
      expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThanOrEqual(STEP * 1.5);
    }
  });

  it('has no line at a cost beyond it', () => {
    expect(open.contours([99])).toEqual([]);
  });
});

describe('a way through a reach', () => {
  it('is straight where nothing lies between', () => {
    expect(new Lattice(reach(8)).wayTo([13000, 10000])).toEqual([]);
  });

  it('is straight, too, where costs are rounded up to half a point', () => {
    const halves = reach(16).map(([x, y, cost, n]): ReachNode => [
      x,
      y,
      Math.ceil(cost / 1000 - 0.01) * 500,
      n,
    ]);
    const lattice = new Lattice(halves);
    const bent = halves.slice(1).filter(([x, y]) => lattice.wayTo([x, y])!.length > 0);
    expect(bent).toEqual([]);
  });

  it('goes round what bars it, with few corners, none of them barred', () => {
    const wall = (x: number, y: number) => x === 11000 && y > 8500 && y < 12000;
    const lattice = new Lattice(reach(16, wall));
    const way = lattice.wayTo([12000, 10000])!;
    expect(way.length).toBeGreaterThan(0);
    expect(way.length).toBeLessThan(5);
    const whole: Spot[] = [[10000, 10000], ...way, [12000, 10000]];
    const crossing = whole.slice(1).find(([x], i) => x >= 11000 && whole[i]![0] <= 11000)!;
    expect(crossing).toBeDefined();
    expect(Math.min(...way.map(([, y]) => y))).toBeLessThanOrEqual(8500);
  });

  it('is none to a point out of reach', () => {
    expect(new Lattice(reach(4)).wayTo([30000, 10000])).toBeNull();
  });
});

describe('the lines of a reach', () => {
  it('are few, at round costs', () => {
    expect(stepsOf(8)).toEqual([2, 4, 6]);
    expect(stepsOf(2)).toEqual([0.5, 1, 1.5]);
    expect(stepsOf(6)).toEqual([1, 2, 3, 4, 5]);
    expect(stepsOf(24).length).toBeLessThan(7);
  });
});
