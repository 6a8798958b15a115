import { afterEach, describe, expect, it } from 'vitest';
import { anyEffect, barsOf, effectsOf, isOwn, isWorst, wordOn } from './chances';
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

  it('tells the results that change something, for a bar without room for their words', () => {
    expect(effectsOf({ ...calculation, chances: [...calculation.chances].reverse() })).toEqual([
      'X 50 %',
      'D 33 %',
    ]);
  });

  it('takes a stand that does not fire for no effect', () => {
    const shot = [
      { result: 'E', chance: '1/2' },
      { result: '-', chance: '1/4' },
      { result: 'does not fire', chance: '1/4' },
    ];
    expect(anyEffect({ ...calculation, chances: shot })).toBe(50);
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

  it('writes a word on its part of the bar only where all of it has room', () => {
    // A small bar is 200 pixels wide and a letter of it 6 to 7: 13 letters take 85, which are 43 per cent.
    const lost = { result: 'ausgeschaltet', chance: '1/3', percent: 33, weight: 'x' } as const;
    expect([wordOn(lost, 'small'), wordOn(lost, 'wide')]).toEqual(['', 'ausgeschaltet']);
    expect(wordOn({ ...lost, percent: 50 }, 'small')).toBe('ausgeschaltet');
  });

  it('does not take what befalls the attackers for an effect on the target', () => {
    // Panzer Blitz for Miniatures at 1-4 [CRT-1, COM-13]: a morale check, then dispersed, then destroyed.
    const poor = [
      { result: 'M', chance: '1/6' },
      { result: 'AM+1', chance: '1/6' },
      { result: 'AD', chance: '1/3' },
      { result: 'AX', chance: '1/3' },
    ];
    expect(anyEffect({ ...calculation, chances: poor })).toBe(17);
    expect(barsOf({ ...calculation, chances: poor }).map((b) => b.weight)).toEqual([
      'd',
      'own',
      'own',
      'own',
    ]);
  });

  it.each(['AX', 'ADD', 'AM', 'AM+2', 'own X', 'own DD'])('knows %s as a harm to the attackers', (code) =>
    expect(isOwn(code)).toBe(true),
  );

  it.each(['X', 'D', 'M+1', 'none', 'A'])('does not take %s for one', (code) =>
    expect(isOwn(code)).toBe(false),
  );

  it('tells what suppresses from what disorganizes', () => {
    const chances = ['E', 'D', '(S)', 'S', '-'].map((result) => ({ result, chance: '1/5' }));
    expect(barsOf({ ...calculation, chances }).map((b) => b.weight)).toEqual(['x', 'd', 's', 's', 'none']);
  });

  it.each(['X', '2X', 'E', 'knocked out', 'brewed up', 'eliminated', 'destroyed'])(
    'knows %s as a loss',
    (code) => expect(isWorst(code)).toBe(true),
  );

  it.each(['D', 'M1', 'S', '(S)', 'enters', 'none'])('does not take %s for a loss', (code) =>
    expect(isWorst(code)).toBe(false),
  );
});
