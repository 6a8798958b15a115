import { describe, expect, it } from 'vitest';
import { lossesByTurn, luckBySide, verdict, overall } from './luck';
import type { GameEvent, Unit } from './protocol';

const event = (n: number, side: string, die: number, result: string, chances: Record<string, string>) =>
  ({
    n,
    turn: 1,
    side,
    kind: 'fired',
    units: [],
    dice: [die],
    calculation: {
      chances: Object.entries(chances).map(([r, chance]) => ({ result: r, chance })),
      rolled: [die],
      result,
    },
  }) as unknown as GameEvent;

const half = { X: '1/3', D: '1/6', none: '1/2' };

describe('luck', () => {
  it('sets what was rolled beside what was to be expected', () => {
    // Four rolls with 1/2 each: none and all come in 1 of 16 games each, too often to be rare.
    const log = [
      event(1, 'red', 1, 'X', half),
      event(3, 'red', 2, 'X', half),
      event(5, 'red', 3, 'D', half),
      event(7, 'red', 6, 'none', half),
    ];
    const { effects, kills } = luckBySide(log).get('red')!;
    expect(effects).toMatchObject({ rolls: 4, had: 3, expected: 2 });
    expect([effects.low, effects.high]).toEqual([0, 4]);
    expect(kills.had).toBe(2);
    expect(kills.expected).toBeCloseTo(4 / 3);
    // Four of four at 1/3 come in 1 of 81 games.
    expect([kills.low, kills.high]).toEqual([0, 3]);
  });

  it('belongs to who rolled', () => {
    const found = luckBySide([event(1, 'red', 1, 'X', half), event(2, 'blue', 6, 'none', half)]);
    expect([...found].map(([side, luck]) => [side, luck.effects.had])).toEqual([
      ['red', 1],
      ['blue', 0],
    ]);
  });

  it('of one roll with two subjects spreads wider than of two rolls', () => {
    const one = luckBySide([event(1, 'red', 4, 'none', half), event(2, 'red', 4, 'none', half)]).get('red')!;
    const two = luckBySide([event(1, 'red', 4, 'none', half), event(9, 'red', 4, 'none', half)]).get('red')!;
    expect([one.effects.low, one.effects.high]).toEqual([0, 2]);
    expect(two.effects.high).toBe(2);
    expect(verdict({ rolls: 9, had: 1, expected: 4, low: 1.5, high: 6.5 })).toBe('unluckier');
    expect(verdict({ rolls: 9, had: 7, expected: 4, low: 1.5, high: 6.5 })).toBe('luckier');
    expect(verdict(one.effects)).toBe('usual');
  });

  it('of one roll says nothing: what comes in 1 of 6 games is usual', () => {
    const one = luckBySide([event(1, 'red', 1, 'D', { D: '1/6', none: '5/6' })]).get('red')!;
    expect(verdict(one.effects)).toBe('usual');
  });

  it('is measured exactly', () => {
    // Six rolls at 1/2: none or all in 1 of 64 games each, which is rare.
    const log = Array.from({ length: 6 }, (_, i) => event(2 * i, 'red', i, 'none', half));
    const { effects } = luckBySide(log).get('red')!;
    expect([effects.low, effects.high, verdict(effects)]).toEqual([1, 5, 'unluckier']);
    // Three rolls with two subjects each stand and fall together: none in 1 of 8 games, which is not.
    const pairs = Array.from({ length: 6 }, (_, i) =>
      event(i + Math.floor(i / 2), 'red', Math.floor(i / 2), 'none', half),
    );
    expect(verdict(luckBySide(pairs).get('red')!.effects)).toBe('usual');
  });

  it('leaves out what needed no dice', () => {
    const plain = { ...event(1, 'red', 1, 'X', half), dice: [], calculation: null };
    expect(luckBySide([plain]).size).toBe(0);
  });
});

describe('losses', () => {
  it('are counted by turn and side', () => {
    const units = new Map([
      ['a', { side: 'red' } as Unit],
      ['b', { side: 'blue' } as Unit],
    ]);
    const gone = (turn: number, ...ids: string[]) =>
      ({ kind: 'eliminated', turn, units: ids }) as unknown as GameEvent;
    const found = lossesByTurn([gone(1, 'a'), gone(3, 'b'), gone(3, 'a', 'x')], units);
    expect([...found].map(([turn, lost]) => [turn, Object.fromEntries(lost)])).toEqual([
      [1, { red: 1 }],
      [3, { blue: 1, red: 1 }],
    ]);
  });
});

describe('checks', () => {
  const check = (n: number, result: string) => ({
    ...event(n, 'red', 3, result, { holds: '1/2', disrupted: '1/2' }),
    kind: 'morale',
  });

  it('are no effects: a passed one is counted by itself', () => {
    const luck = luckBySide([check(1, 'holds'), check(3, 'disrupted'), event(5, 'red', 6, 'none', half)]).get(
      'red',
    )!;
    expect(luck.effects).toMatchObject({ rolls: 1, had: 0 });
    expect(luck.checks).toMatchObject({ rolls: 2, had: 1, expected: 1 });
  });

  it('leave other rolls out, such as those for orders', () => {
    const orders = { ...event(1, 'red', 3, '2', { 1: '1/2', 2: '1/2' }), kind: 'orders' };
    const luck = luckBySide([orders]).get('red')!;
    expect([luck.effects.rolls, luck.checks.rolls]).toEqual([0, 0]);
  });
});

describe('all kinds of rolls together', () => {
  const kind = (had: number) => ({ rolls: 10, had, expected: 5, low: 2, high: 8 });

  it('are as usual only if each of them is', () => {
    expect(overall([kind(5), kind(8)])).toBe('usual');
    expect(overall([kind(5), kind(9)])).toBe('luckier');
    expect(overall([kind(1), kind(5)])).toBe('unluckier');
    expect(overall([kind(1), kind(9)])).toBe('mixed');
  });
});
