import { describe, expect, it } from 'vitest';
import type { Objective } from './goals';
import { groundOn, nearObjectives } from './whereabouts';

const objective = (place: string, holder: string | null): Objective => ({
  place,
  holder,
  worth: [],
  near: 0,
});
const points: Record<string, { x: number; y: number }> = {
  A: { x: 0, y: 0 },
  B: { x: 300, y: 0 },
  C: { x: -100, y: 100 },
  D: { x: 0, y: -900 },
};
const lie = (place: string) => ({
  name: place,
  terrain: place === 'B' ? ['woods'] : ['clear'],
  level: 0,
  label: place === 'B' ? 'Lipki' : '',
});
const map = {
  at: (place: string) => points[place] ?? null,
  lie,
  lattice: {
    apart: (a: string, b: string) => Math.abs(points[a]!.x - points[b]!.x) / 100 || (a === b ? 0 : 9),
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
  } as any,
};
const named = (side: string) => side.toUpperCase();

describe('the objectives of a place', () => {
  it('are told by distance and direction, the nearest first, two at most', () => {
    const all = [objective('D', null), objective('B', 'red'), objective('C', null)];
    expect(nearObjectives(map, 'A', all, named)).toEqual([
      '1 hex south-west of here: C (held by nobody)',
      '3 hexes east of here: Lipki (held by RED)',
    ]);
    expect(nearObjectives(map, 'B', [all[1]!], named)).toEqual(['on the objective Lipki (held by RED)']);
  });

  it('are told in inches on a table', () => {
    const table = {
      at: (place: string) => {
        const [x, y] = place.split(',').map(Number);
        return { x: x!, y: y! };
      },
      lie: () => null,
    };
    expect(nearObjectives(table, '10,10', [objective('13,6', null)], named)).toEqual([
      '5″ north-east of here: 13,6 (held by nobody)',
    ]);
  });
});

it('the ground on a way is told once each, without that of the start', () => {
  expect(groundOn(map, ['B', 'A', 'C', 'B'])).toBe(groundOn(map, ['D', 'A', 'B']));
  expect(groundOn(map, ['B'])).toBe('');
});
