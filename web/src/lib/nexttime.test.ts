import { describe, expect, it } from 'vitest';
import { offersFrom } from './nexttime';
import type { Choice, Orders } from './protocol';

const ORDERS: Orders = {
  fire: 'ask',
  at: 'all',
  least_chance: 34,
  within: 0,
  again: 'nearer',
  most: 10,
  units: { gun: 'never' },
};
const shot = (firer: string): Choice =>
  ({
    action: { type: 'Shoot', units: [firer], target: 't' },
    kind: 'react',
    units: [firer, 't'],
  }) as unknown as Choice;

describe('orders from a question', () => {
  it('ask no more where the chance is no better', () => {
    const [offer] = offersFrom(ORDERS, [shot('a')], 40);
    expect(offer).toEqual({ kind: 'chance', percent: 41, orders: { ...ORDERS, least_chance: 41 } });
    expect(offersFrom(ORDERS, [shot('a')], 100)[0]).toMatchObject({ percent: 100 });
    expect(offersFrom(ORDERS, [], 0).map((o) => o.kind)).toEqual(['always', 'never']);
  });

  it('silence a unit that could fire, and leave the others as they are', () => {
    const units = offersFrom(ORDERS, [shot('a'), shot('a'), shot('b')], 0).filter((o) => o.kind === 'unit');
    expect(units.map((o) => o.orders.units)).toEqual([
      { gun: 'never', a: 'never' },
      { gun: 'never', b: 'never' },
    ]);
    // A whole battalion is not named one by one.
    const many = ['a', 'b', 'c', 'd'].map(shot);
    expect(offersFrom(ORDERS, many, 0).some((o) => o.kind === 'unit')).toBe(false);
  });

  it('fire always, or never', () => {
    const fire = offersFrom(ORDERS, [shot('a')], 0).map((o) => o.orders.fire);
    expect(fire).toEqual(['ask', 'always', 'never']);
  });
});
