import { describe, expect, it } from 'vitest';
import { neighbour, sideMiddle } from '../hexgeo';
import type { MapHex } from '../protocol';
import { has, makeModel } from './model';

function hex(name: string, q: number, r: number, change: Partial<MapHex> = {}): MapHex {
  return {
    name,
    q,
    r,
    board: '1',
    playable: true,
    terrain: ['clear'],
    level: 0,
    label: '',
    sides: [[], [], [], [], [], []],
    links: ['', '', '', '', '', ''],
    gully: [false, false, false, false, false, false],
    bridge: '',
    ford: false,
    ...change,
  };
}

const N = 0;
const S = 3;
const only = <T>(at: number[], yes: T, no: T): T[] =>
  [0, 1, 2, 3, 4, 5].map((d) => (at.includes(d) ? yes : no));

describe('roads and gullies', () => {
  it('run through one place of a side, near its middle, as roads', () => {
    const map = makeModel({
      space: 'hexes',
      id: '',
      orientation: 'flat-top',
      boards: [],
      hexes: [
        hex('a', 0, 0, { links: only([N, S], 'road', '') }),
        hex('b', 0, 1, { links: only([N], 'road', '') }),
      ],
    });
    const [through] = map.ways.get('a')![0]!.curves;
    const [spoke] = map.ways.get('b')![0]!.curves;
    const middle = sideMiddle({ q: 0, r: 0 }, S);
    expect(Math.abs(through![3].x - middle.x)).toBeLessThan(10);
    expect(through![3].y).toBeCloseTo(middle.y);
    expect(spoke![0].x).toBeCloseTo(through![3].x);
    expect(spoke![0].y).toBeCloseTo(through![3].y);
  });

  it('wind as gullies without a break or a kink between two hexes', () => {
    for (let d = 0; d < 6; d++) {
      const there = neighbour({ q: 2, r: 5 }, d);
      const map = makeModel({
        space: 'hexes',
        id: '',
        orientation: 'flat-top',
        boards: [],
        hexes: [
          hex('a', 2, 5, { gully: only([d, (d + 3) % 6], true, false) }),
          hex('b', there.q, there.r, { gully: only([d, (d + 3) % 6], true, false) }),
        ],
      });
      const ends = (name: string) => {
        const [a, b, c, e] = map.ways.get(name)![0]!.curves[0]!;
        return [
          { at: a, control: b },
          { at: e, control: c },
        ];
      };
      const near = (p: { x: number; y: number }, q: { x: number; y: number }) =>
        Math.hypot(p.x - q.x, p.y - q.y);
      const pairs = ends('a').flatMap((x) => ends('b').map((y) => ({ x, y, gap: near(x.at, y.at) })));
      const joint = pairs.sort((p, q) => p.gap - q.gap)[0]!;
      expect(joint.gap).toBeLessThan(0.001);
      // The controls lie on one line with the joint between them.
      const u = { x: joint.x.control.x - joint.x.at.x, y: joint.x.control.y - joint.x.at.y };
      const v = { x: joint.y.control.x - joint.y.at.x, y: joint.y.control.y - joint.y.at.y };
      expect(u.x * v.y - u.y * v.x).toBeCloseTo(0);
      expect(u.x * v.x + u.y * v.y).toBeLessThan(0);
    }
  });
});

describe('what fills hexes', () => {
  const map = makeModel({
    space: 'hexes',
    id: '',
    orientation: 'flat-top',
    boards: [],
    hexes: [
      hex('a', 0, 0, { terrain: ['water'] }),
      hex('b', 0, 1, { terrain: ['stream'], links: only([N], 'path', '') }),
      hex('c', 0, 2, { terrain: ['ford'] }),
      hex('d', 1, 0, { terrain: ['stone building'] }),
    ],
  });

  it('goes on from hex to hex as a stream', () => {
    const kinds = (name: string) => map.ways.get(name)!.map((way) => way.kind);
    expect(kinds('b')).toContain('gully');
    expect(kinds('c')).toEqual(['gully']);
  });

  it('flows into water, but not from there over other sides', () => {
    expect(map.ways.get('a')!.flatMap((way) => way.curves)).toHaveLength(1);
  });

  it('has highways, which a road joins in the middle of the hex', () => {
    const links = ['highway', 'road', '', 'highway', '', ''] as MapHex['links'];
    const crossed = makeModel({ ...map.data, hexes: [hex('x', 5, 5, { links })] }).ways.get('x')!;
    expect(crossed.map((way) => way.kind)).toEqual(['highway', 'road']);
    const meet = crossed[1]!.curves[0]![3];
    const nearest = Math.min(...crossed[0]!.samples.map((p) => Math.hypot(p.x - meet.x, p.y - meet.y)));
    expect(nearest).toBeLessThan(0.01);
  });

  it('has paths, which are drawn as tracks', () => {
    expect(map.ways.get('b')!.map((way) => way.kind)).toContain('track');
  });

  it('is drawn as the ground that is most like it', () => {
    expect(has(map.byName.get('d'), 'town')).toBe(true);
    expect(has(map.byName.get('d'), 'village')).toBe(false);
  });
});
