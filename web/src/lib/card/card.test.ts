import { describe, expect, it } from 'vitest';
import type { Duel } from '../protocol';
import { armours, sharesOf, steps, wedgeOf } from './card';

describe('a data card', () => {
  it('knows the wedge that a shot comes from', () => {
    expect(wedgeOf(0, 0, 'front')).toBe(0);
    expect(wedgeOf(300, 0, 'front side')).toBe(5);
    expect(wedgeOf(60, 120, 'front side')).toBe(5);
    // On the border the angle that counts decides, not the nearer one.
    expect(wedgeOf(89, 0, 'rear side')).toBe(2);
  });

  it('holds a penetration to the end of its band', () => {
    const bands = [
      { name: 'P', distance: 2, penetration: 20 },
      { name: 'S', distance: 5, penetration: 15 },
    ];
    expect(steps({ title: '', rule: '', bands })).toEqual([
      [0, 20],
      [2, 20],
      [2, 15],
      [5, 15],
    ]);
  });

  it('names each strength of armour once', () => {
    const spot = (title: string, armor: number | null) => ({ title, chance: '1/10', armor, effects: [] });
    const duel = {
      spots: [spot('HF', 10), spot('TF', 12), spot('TK', null), spot('HS', 10)],
    } as unknown as Duel;
    expect(armours(duel)).toEqual([
      { value: 12, titles: ['TF'] },
      { value: 10, titles: ['HF', 'HS'] },
    ]);
  });

  it('shares a place among its effects, the worst first', () => {
    const spot = {
      title: 'HF',
      chance: '2/5',
      armor: 10,
      effects: [
        ['no penetration', '1/10'],
        ['knocked out', '3/10'],
      ] as [string, string][],
    };
    expect(sharesOf(spot)).toEqual([
      { effect: 'knocked out', percent: expect.closeTo(75) },
      { effect: 'no penetration', percent: expect.closeTo(25) },
    ]);
  });
});
