import { beforeEach, describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { GameEvent } from '../protocol';
import { March } from './march.svelte';

const step = (n: number) => ({ type: 'Move', n });
let game: ReturnType<typeof table>;
let march: March;

/** A table on which every decision is taken and brings the next position at once. */
function table() {
  return {
    side: 'german',
    asked: true,
    log: [] as GameEvent[],
    table: { position: 0, result: null },
    played: [] as object[],
    said: [] as string[],
    /** What happens on a decision. */
    happens: (_n: number): void => {},
    nextTable: () => Promise.resolve(),
    say: (title: string) => game.said.push(title),
    decisions: {
      sendPlay: (action: object) => {
        game.played.push(action);
        game.table.position++;
        game.happens(game.played.length);
        return Promise.resolve(true);
      },
    },
  };
}

beforeEach(() => {
  game = table();
  march = new March(game as unknown as Game);
});

describe('a plan', () => {
  it('is played step by step until it is done', async () => {
    await march.playPlan([step(1), step(2)]);
    expect(game.played).toEqual([step(1), step(2)]);
    expect(march.plan).toBeNull();
    expect(march.underWay).toBe(0);
  });

  it('ends when something happens that it did not foresee', async () => {
    const loss = { kind: 'eliminated', side: null, dice: [], text: '', rule: null } as unknown as GameEvent;
    game.happens = () => void game.log.push(loss);
    await march.playPlan([step(1), step(2)]);
    expect(game.played).toEqual([step(1)]);
    expect(game.said).toHaveLength(1);
  });

  it('ends when the player leaves the rest, or decides something else', async () => {
    game.happens = () => march.stopPlan();
    await march.playPlan([step(1), step(2)]);
    expect(game.played).toEqual([step(1)]);
    game.happens = (n) => n === 2 && march.halt();
    await march.playPlan([step(3), step(4)]);
    expect(game.played).toEqual([step(1), step(3)]);
  });

  it('waits while the other side decides something, and goes on afterwards', async () => {
    game.happens = () => (game.side = 'soviet');
    game.nextTable = () => {
      march.halt();
      game.side = 'german';
      return Promise.resolve();
    };
    await march.playPlan([step(1), step(2)]);
    expect(game.played).toEqual([step(1), step(2)]);
  });
});
