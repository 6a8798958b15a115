import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Unit } from '../protocol';
import { Formation } from './formation.svelte';

const units = new Map(
  ['a', 'b', 'c'].map((id) => [id, { id, place: '1,1', carrier: id === 'c' ? 'b' : null } as Unit]),
);

/** A table that is asked, with some of its state replaced. */
function formation(state: object, actors = ['a', 'b', 'c']): Formation {
  const game = {
    asked: true,
    desk: { sheet: null },
    view: {},
    ground: {},
    table: {},
    offer: { actors },
    units,
  };
  return new Formation({ ...game, ...state } as unknown as Game);
}

describe('what several units can do at once', () => {
  it('is nothing while the side is not asked', () => {
    expect(formation({ asked: false, ground: { grip: {} } }).joint).toBeNull();
    expect(formation({}).joint).toBeNull();
  });

  it('is to move where stands are taken up, or where the question says so', () => {
    expect(formation({ ground: { grip: {} } }).joint).toBe('moves');
    expect(formation({ table: { prompt: { together: true } } }).joint).toBe('moves');
  });

  it('is to get orders before all else', () => {
    const state = { desk: { sheet: {} }, view: { designation: { units: [], roles: {} } } };
    expect(formation(state).joint).toBe('orders');
    expect(formation({ ...state, desk: { sheet: null } }).joint).toBe('roles');
  });
});

describe('those that can', () => {
  it('move can act and ride on nobody', () => {
    const moves = formation({ ground: { grip: {} } }, ['a', 'c']);
    expect(moves.together(['a', 'b', 'c'])).toEqual(['a']);
  });

  it('move are activated to move, where units are activated', () => {
    const activation = { roles: { a: 'fire', b: 'move' } };
    expect(formation({ ground: { grip: {} }, view: { activation } }).together(['a', 'b'])).toEqual(['b']);
  });

  it('take a role have none yet', () => {
    const designation = { units: ['a', 'b'], roles: { a: 'fire' } };
    expect(formation({ view: { designation } }).together(['a', 'b', 'c'])).toEqual(['b']);
  });
});

it('a unit joins by one press and leaves by the next', () => {
  const group = formation({});
  group.toggle('a');
  group.toggle('b');
  group.toggle('a');
  expect(group.members).toEqual(['b']);
});

it('each of a group on hexes is led only where it can go', async () => {
  const way = (place: string, from: number) => ({
    place,
    steps: [{ type: 'Move' }],
    fire: [],
    path: [`${from}`, place],
  });
  const reaches: Record<string, object[]> = { a: [way('3', 0)], b: [way('2', 1), way('3', 1)] };
  const lattice = {
    apart: (one: string, other: string) => Math.abs(Number(one) - Number(other)),
    shifted: (place: string, from: string, to: string) => `${Number(place) + Number(to) - Number(from)}`,
  };
  const group = formation({
    ask: ({ unit }: { unit: string }) => Promise.resolve({ places: reaches[unit] }),
    ground: { lattice, grip: {} },
    march: { underWay: 0 },
    reach: { unit: 'a', route: way('3', 0) },
    stand: { pickUp: () => {} },
    units: new Map(['0', '1'].map((place, i) => ['ab'[i], { id: 'ab'[i], place, carrier: null }])),
  });
  group.gather(['a', 'b']);
  group.manner = 'keep';
  // Before anything is known of it, b would go as far as a does: to a place that is closed to it.
  expect([...group.wished.values()].sort()).toEqual(['3', '4']);
  await new Promise((done) => setTimeout(done));
  expect(Object.fromEntries(group.wished)).toEqual({ a: '3', b: '3' });
});
