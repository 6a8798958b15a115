import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Token } from '../narrow';
import { ClicksAhead } from './ahead.svelte';

/** The Germans' table while a decision is on its way. */
function table() {
  const chosen: [string, Token | null][] = [];
  const clicked: string[] = [];
  const aimed: [Token, boolean][] = [];
  const game = {
    asked: true,
    clicks: {
      made: [],
      narrowTo: (token: Token, isAhead: boolean) => aimed.push([token, isAhead]),
      stopsFor: () => null,
      unit: (id: string) => clicked.push(id),
    },
    decisions: { busy: true, presses: { again: false } },
    next: { choose: (unit: string, aim: Token | null) => chosen.push([unit, aim]), found: () => null },
    offer: { actors: ['a', 'b'], choices: [], reaction: false, unread: () => null },
    position: 1,
    reach: { asked: null, goal: null, places: new Map() },
    side: 'german',
    table: { prompt: { step: 'move' }, view: { turn: 1, current: 'german' } },
    units: new Map(['a', 'b', 'x'].map((id) => [id, { id, side: id === 'x' ? 'soviet' : 'german' }])),
    view: { building: null as object | null },
  };
  return { ahead: new ClicksAhead(game as unknown as Game), aimed, chosen, clicked, game };
}

describe('a click while a decision is on its way', () => {
  it('waits for the answer, and then chooses the unit and its aim', () => {
    const { ahead, chosen } = table();
    expect(ahead.keep({ unit: 'b' })).toBe(true);
    expect(ahead.keep({ place: '0304' })).toBe(true);
    ahead.goOn();
    expect(chosen).toEqual([['b', { place: '0304' }]]);
    ahead.goOn();
    expect(chosen).toHaveLength(1);
  });

  it('adds the unit to the attack that is being built', () => {
    const { ahead, clicked, game } = table();
    ahead.keep({ unit: 'b' });
    game.view.building = {};
    ahead.goOn();
    expect(clicked).toEqual(['b']);
  });

  it('in another step only aims at the unit, and decides nothing', async () => {
    const { ahead, aimed, chosen, game } = table();
    ahead.keep({ unit: 'b' });
    game.table.prompt.step = 'fire';
    ahead.goOn();
    await new Promise((done) => setTimeout(done));
    expect(chosen).toEqual([]);
    expect(aimed).toEqual([[{ unit: 'b' }, true]]);
  });

  it('waits on while the enemy is asked, and is forgotten in another turn', () => {
    const { ahead, chosen, game } = table();
    ahead.keep({ unit: 'b' });
    game.asked = false;
    ahead.goOn();
    expect(ahead.kept?.unit).toBe('b');
    game.table.view.turn = 2;
    ahead.goOn();
    expect([ahead.kept, chosen]).toEqual([null, []]);
  });

  it('that is the second of a double click is kept for nothing', () => {
    const { ahead, game } = table();
    game.decisions.presses.again = true;
    expect(ahead.keep({ unit: 'b' })).toBe(true);
    expect(ahead.kept).toBeNull();
  });
});

it('a click on a table that waits for nothing is made at once, and ends what was kept', () => {
  const { ahead, game } = table();
  ahead.keep({ unit: 'b' });
  game.decisions.busy = false;
  expect(ahead.keep({ unit: 'a' })).toBe(false);
  expect(ahead.kept).toBeNull();
});
