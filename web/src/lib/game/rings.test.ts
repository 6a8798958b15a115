import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import { Rings } from './rings.svelte';

const BANDS = { bands: [{ to: 6000 }] };

/** A free table whose server answers so; `more` replaces some of its state. */
function rings(answer: () => Promise<unknown>, more: object = {}) {
  const asked: object[] = [];
  const game = {
    ground: { measures: true, grip: {} },
    past: { moment: null },
    position: 1,
    seat: { socket: { ask: (message: object) => (asked.push(message), answer()) } },
    ...more,
  };
  return { asked, game, rings: new Rings(game as unknown as Game) };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('the rings round a stand', () => {
  it('lie there until they are wanted no more', async () => {
    const { rings: round, asked } = rings(() => Promise.resolve(BANDS));
    round.toggle('tank');
    expect([round.of, round.asked]).toEqual(['tank', true]);
    await settled();
    expect([round.fire, round.asked]).toEqual([BANDS, false]);
    round.toggle('tank');
    expect([round.of, round.fire]).toEqual([null, null]);
    expect(asked).toEqual([{ type: 'around', unit: 'tank' }]);
  });

  it('go over to another stand', () => {
    const { rings: round } = rings(() => Promise.resolve(BANDS));
    round.toggle('tank');
    round.toggle('gun');
    expect(round.of).toBe('gun');
  });

  it('lie there without its fire where the server knows nothing of it', async () => {
    const { rings: round } = rings(() => Promise.reject(new Error('unknown')));
    round.toggle('tank');
    await settled();
    expect([round.of, round.fire, round.asked]).toEqual(['tank', null, false]);
  });

  it('are none where nothing is measured', () => {
    const { rings: round } = rings(() => Promise.resolve(BANDS), { ground: { measures: false } });
    round.toggle('tank');
    expect(round.of).toBeNull();
  });

  it('do not take the answer about an old position', async () => {
    const { rings: round, game } = rings(() => Promise.resolve(BANDS));
    round.toggle('tank');
    game.position = 2;
    await settled();
    expect(round.fire).toBeNull();
  });
});
