import { describe, expect, it } from 'vitest';
import type { ScenarioInfo } from './protocol';
import {
  ANY,
  balanceOf,
  titleOfBook,
  firstSteps,
  lengthOf,
  sidesOf,
  byName,
  sizeOf,
  sorted,
  wanted,
} from './shelf';

function scenario(id: string, change: Partial<ScenarioInfo> & { units?: number } = {}): ScenarioInfo {
  const { units = 10, ...rest } = change;
  return {
    id,
    ruleset: 'book',
    title: id,
    summary: '',
    turns: 8,
    difficulty: 2,
    themes: [],
    sides: [
      { id: 'german', name: 'German', units },
      { id: 'soviet', name: 'Soviet', units },
    ],
    boards: [],
    balance: null,
    ...rest,
  };
}

describe('the shelf of scenarios', () => {
  it('puts the easiest first, and of those the shortest', () => {
    const all = [
      scenario('hard', { difficulty: 3, turns: 1 }),
      scenario('long', { difficulty: 1, turns: 12 }),
      scenario('short', { difficulty: 1, turns: 4 }),
    ];
    expect(sorted(all).map((s) => s.id)).toEqual(['short', 'long', 'hard']);
  });

  it('gives each rulebook its title', () => {
    const titles = new Map([['panzerblitz-miniatures', 'Panzer Blitz for Miniatures']]);
    expect(titleOfBook(titles, 'panzerblitz-miniatures')).toBe('Panzer Blitz for Miniatures');
    expect(titleOfBook(titles, 'unknown')).toBe('unknown');
  });

  it('begins each book with its first scenario, however they are filtered', () => {
    const all = [
      scenario('b', { turns: 9 }),
      scenario('a'),
      scenario('c', { ruleset: 'other', difficulty: 3 }),
    ];
    expect([...firstSteps(all)].sort()).toEqual(['a', 'c']);
  });

  it('measures a game by the turns of all its units', () => {
    expect(lengthOf(scenario('x', { turns: 5, units: 22 }))).toBe('short');
    expect(lengthOf(scenario('x', { turns: 5, units: 23 }))).toBe('evening');
    expect(lengthOf(scenario('x', { turns: 20, units: 16 }))).toBe('long');
    expect([12, 25, 26].map((units) => sizeOf(scenario('x', { units })))).toEqual([
      'small',
      'medium',
      'large',
    ]);
  });

  it('filters by everything at once', () => {
    const river = scenario('river', { themes: ['river', 'night'] });
    expect(wanted(river, ANY)).toBe(true);
    expect(wanted(river, { ...ANY, theme: 'night', side: 'soviet', size: 'small', length: 'short' })).toBe(
      true,
    );
    expect(wanted(river, { ...ANY, theme: 'desert' })).toBe(false);
    expect(wanted(river, { ...ANY, side: 'french' })).toBe(false);
    expect(wanted(river, { ...ANY, ruleset: 'other' })).toBe(false);
    expect(wanted(river, { ...ANY, length: 'long' })).toBe(false);
    expect(wanted(river, { ...ANY, size: 'large' })).toBe(false);
  });

  it('offers what there is to look for, once', () => {
    const all = [
      scenario('a', { themes: ['river', 'night'] }),
      scenario('b', { themes: ['attack', 'river'] }),
    ];
    expect([...sidesOf(all)]).toEqual([
      ['german', 'German'],
      ['soviet', 'Soviet'],
    ]);
    const words = new Map([
      ['attack', 'Überfall'],
      ['night', 'Nacht'],
      ['river', 'Wüste'],
    ]);
    const themes = all.flatMap((s) => s.themes);
    const inOrder = byName(themes, (id) => words.get(id) ?? id, 'de');
    expect(inOrder.map(([, name]) => name)).toEqual(['Nacht', 'Überfall', 'Wüste']);
  });
});

describe('the balance of a scenario', () => {
  const measured = { games: 40, draws: 3 };

  it('has the games that each side has won, and the draws', () => {
    const balance = { soviet: 57.5, german: 35, measured };
    expect(balanceOf(scenario('even', { balance }))).toEqual({
      games: 40,
      draws: 3,
      sides: [
        { id: 'german', name: 'German', share: 0.35, won: 14 },
        { id: 'soviet', name: 'Soviet', share: 0.575, won: 23 },
      ],
    });
  });

  it('is unknown unless each side was measured', () => {
    expect(balanceOf(scenario('new'))).toBeNull();
    expect(balanceOf(scenario('half', { balance: { german: 40, measured } }))).toBeNull();
  });
});
