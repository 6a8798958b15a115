import { describe, expect, it } from 'vitest';
import type { TableFeature } from '../../protocol';
import { makeTable, PER_INCH } from '../../render/table/model';
import { compass, edgeOf, lyingAt, namesOfAll } from './survey';

const at = (x: number, y: number) => ({ x: x * PER_INCH, y: y * PER_INCH });

function feature(change: Partial<TableFeature>): TableFeature {
  const bare = { id: 'a', kind: 'woods', name: 'Light woods', shape: 'area', look: 'woods', polygons: [] };
  return { ...bare, ...change } as TableFeature;
}

const square = (x: number, y: number, size: number): [number, number][] => [
  [x * 1000, y * 1000],
  [(x + size) * 1000, y * 1000],
  [(x + size) * 1000, (y + size) * 1000],
  [x * 1000, (y + size) * 1000],
];

const table = makeTable({
  space: 'table',
  id: 't',
  title: 'T',
  size: [40000, 30000],
  base: 1000,
  terrain: [
    feature({
      id: 'slope',
      kind: 'slope',
      name: 'Hill 30',
      shape: 'contour',
      level: 1,
      polygons: [[square(20, 5, 10)]],
    }),
    feature({ id: 'wood', name: 'Alder Wood', polygons: [[square(2, 2, 6), square(4, 4, 2)]] }),
    feature({
      id: 'brook',
      kind: 'stream',
      name: 'Stream',
      called: 'The brook',
      shape: 'line',
      look: 'stream',
      width: 1000,
      level: -1,
      way: [
        [10000, 0],
        [10000, 30000],
      ],
    }),
    feature({
      id: 'bridge',
      kind: 'bridge',
      name: 'The bridge',
      called: 'The bridge',
      within: 'the bridge',
      shape: 'crossing',
      look: 'bridge',
      width: 1200,
      polygons: [[square(9, 14, 2)]],
    }),
  ],
});

const names = (x: number, y: number) => lyingAt(table, at(x, y)).features.map((f) => f.id);

describe('what lies at a point', () => {
  it('is within an area, but not in its clearing', () => {
    expect(names(3, 3)).toEqual(['wood']);
    expect(names(5, 5)).toEqual([]);
  });

  it('is within half the width of a stream', () => {
    expect(names(10.4, 3)).toEqual(['brook']);
    expect(names(10.6, 3)).toEqual([]);
  });

  it('is spoken of by the bridge, not by the brook below it', () => {
    expect(names(10, 15)).toEqual(['brook', 'bridge']);
    expect(namesOfAll(lyingAt(table, at(10, 15)).features)).toEqual(['the bridge', 'The brook']);
  });

  it('has the level of the hill, of the bed, and on a bridge that of the banks', () => {
    expect(lyingAt(table, at(25, 8)).level).toBe(1);
    expect(lyingAt(table, at(10, 3)).level).toBe(-1);
    expect(lyingAt(table, at(10, 15)).level).toBe(0);
  });
});

describe('the compass', () => {
  it('counts eighths from north, clockwise', () => {
    const from = at(10, 10);
    expect(
      [at(10, 1), at(19, 1), at(19, 10), at(10, 19), at(1, 10), at(1, 1)].map((to) => compass(from, to)),
    ).toEqual([0, 1, 2, 4, 6, 7]);
  });
});

describe('the edge of a piece of terrain', () => {
  const named = (name: string) => table.features.find((feature) => feature.name === name)!;

  it('is the nearest point of its border, inner ones included', () => {
    expect(edgeOf(named('Alder Wood'), at(12, 5))).toEqual(at(8, 5));
    expect(edgeOf(named('Alder Wood'), at(5, 5.2))).toEqual(at(5, 6));
  });

  it('is the way itself where a line has no border', () => {
    expect(edgeOf({ ...named('Stream'), rings: [] }, at(14, 9))).toEqual(at(10, 9));
  });
});
