import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import { Past } from './past.svelte';

const MOMENTS = [0, 1, 2, 3].map((n) => ({ turn: 1, side: 'german', step: 'move', log: n * 2 }));

/** A running game of four moments; answers about moments wait for `answer` where `slow`. */
function game(slow = false) {
  const asked: { type: string; n?: number }[] = [];
  const waiting: (() => void)[] = [];
  const answer = ({ type, n }: { type: string; n?: number }) =>
    type === 'moments'
      ? { moments: MOMENTS }
      : { n, last: MOMENTS.length - 1, log: (n ?? 0) * 2, side: null };
  const table = {
    ask: (message: { type: string; n?: number }) => {
      asked.push(message);
      const told = answer(message);
      if (!slow || message.type === 'moments') return Promise.resolve(told);
      return new Promise((done) => waiting.push(() => done(told)));
    },
    clicks: { made: [{ unit: 'a' }] as object[] },
    fresh: () => {},
    isRecord: false,
    lit: new Set(),
    log: MOMENTS.flatMap((_, n) => [{ places: [`0${n}01`] }, { places: [`0${n}02`] }]),
    los: { tool: {} as object | null },
    reach: { forget: () => {} },
    saying: null,
    seat: {},
    table: { result: null },
  };
  return { asked, past: new Past(table as unknown as Game), table, waiting };
}

const settled = () => new Promise((done) => setTimeout(done));
const looked = (asked: { type: string; n?: number }[]) =>
  asked.flatMap(({ type, n }) => (type === 'moment' ? [n] : []));

describe('looking back', () => {
  it('puts a moment on the table, and nothing that was begun stays there', async () => {
    const { past, table } = game();
    await past.lookAt(1);
    expect(past.moment?.n).toBe(1);
    expect([table.clicks.made, table.los.tool]).toEqual([[], null]);
    // The entry that came last before it.
    expect([...table.lit]).toEqual(['0002']);
  });

  it('goes back from now by a step, and no further than the beginning', async () => {
    const { past, asked } = game();
    await past.step(-1);
    await past.step(-1);
    await past.step(-1);
    await past.step(-1);
    expect(looked(asked)).toEqual([2, 1, 0, 0]);
  });

  it('comes back to now beyond the last moment', async () => {
    const { past } = game();
    await past.step(-1);
    await past.step(1);
    expect(past.moment).toBeNull();
  });

  it('of several moments shows only the last that was wanted', async () => {
    const { past, asked, waiting } = game(true);
    const looks = [past.lookAt(0), past.lookAt(1), past.lookAt(2)];
    await settled();
    waiting.shift()!();
    await settled();
    waiting.shift()!();
    await Promise.all(looks);
    expect(looked(asked)).toEqual([0, 2]);
    expect(past.moment?.n).toBe(2);
  });

  it('does not go back where the player has gone on to now meanwhile', async () => {
    const { past, waiting } = game(true);
    const look = past.lookAt(1);
    await settled();
    past.toNow();
    waiting.shift()!();
    await look;
    expect(past.moment).toBeNull();
  });

  it('finds the moment after an entry of the log', async () => {
    const { past } = game();
    await past.lookAtEvent(3);
    expect(past.moment?.n).toBe(2);
  });
});
