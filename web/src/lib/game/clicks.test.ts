import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice, Place } from '../protocol';
import { Clicks } from './clicks.svelte';

const fire = (unit: string, target: string) =>
  ({
    kind: 'fire',
    units: [unit, target],
    places: [],
    action: { type: 'Fire', unit, target },
    confirm: true,
  }) as unknown as Choice;
const move = (unit: string, place: Place) =>
  ({
    kind: 'move',
    units: [unit],
    places: [place],
    action: { type: 'Move', unit, to: place },
  }) as unknown as Choice;

const PLACES: Record<string, Place> = { a: '0101', b: '0102', x: '0105', y: '0106' };

/** The Germans a and b, the Soviets x and y, and these choices, all of them known. */
function table(choices: Choice[], more: object = {}) {
  const seen = { asked: [] as object[], played: [] as Choice[], reached: [] as string[] };
  const units = new Map(
    Object.entries(PLACES).map(([id, place]) => [id, { id, place, side: id < 'm' ? 'german' : 'soviet' }]),
  );
  const game = {
    ahead: { aimed: null, keep: () => false },
    ask: (message: object) => {
      seen.asked.push(message);
      return Promise.resolve({ meant: [{ label: 'Fire', text: 'Out of range', rule: '9.5' }] });
    },
    asked: true,
    calculations: { preview: () => {} },
    decisions: { play: (choice: Choice) => seen.played.push(choice) },
    desk: { has: () => false, sheet: null },
    film: { release: () => {} },
    formation: { clear: () => {}, has: () => false },
    inspected: null as string | null,
    lit: new Set<string>(),
    los: { tool: null as object | null, click: (place: string) => seen.reached.push(`los ${place}`) },
    next: { isChosen: false },
    offer: { actors: [], choices, known: 'all', regionsOf: () => [], unread: () => null },
    position: 1,
    reach: {
      ask: () => {},
      asked: null,
      click: (place: string) => seen.reached.push(place),
      goal: null,
      places: new Map<string, object>(),
      tooFar: (): { unit: string; away: number; most: number; rule: string | null } | null => null,
    },
    said: [] as string[],
    say: (_: string, text: string, rule: string | null) => game.said.push(rule ? `${text} [${rule}]` : text),
    saying: null as { lines: object[] } | null,
    stand: { ghost: null },
    table: { choices },
    tape: { inHand: null },
    tray: { goOn: () => {}, pile: () => [] },
    units,
    view: { activation: null, building: null },
    ...more,
  };
  return { clicks: new Clicks(game as unknown as Game), game, seen };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('a click on a unit', () => {
  it('chooses it, and a second one lets it go', () => {
    const { clicks } = table([fire('a', 'x'), fire('a', 'y')]);
    clicks.unit('a');
    expect(clicks.units).toEqual(['a']);
    clicks.unit('a');
    expect(clicks.units).toEqual([]);
  });

  it('lights what it may fire at, and only that', () => {
    const { clicks } = table([fire('a', 'x'), fire('b', 'y')]);
    clicks.unit('a');
    expect([...clicks.glow.units].sort()).toEqual(['a', 'x']);
    clicks.unit('x');
    expect(clicks.left).toEqual([fire('a', 'x')]);
    expect(clicks.primary).toEqual(fire('a', 'x'));
  });

  it('goes over to another that can act', () => {
    const { clicks } = table([fire('a', 'x'), fire('b', 'y')]);
    clicks.unit('a');
    clicks.unit('b');
    expect(clicks.units).toEqual(['b']);
  });

  it('with which nothing can be done asks why', async () => {
    const { clicks, game, seen } = table([fire('a', 'x')]);
    clicks.unit('y');
    await settled();
    expect(seen.asked).toEqual([{ type: 'why', unit: 'y', place: '0106' }]);
    expect(game.saying?.lines).toEqual([{ label: 'Fire', text: 'Out of range', rule: '9.5' }]);
    expect(game.inspected).toBe('y');
  });

  it('of the enemy that only others can fire at offers those, and tells why the chosen one cannot', async () => {
    const { clicks, game, seen } = table([fire('a', 'x'), fire('b', 'y')], { side: 'german' });
    clicks.unit('a');
    clicks.unit('y');
    await settled();
    expect(clicks.left).toEqual([fire('b', 'y')]);
    expect(seen.asked).toEqual([{ type: 'why', unit: 'a', place: '0106' }]);
    expect(game.saying?.lines).toEqual([{ label: 'Fire', text: 'Out of range', rule: '9.5' }]);
  });

  it('of the enemy that nobody can fire at tells why the chosen one cannot', async () => {
    const { clicks, seen } = table([fire('a', 'x')], { side: 'german' });
    clicks.unit('a');
    clicks.unit('y');
    await settled();
    expect(seen.asked).toEqual([{ type: 'why', unit: 'a', place: '0106' }]);
  });

  it('of one’s own side asks nothing when it takes the place of the chosen one', async () => {
    const { clicks, seen } = table([fire('a', 'x'), fire('b', 'y')], { side: 'german' });
    clicks.unit('a');
    clicks.unit('b');
    await settled();
    expect(seen.asked).toEqual([]);
  });

  it('means its place where the chosen unit can go there', () => {
    const { clicks, game, seen } = table([move('a', '0103')]);
    clicks.unit('a');
    game.reach.places.set('0106', {});
    clicks.unit('y');
    expect(seen.reached).toEqual(['0106']);
  });
});

describe('a click on a place', () => {
  it('in reach sets it as the goal', () => {
    const { clicks, game, seen } = table([move('a', '0103')]);
    game.reach.places.set('0103', {});
    clicks.place('0103');
    expect(seen.reached).toEqual(['0103']);
  });

  it('that is too far for a group is told in one sentence, without asking the server', async () => {
    const { clicks, game, seen } = table([move('a', '0103')]);
    clicks.unit('a');
    game.reach.tooFar = () => ({ unit: 'a', away: 9, most: 3, rule: '5.1' });
    clicks.place('0110');
    await settled();
    expect(seen.asked).toEqual([]);
    expect(game.said).toHaveLength(1);
    expect(game.said[0]).toMatch(/9 .*3.* \[5\.1\]$/);
  });

  it('is looked at from the chosen place while the line of sight is wanted', () => {
    const { clicks, game, seen } = table([move('a', '0103')]);
    game.los.tool = {};
    clicks.place('0103');
    expect(seen.reached).toEqual(['los 0103']);
  });

  it('is only pointed out while another side is asked', () => {
    const { clicks, game, seen } = table([], { asked: false });
    clicks.place('0103');
    expect([...game.lit]).toEqual(['0103']);
    expect(seen.asked).toEqual([]);
  });
});

it('what was clicked is forgotten with the position', () => {
  const { clicks } = table([fire('a', 'x'), fire('a', 'y')]);
  clicks.unit('a');
  clicks.forget();
  expect(clicks.made).toEqual([]);
});
