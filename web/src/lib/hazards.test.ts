import { describe, expect, it } from 'vitest';
import { hazardsAlong, hazardsOn, isDeadly } from './hazards';
import type { Marker } from './protocol';

const marker = (kind: string, place: string) =>
  ({ id: `${kind}@${place}`, kind, place, text: kind }) as Marker;
const ids = (found: Marker[]) => found.map(({ id }) => id);

describe('what lies on a path', () => {
  const markers = [marker('wreck', 'B'), marker('mines', 'C'), marker('dug-in', 'C'), marker('block', 'Z')];

  it('is every known mine, wreck and block on it, the deadly ones first', () => {
    expect(ids(hazardsOn(['A', 'B', 'C'], markers))).toEqual(['mines@C', 'wreck@B']);
  });

  it('is not what lies where the unit stands already', () => {
    expect(ids(hazardsOn(['C', 'B'], markers))).toEqual(['wreck@B']);
  });

  it('tells what may destroy a unit from what only bars its way', () => {
    expect(markers.filter(isDeadly).map(({ kind }) => kind)).toEqual(['mines']);
  });
});

describe('what lies along a way over the table', () => {
  const mines = marker('mines', '10,5.8');

  it('is what the stand would touch', () => {
    const way: [number, number][] = [
      [5000, 5000],
      [15000, 5000],
    ];
    expect(ids(hazardsAlong(way, [mines, marker('wreck', '10,9')], 1000))).toEqual(['mines@10,5.8']);
    expect(hazardsAlong(way, [mines], 500)).toEqual([]);
  });

  it('counts every leg, up to its end and not beyond', () => {
    const way: [number, number][] = [
      [5000, 9000],
      [9000, 9000],
      [9000, 5800],
    ];
    expect(ids(hazardsAlong(way, [mines], 1100))).toEqual(['mines@10,5.8']);
    expect(hazardsAlong(way.slice(0, 2), [mines], 1100)).toEqual([]);
  });

  it('is not what the stand is on as it sets out', () => {
    expect(
      hazardsAlong(
        [
          [10000, 5800],
          [12000, 5800],
        ],
        [mines],
        1000,
      ),
    ).toEqual([]);
  });
});
