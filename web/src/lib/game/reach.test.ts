import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Action, ReachAnswer, ReachPlace } from '../protocol';
import { Reach } from './reach.svelte';

/** A way to a place of a line of hexes that are called by their numbers, from 0. */
const way = (place: string, fire: Record<string, string[]> = {}): ReachPlace => ({
  place,
  cost: 1,
  left: 0,
  path: Array.from({ length: Number(place) + 1 }, (_, i) => String(i)),
  steps: [{ type: 'Move', to: place } as Action],
  fire: fire[place] ?? [],
});

/** A tank on hex 0 of that line, in a group that moves together. */
function line(more: object = {}) {
  const played: unknown[] = [];
  const game = {
    about: { askGroup: () => {} },
    ask: () => Promise.resolve({ places: [way('1'), way('2')], rule: '5.1' } as ReachAnswer),
    clicks: { units: ['tank'], left: [{ kind: 'move', units: ['tank'] }] },
    decisions: { playAction: (...all: unknown[]) => played.push(all) },
    formation: { joint: 'moves', has: (unit: string) => unit === 'tank', wished: new Map() },
    ground: { lattice: { apart: (a: string, b: string) => Math.abs(Number(a) - Number(b)) } },
    hoverPlace: null,
    next: {},
    saying: null,
    stand: { haunt: () => {} },
    units: new Map([['tank', { id: 'tank', place: '0' }]]),
    ...more,
  };
  return { played, reach: new Reach(game as unknown as Game) };
}

async function known(reach: Reach): Promise<void> {
  reach.ask();
  await reach.asked;
}

describe('where a unit can go', () => {
  it('is asked for and kept until another unit is chosen', async () => {
    const { reach } = line();
    await known(reach);
    expect([...reach.places.keys()]).toEqual(['1', '2']);
    reach.forget();
    expect([reach.places.size, reach.unit]).toEqual([0, null]);
  });

  it('is told in what the rulebook counts, in movement points if it says nothing else', async () => {
    const plain = line().reach;
    await known(plain);
    const factors = line({ ask: () => Promise.resolve({ places: [], counted: 'factors' }) }).reach;
    await known(factors);
    expect([plain.counted, factors.counted]).toEqual(['points', 'factors']);
  });

  it('is not asked for a unit that cannot move', () => {
    const { reach } = line({ clicks: { units: ['tank'], left: [{ kind: 'fire', units: ['tank'] }] } });
    reach.ask();
    expect(reach.asked).toBeNull();
  });

  it('is gone to by a second click on the goal', async () => {
    const { reach, played } = line();
    await known(reach);
    reach.click('2');
    expect([reach.goal, played]).toEqual(['2', []]);
    reach.click('2');
    expect(played).toEqual([[{ type: 'Move', to: '2' }, []]]);
  });
});

describe('a place that is too far for a group', () => {
  it('is told with its distance and the farthest place in reach', async () => {
    const { reach } = line();
    await known(reach);
    expect(reach.tooFar('7')).toEqual({ unit: 'tank', away: 7, most: 2, rule: '5.1' });
    expect(reach.tooFar('2')).toBeNull();
  });

  it('is no matter of distance for a unit alone, or before the reach is known', async () => {
    const { reach } = line();
    expect(reach.tooFar('7')).toBeNull();
    const alone = line({ formation: { joint: 'moves', has: () => false, wished: new Map() } }).reach;
    await known(alone);
    expect(alone.tooFar('7')).toBeNull();
  });
});
