import { describe, expect, it } from 'vitest';
import { barsOf, chartOf, momentAt, turningPoints } from './course';
import type { CoursePoint, GameEvent, MomentInfo } from './protocol';

const SIDES = ['german', 'soviet'] as const;
const point = (n: number, turn: number, worth: number, score = 0): CoursePoint => ({
  n,
  turn,
  scores: { german: score, soviet: 0 },
  worth: { german: worth, soviet: -worth },
});
const moment = (log: number): MomentInfo => ({ turn: 1, side: null, step: '', log });
const entry = (n: number, kind: string, dice: number[] = []) =>
  ({ n, kind, dice, text: `entry ${n}` }) as unknown as GameEvent;

describe('turning points', () => {
  const log = [entry(1, 'moved'), entry(2, 'fired', [3]), entry(3, 'eliminated'), entry(4, 'fired', [6])];
  const moments = [moment(0), moment(1), moment(3), moment(4), moment(4)];

  it('are the largest changes that dice or losses made, in the order of the game', () => {
    const points = [point(0, 1, 0), point(1, 1, 9), point(2, 1, 4), point(3, 1, 6), point(4, 1, 20)];
    const found = turningPoints(points, SIDES, moments, log);
    // A move and a moment without an entry are nobody's doing.
    expect(found.map(({ n, side, gain, event }) => [n, side, gain, event.n])).toEqual([
      [2, 'soviet', 5, 2],
      [3, 'german', 2, 4],
    ]);
    expect(turningPoints(points, SIDES, moments, log, 1).map((t) => t.n)).toEqual([2]);
  });

  it('are put down to the roll before a loss, not to one that did nothing after it', () => {
    const fire = [entry(1, 'fired', [2]), entry(2, 'eliminated'), entry(3, 'building', [9])];
    const found = turningPoints([point(0, 1, 0), point(1, 1, 7)], SIDES, [moment(0), moment(3)], fire);
    expect(found.map(({ event }) => event.n)).toEqual([1]);
  });

  it('are none where only the turn is new', () => {
    expect(turningPoints([point(1, 1, 0), point(3, 2, 8)], SIDES, moments, log)).toEqual([]);
  });
});

describe('the curve', () => {
  it('has the first side above the middle, the second below', () => {
    const chart = chartOf([point(0, 0, 0), point(1, 1, 10, 5), point(2, 2, -10)], SIDES, 200, 100, 10);
    expect(chart.zero).toBe(50);
    expect(chart.at(1).x).toBe(100);
    expect(chart.at(1).y).toBeLessThan(50);
    expect(chart.at(2).y).toBeGreaterThan(50);
    expect(chart.turns).toEqual([
      { turn: 1, x: 100 },
      { turn: 2, x: 200 },
    ]);
  });

  it('keeps the markers within the drawing', () => {
    const chart = chartOf([point(0, 0, 100), point(1, 1, 0), point(2, 2, -100)], SIDES, 200, 100, 10);
    expect([chart.at(0), chart.at(2)]).toEqual([
      { x: 10, y: 10 },
      { x: 190, y: 90 },
    ]);
  });

  it('leads back to the nearest moment', () => {
    const points = [point(0, 0, 0), point(10, 1, 0), point(20, 1, 0)];
    expect([0, 0.3, 0.6, 1].map((part) => momentAt(points, part))).toEqual([0, 10, 10, 20]);
    expect(momentAt([], 0.5)).toBe(0);
  });
});

describe('the losses', () => {
  it('stand as bars over and under the middle, the tallest the greatest', () => {
    const losses = new Map([
      [1, new Map([['german', 1]])],
      [
        3,
        new Map([
          ['german', 2],
          ['soviet', 4],
        ]),
      ],
    ]);
    const bars = barsOf(losses, SIDES, 4, 400, 100);
    expect(bars.map(({ turn, side, lost }) => [turn, side, lost])).toEqual([
      [1, 'german', 1],
      [3, 'german', 2],
      [3, 'soviet', 4],
    ]);
    const [first, second, third] = bars;
    expect(first!.y + first!.height).toBeCloseTo(50);
    expect(second!.height).toBeCloseTo(2 * first!.height, 0);
    expect([third!.y, third!.height]).toEqual([50, 38]);
    expect(second!.x - first!.x).toBeCloseTo(200);
  });
});
