import { describe, expect, it } from 'vitest';
import type { ReachPlace } from '../../protocol';
import { nearestOnMap, wishes, type MapGround, type Manner } from './column';

/** A road of numbered places, as far as 9. */
const road: MapGround = {
  apart: (a, b) => Math.abs(Number(a) - Number(b)),
  shifted: (place, from, to) => {
    const found = Number(place) + Number(to) - Number(from);
    return found >= 0 && found <= 9 ? String(found) : null;
  },
};
const units = [
  { id: 'lead', place: '3' },
  { id: 'second', place: '2' },
  { id: 'third', place: '1' },
];
const path = ['3', '4', '5', '6'];
const go = (manner: Manner, all = units) => [...wishes(road, all, { id: 'lead', path }, manner)];

describe('a group on hexes', () => {
  it('joins in one hex', () => {
    expect(go('join')).toEqual([
      ['lead', '6'],
      ['second', '6'],
      ['third', '6'],
    ]);
  });

  it('goes in a column, one behind the other along the way of the first', () => {
    expect(go('column')).toEqual([
      ['lead', '6'],
      ['second', '5'],
      ['third', '4'],
    ]);
  });

  it('stays a column when the way is shorter than the column is long', () => {
    expect([...wishes(road, units, { id: 'lead', path: ['3', '4'] }, 'column')]).toEqual([
      ['lead', '4'],
      ['second', '3'],
      ['third', '2'],
    ]);
  });

  it('keeps its formation, those in front first, and nobody leaves the map', () => {
    const ahead = { id: 'ahead', place: '5' };
    expect(go('keep', [...units, ahead])).toEqual([
      ['ahead', '8'],
      ['lead', '6'],
      ['second', '5'],
      ['third', '4'],
    ]);
    expect(go('keep', [{ id: 'edge', place: '8' }])).toEqual([['edge', '6']]);
  });
});

describe('the place that one of them can come to', () => {
  const reached = (place: string, fire: string[] = []) =>
    ({ place, fire, steps: [{ type: 'Move' }] }) as unknown as ReachPlace;

  it('is the nearest one in reach, of several the one under less fire', () => {
    expect(nearestOnMap(road, '1', '5', [reached('2'), reached('4')])?.place).toBe('4');
    expect(nearestOnMap(road, '1', '5', [reached('4', ['gun']), reached('6')])?.place).toBe('6');
  });

  it('is none where it would only go farther away', () => {
    expect(nearestOnMap(road, '4', '5', [reached('3')])).toBeNull();
  });
});
