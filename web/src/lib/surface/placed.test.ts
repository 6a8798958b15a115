import { describe, expect, it } from 'vitest';
import type { Unit } from '../protocol';
import { unnamed, type Placed } from './placed';

/** A round stand of 100 with its middle at a point. */
const stand = (id: string, x: number, y: number, carrier: string | null = null): Placed => ({
  unit: { id, carrier } as Unit,
  x: x - 50,
  y: y - 50,
  z: 1,
  size: 100,
  off: null,
});

describe('the name of a stand', () => {
  it('yields to a stand that touches it from below', () => {
    expect([...unnamed([stand('gun', 0, 0), stand('tank', 0, 100)])]).toEqual(['gun']);
    expect([...unnamed([stand('gun', 0, 0), stand('tank', 80, 60)])]).toEqual(['gun']);
  });

  it('stays beside and above others, and where there is room', () => {
    expect([...unnamed([stand('gun', 0, 0), stand('tank', 100, 0)])]).toEqual([]);
    expect([...unnamed([stand('gun', 0, 0), stand('tank', 0, 125)])]).toEqual([]);
  });

  it('does not mind what the stand carries itself', () => {
    expect([...unnamed([stand('lorry', 0, 0), stand('gun', -20, 44, 'lorry')])]).toEqual([]);
  });
});
