import { describe, expect, it } from 'vitest';
import type { Choice } from '../protocol';
import { nearestOf, nextOf, roseOf, sidesApart, wayOf } from './rose';

function choice(type: string, kind: string, facing: number, more: Record<string, unknown> = {}): Choice {
  const action = { type, unit: 'a', facing, ...more };
  const places = more.hex ? [more.hex as string] : [];
  return { action, label: '', kind, units: ['a'], places, cost: null, confirm: false };
}

const turns = [1, 2, 5].map((way) => choice('Turn', 'turn', way));
const at = () => '1-A1';

describe('the rose', () => {
  it('has the turns of the chosen unit where it stands', () => {
    const rose = roseOf([...turns, choice('Search', 'search', 0)], [{ unit: 'a' }], at)!;
    expect(rose.place).toBe('1-A1');
    expect([...rose.hull.keys()]).toEqual([1, 2, 5]);
    expect(rose.turret.size).toBe(0);
  });

  it('has a ring of its own for the turret', () => {
    const rose = roseOf([...turns, choice('AdjustTurret', 'turn', 3)], [{ unit: 'a' }], at)!;
    expect([...rose.turret.keys()]).toEqual([3]);
    expect([...rose.hull.keys()]).toEqual([1, 2, 5]);
  });

  it('waits for the place of a unit that is set up', () => {
    const places = ['1-B1', '1-B2'].flatMap((hex) =>
      [0, 1].map((way) => choice('Place', 'place', way, { hex })),
    );
    expect(roseOf(places, [{ unit: 'a' }], () => null)).toBeNull();
    const rose = roseOf(places, [{ unit: 'a' }, { place: '1-B2' }], () => null)!;
    expect(rose.place).toBe('1-B2');
    expect(rose.hull.get(1)!.action.hex).toBe('1-B2');
  });

  it('is not there without a unit, or without directions', () => {
    expect(roseOf(turns, [], at)).toBeNull();
    expect(roseOf([choice('Stay', 'done', 9)], [{ unit: 'a' }], at)).toBeNull();
  });
});

describe('directions', () => {
  const ring = roseOf(turns, [{ unit: 'a' }], at)!.hull;

  it('lie three hexsides apart at most', () => {
    expect(sidesApart(0, 5)).toBe(1);
    expect(sidesApart(1, 4)).toBe(3);
  });

  it('follow one another clockwise and back', () => {
    expect(nextOf(ring, 2, 1)).toBe(5);
    expect(nextOf(ring, 1, -1)).toBe(5);
    expect(nextOf(new Map(), 1, 1)).toBeNull();
  });

  it('are found by an angle', () => {
    expect(nearestOf(ring, 70)).toBe(1);
    expect(nearestOf(ring, 350)).toBe(5);
    expect(nearestOf(new Map(), 10)).toBeNull();
  });
});

describe('the way of a part', () => {
  it('is that of the turret where it turns by itself, else that of the hull', () => {
    expect(wayOf({ facing: 60, turret: 180 }, 'turret')).toBe(3);
    expect(wayOf({ facing: 60, turret: 180 }, 'hull')).toBe(1);
    expect(wayOf({ facing: 60 }, 'turret')).toBe(1);
    expect(wayOf(undefined, 'hull')).toBe(0);
  });
});
