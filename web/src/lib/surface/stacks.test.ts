import { describe, expect, it } from 'vitest';
import type { Unit } from '../protocol';
import { pileOf } from './stacks';

const unit = (id: string, what: Partial<Unit> = {}) => ({ id, carrier: null, ...what }) as Unit;
const pile = (stack: Unit[], able: string[], lifted: string[] = []) =>
  pileOf(stack, { able: new Set(able), lifted: new Set(lifted) }).map(({ id }) => id);

describe('the counters of a stack', () => {
  const [rifles, guns, sergeant] = [unit('rifles'), unit('guns'), unit('sergeant', { rank: 'SGT' })];

  it('lie as they came, the leader above the others', () => {
    expect(pile([sergeant, rifles, guns], [])).toEqual(['rifles', 'guns', 'sergeant']);
  });

  it('show those that can act above a leader who cannot', () => {
    expect(pile([sergeant, rifles, guns], ['rifles'])).toEqual(['guns', 'sergeant', 'rifles']);
    expect(pile([sergeant, rifles, guns], ['rifles', 'sergeant'])).toEqual(['guns', 'rifles', 'sergeant']);
  });

  it('show the one that is chosen on top of all', () => {
    expect(pile([rifles, guns, sergeant], ['guns', 'sergeant'], ['rifles'])).toEqual([
      'guns',
      'sergeant',
      'rifles',
    ]);
  });

  it('keep passengers below what carries them', () => {
    const riders = unit('riders', { carrier: 'truck' });
    expect(pile([unit('truck'), riders], ['riders'], ['riders'])).toEqual(['riders', 'truck']);
  });
});
