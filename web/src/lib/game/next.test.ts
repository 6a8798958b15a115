import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice, Unit } from '../protocol';
import { NextUnit } from './next.svelte';

const choice = (kind: string, unit: string) =>
  ({ kind, units: [unit], places: [], action: { type: kind, unit } }) as unknown as Choice;

/** A table of which only the actors are known so far, or these choices too. */
function table(actors: string[], choices: Choice[] = [], known = 'some') {
  const placed: [string, Partial<Unit>][] = [
    ['a', { id: 'a', place: '0101', status: 'on the map' }],
    ['b', { id: 'b', place: null, status: 'to place' }],
  ];
  return new NextUnit({ offer: { actors, choices, known }, units: new Map(placed) } as unknown as Game);
}

describe('the unit that must be meant', () => {
  it('is the only one that can act', () => {
    expect(table(['a']).found()).toBe('a');
    expect(table(['a', 'b']).found()).toBeNull();
  });

  it('is the one for which the last one stopped, once', () => {
    const next = table(['a', 'b']);
    next.afterStop = 'b';
    expect(next.found()).toBe('b');
    expect(next.found()).toBeNull();
  });

  it('is no unit that can do nothing any more', () => {
    const next = table(['a', 'c']);
    next.afterStop = 'b';
    expect(next.found()).toBeNull();
  });

  it('waits to be placed after another was', () => {
    const next = table(['a', 'b'], [choice('place', 'a'), choice('place', 'b')], 'all');
    expect(next.found()).toBeNull();
    next.lastKind = 'place';
    expect(next.found()).toBe('b');
  });
});
