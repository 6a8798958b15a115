import { describe, expect, it } from 'vitest';
import * as reels from './reel';
import type { Filmed, Reel } from './reel';

const scene = (own = false): Filmed => ({
  own,
  beats: [
    { name: 'fire', ms: 400 },
    { name: 'result', ms: 1000 },
  ],
});
const film = (...scenes: Filmed[]): Reel<Filmed> => reels.added(reels.EMPTY, scenes);
const place = ({ at, beat, paused }: Reel<Filmed>) => [at, beat, paused];

/** Ticks until nothing runs any more; how often. */
function ticks(reel: Reel<Filmed>): number {
  let n = 0;
  for (let now = reel; reels.lasting(now, 'normal') !== null; now = reels.ticked(now)) n++;
  return n;
}

describe('the reel', () => {
  it('shows beat after beat and scene after scene, to the end', () => {
    const reel = film(scene(), scene());
    expect(place(reels.ticked(reel))).toEqual([0, 1, false]);
    expect(place(reels.ticked(reels.ticked(reel)))).toEqual([1, 0, false]);
    expect(ticks(reel)).toBe(4);
    expect(reels.ended(reels.finished(reel))).toBe(true);
    expect(reels.ticked(reels.finished(reel))).toEqual(reels.finished(reel));
  });

  it('goes on with scenes that are added once all have been shown', () => {
    const reel = reels.added(reels.finished(film(scene())), [scene()]);
    expect([reel.at, reels.ended(reel)]).toEqual([1, false]);
  });

  it('is cut back without losing its place', () => {
    const reel = reels.finished(film(scene(), scene(), scene()));
    expect(place(reels.cutBack(reel, 2))).toEqual([2, 0, false]);
    const first = reels.ticked(film(scene(), scene()));
    expect(place(reels.cutBack(first, 1))).toEqual([0, 1, false]);
    expect(reels.cutBack(reel, 2).scenes).toHaveLength(2);
  });

  it('runs slower or faster', () => {
    const [slow, normal, fast] = (['slow', 'normal', 'fast'] as const).map((pace) =>
      reels.lasting(film(scene()), pace),
    );
    expect(normal).toBe(400);
    expect(slow).toBeGreaterThan(400);
    expect(fast).toBeLessThan(400);
  });

  it('hurries where much is to come, within bounds', () => {
    const many = (n: number) => reels.hurry(film(...Array.from({ length: n }, () => scene())));
    expect(many(10)).toBe(1);
    expect(many(60)).toBeGreaterThan(many(40));
    expect(many(5000)).toBe(4);
  });

  it('stands still while it is paused', () => {
    const paused = reels.toggled(reels.ticked(film(scene())));
    expect(reels.lasting(paused, 'normal')).toBeNull();
    expect(place(reels.toggled(paused))).toEqual([0, 1, false]);
  });

  it('goes a scene back, to a still of it', () => {
    const reel = reels.finished(film(scene(), scene(), scene()));
    expect(place(reels.back(reel))).toEqual([2, 1, true]);
    expect(place(reels.back(reels.back(reel)))).toEqual([1, 1, true]);
    expect(place(reels.back(film(scene())))).toEqual([0, 1, true]);
  });

  it('repeats the scene, or from the end the whole film', () => {
    const reel = reels.ticked(reels.seek(film(scene(), scene()), 1));
    expect(place(reels.again(reel))).toEqual([1, 0, false]);
    expect(place(reels.again(reels.finished(reel)))).toEqual([0, 0, false]);
    expect(place(reels.toggled(reels.finished(reel)))).toEqual([0, 0, false]);
  });

  it('skips to the next scene with own units, else to the end', () => {
    const reel = film(scene(true), scene(), scene(), scene(true), scene());
    const next = reels.skipped(reel);
    expect(place(next)).toEqual([3, 0, false]);
    expect(reels.ended(reels.skipped(next))).toBe(true);
    expect(place(reels.skipped(reels.toggled(reel)))).toEqual([3, 0, false]);
  });

  it('stops for a question at the scene that led to it, shown whole', () => {
    expect(place(reels.stopped(film(scene(), scene(), scene())))).toEqual([2, 1, true]);
    const shown = reels.finished(film(scene()));
    expect(reels.stopped(shown)).toEqual(shown);
  });
});
