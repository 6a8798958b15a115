import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../protocol';
import { bandsOf, deviationsOf, percent } from './drift';

/** Eight directions, a quarter of the chances on the aim, the rest on one and two inches. */
const ways = [0, 1, 2, 3, 4, 5, 6, 7].map((eighth) => (eighth * Math.PI) / 4);
const around = (inches: number, chance: number) =>
  ways.map((way) => {
    const [x, y] = [inches * Math.sin(way), -inches * Math.cos(way)].map((n) => (10 + n).toFixed(3));
    return { place: `${x},${y}`, chance: chance / 8 };
  });
const aim = { place: '10,10', chance: 0.25 };

describe('a spread', () => {
  it('is drawn in bands where the places lie too close', () => {
    const bands = bandsOf([aim, ...around(1, 0.5), ...around(2, 0.25)])!;
    expect(bands.map(({ inches }) => Math.round(inches))).toEqual([0, 1, 2]);
    expect(bands.map(({ chance }) => chance)).toEqual([0.25, 0.5, 0.25]);
  });

  it('has a disc for each place where there is room', () => {
    expect(bandsOf([aim, ...around(3, 0.75)])).toBeNull();
    expect(bandsOf([])).toBeNull();
  });

  it('never calls a small chance none', () => {
    expect([0.001, 0.25, 0].map(percent)).toEqual(['<1 %', '25 %', '0 %']);
  });
});

describe('deviations', () => {
  const event = (n: number, turn: number, kind: string, places: string[]) =>
    ({ n, turn, kind, places, text: kind }) as GameEvent;

  it('are those of the turn, each with its length', () => {
    const log = [
      event(1, 2, 'deviation', ['1,1', '2,1']),
      event(2, 3, 'deviation', ['10,10', '10,13']),
      event(3, 3, 'impact', ['10,13', '11,13']),
      event(4, 3, 'deviation', ['5,5']),
    ];
    const found = deviationsOf(log, 3);
    expect(found.map(({ n, inches }) => [n, inches])).toEqual([[2, 3]]);
    expect(found[0]!.to).toEqual([10000, 13000]);
  });
});
