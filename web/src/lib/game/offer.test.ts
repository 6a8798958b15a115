import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice, Region } from '../protocol';
import { Offer } from './offer.svelte';

const choice = (unit: string) =>
  ({ kind: 'move', units: [unit], places: [], action: { type: 'Move', unit } }) as unknown as Choice;
const region = (unit: string, more: object) =>
  ({
    unit,
    kind: '',
    open: [],
    box: [0, 0, 1, 1],
    action: { type: 'Move', unit },
    ...more,
  }) as unknown as Region;

/** An offer of a table that tells only part of the choices, and the questions that were asked of the server. */
function partOffer(answer: { choices: Choice[]; regions: Region[] }) {
  const asked: object[] = [];
  const game = {
    asked: true,
    position: 1,
    past: { moment: null },
    desk: { sheet: null },
    clicks: { made: [] },
    side: 'german',
    units: new Map([
      ['a', { id: 'a', side: 'german' }],
      ['x', { id: 'x', side: 'soviet' }],
    ]),
    table: { whole: false, choices: [], actors: ['a'] },
    ask: (message: object) => (asked.push(message), Promise.resolve(answer)),
  };
  return { game, asked, offer: new Offer(game as unknown as Game) };
}

describe('what can be done with a unit', () => {
  it('is asked for once', async () => {
    const { offer, asked } = partOffer({ choices: [choice('a')], regions: [] });
    const [first, second] = [offer.unread({ unit: 'a' }), offer.unread({ unit: 'a' })];
    expect(second).toBe(first);
    await first;
    expect(asked).toEqual([{ type: 'choices', unit: 'a' }]);
    expect(offer.choices).toEqual([choice('a')]);
    expect(offer.unread({ unit: 'a' })).toBeNull();
  });

  it('is asked for as a target where it is an enemy', () => {
    const { offer, asked } = partOffer({ choices: [], regions: [] });
    void offer.unread({ unit: 'x' });
    expect(asked).toEqual([{ type: 'choices', target: 'x' }]);
  });

  it('is not added where the position has changed meanwhile', async () => {
    const { offer, game } = partOffer({ choices: [choice('a')], regions: [] });
    const reading = offer.unread({ unit: 'a' });
    game.position = 2;
    await reading;
    expect(offer.choices).toEqual([]);
  });

  it('is all known once everything was asked for', async () => {
    const { offer } = partOffer({ choices: [choice('a')], regions: [] });
    offer.readAll();
    await Promise.resolve();
    await Promise.resolve();
    expect(offer.known).toBe('all');
    offer.forget();
    expect(offer.known).toBe('some');
  });
});

it('to go somewhere comes before all else that a stand can do', () => {
  const { offer } = partOffer({ choices: [], regions: [] });
  const turn = region('a', { kind: 'turn', open: ['facing'] });
  const aim = region('a', { kind: 'fire', open: ['to'] });
  const move = region('a', { kind: 'move', open: ['to', 'facing'] });
  offer.regions = [turn, aim, region('b', { kind: 'move' })];
  expect(offer.regionOf('a')).toBe(aim);
  offer.regions = [turn, aim, move];
  expect(offer.regionOf('a')).toBe(move);
  expect(offer.regionOf('c')).toBeUndefined();
});
