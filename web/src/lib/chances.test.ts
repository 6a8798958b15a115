import { afterEach, describe, expect, it } from 'vitest';
import { anyEffect, barsOf, isWorst } from './chances';
import { looks } from './counters/looks.svelte';
import type { Calculation } from './protocol';

const calculation: Calculation = {
  title: 'Direct fire',
  rule: '9.5',
  lines: [],
  column: '2:1',
  modifier: 0,
  dice: '1d6',
  chances: [
    { result: 'none', chance: '1/6' },
    { result: 'D', chance: '2/6' },
    { result: 'X', chance: '1/2' },
    { result: 'DD', chance: '0' },
  ],
  rolled: null,
  result: null,
};

describe('chances', () => {
  it('puts the worst for the target first and leaves out what cannot be', () => {
    expect(barsOf(calculation).map((b) => b.weight)).toEqual(['x', 'd', 'none']);
  });

  it('adds up the chance of any effect', () => {
    expect(anyEffect(calculation)).toBe(83);
  });

  it('takes a failed check for no effect', () => {
    const check = [
      { result: 'success', chance: '3/4' },
      { result: 'failure', chance: '1/4' },
    ];
    expect(anyEffect({ ...calculation, chances: check })).toBe(75);
  });

  afterEach(() => (looks.results = {}));

  it('speaks of results in the words of the book, and adds up those that mean the same', () => {
    looks.results = { D: 'dispersed', DD: 'dispersed', X: 'destroyed', none: 'no effect' };
    const bars = barsOf({
      ...calculation,
      chances: [
        { result: 'D', chance: '1/6' },
        { result: 'DD', chance: '1/3' },
        { result: 'X', chance: '1/2' },
      ],
    });
    expect(bars.map(({ result, chance }) => [result, chance])).toEqual([
      ['destroyed', '1/2'],
      ['dispersed', '1/2'],
    ]);
  });

  it.each(['X', '2X', 'E', 'knocked out', 'brewed up', 'eliminated', 'destroyed'])(
    'knows %s as a loss',
    (code) => expect(isWorst(code)).toBe(true),
  );

  it.each(['D', 'M1', 'S', '(S)', 'enters', 'none'])('does not take %s for a loss', (code) =>
    expect(isWorst(code)).toBe(false),
  );
});
