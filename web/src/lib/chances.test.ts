import { describe, expect, it } from 'vitest';
import { anyEffect, barsOf } from './chances';
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
});
