import { describe, expect, it } from 'vitest';
import type { Unit } from '../protocol';
import { inOrder, leadsOver } from './formation';

const unit = (id: string, place: string) => ({ id, place }) as unknown as Unit;

describe('a group', () => {
  it('sets out in the order in which nobody runs into another', () => {
    const all = ['1,1', '3,1', '2,1'].map((place) => ({ unit: unit(place, place) }));
    const east = inOrder(all, [500, 0]).map((one) => one.unit.id);
    expect(east).toEqual(['3,1', '2,1', '1,1']);
    expect(inOrder(all, [-500, 0]).map((one) => one.unit.id)).toEqual([...east].reverse());
  });

  it('knows when a way leads over the place of another', () => {
    const way = [
      [0, 0],
      [4000, 0],
    ] as [number, number][];
    expect(leadsOver(way, [2000, 900], 1000)).toBe(true);
    expect(leadsOver(way, [2000, 1000], 1000)).toBe(false);
    expect(leadsOver(way, [5100, 0], 1000)).toBe(false);
  });
});
