import { describe, expect, it } from 'vitest';
import { canShare, counts, keyOf, kindsOf, markOn, ordersFor, sharedFor, without } from './desk';
import type { Sheet, Unit, WrittenOrder } from '../protocol';

function order(unit: string, command: string, leader: string | null = null): WrittenOrder {
  const mark = { title: command, code: command[0]!, picture: 'plate' as const };
  return { action: { type: 'Command', unit, command, leader }, label: `${unit}: ${command}`, mark, leader };
}

const sheet: Sheet = {
  units: ['a', 'b', 'c'],
  orders: { b: order('b', 'move') },
  can: {
    a: [order('a', 'move')],
    b: [order('b', 'none'), order('b', 'move'), order('b', 'fire')],
    c: [order('c', 'move'), order('c', 'fire')],
  },
  last: {},
  tallies: [],
  ties: [],
  bad: null,
};

describe('written orders', () => {
  it('knows every kind once, whatever unit can have it', () => {
    expect(kindsOf(sheet).map((kind) => kind.mark.title)).toEqual(['none', 'move', 'fire']);
  });

  it('gives an order to those that can have it', () => {
    const fire = keyOf(order('a', 'fire'));
    expect(ordersFor(sheet, fire, ['a', 'b', 'c']).map(({ action }) => action.unit)).toEqual(['b', 'c']);
  });

  it('lets units share the order of the first, and gives the others one of their own', () => {
    const shared: Sheet = {
      ...sheet,
      can: { ...sheet.can, c: [order('c', 'move'), order('c', 'move', 'a')] },
    };
    const given = sharedFor(shared, keyOf(order('a', 'move')), ['a', 'b', 'c']);
    expect(given.map(({ leader }) => leader)).toEqual([null, null, 'a']);
    expect([canShare(sheet), canShare(shared)]).toEqual([false, true]);
    expect(kindsOf(shared)).toHaveLength(3);
  });

  it('counts what is given and what is missing', () => {
    expect(without(sheet)).toEqual(['a', 'c']);
    expect(counts(sheet)).toEqual(new Map([[keyOf(order('a', 'move')), 1]]));
  });

  it('lays the marker that is being written on its unit, face up for its own side alone', () => {
    const unit = { id: 'b', mark: null } as unknown as Unit;
    expect(markOn(unit, sheet)).toMatchObject({ title: 'move', open: false });
    expect(markOn({ ...unit, id: 'a' }, sheet)).toBeNull();
    const hidden = { title: null, code: null, picture: null, open: false };
    expect(markOn({ ...unit, id: 'x', mark: hidden }, sheet)).toEqual(hidden);
  });
});
