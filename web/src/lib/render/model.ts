/** A map made ready for drawing: look-ups, groups of hexes, and the curves of roads and gullies. */
import type { Box, Point } from '../geometry';
import { bounds, centre, key, neighbour, outlines, sideMiddle } from '../hexgeo';
import type { HexData, MapHex } from '../protocol';
import { hash } from './noise';

export interface Way {
  kind: 'road' | 'track' | 'gully' | 'rails';
  /** Each curve is from, control, control, to. */
  curves: [Point, Point, Point, Point][];
  samples: Point[];
}

export interface MapModel {
  data: HexData;
  byName: Map<string, MapHex>;
  byPlace: Map<string, MapHex>;
  box: Box;
  chunks: Chunk[];
  ways: Map<string, Way[]>;
}

export interface Chunk {
  box: Box;
  hexes: MapHex[];
}

const CHUNK = 5;

export function makeModel(data: HexData): MapModel {
  const byName = new Map(data.hexes.map((h) => [h.name, h]));
  const byPlace = new Map(data.hexes.map((h) => [key(h.q, h.r), h]));
  const groups = new Map<string, MapHex[]>();
  for (const hex of data.hexes) {
    const at = `${Math.floor(hex.q / CHUNK)},${Math.floor((hex.r + hex.q / 2) / CHUNK)}`;
    const group = groups.get(at);
    if (group) group.push(hex);
    else groups.set(at, [hex]);
  }
  const model: MapModel = {
    data,
    byName,
    byPlace,
    box: bounds(data.hexes),
    chunks: [...groups.values()].map((hexes) => ({ hexes, box: bounds(hexes, 30) })),
    ways: new Map(),
  };
  for (const hex of data.hexes) model.ways.set(hex.name, waysOf(hex, model));
  return model;
}

/** What a rulebook's own words are drawn as. */
const DRAWN_AS: Readonly<Record<string, string>> = {
  'stone building': 'town',
  'brick building': 'town',
  'wood building': 'village',
  rough: 'broken',
  'soft sand': 'sand',
};

export function has(hex: MapHex | undefined, terrain: string): boolean {
  return hex?.terrain.some((word) => word === terrain || DRAWN_AS[word] === terrain) ?? false;
}

const WET = ['stream', 'ford', 'water'];

/** The sides over which a stream, or a railroad, goes on where it fills hexes: to those that bear it, too. */
function onward(hex: MapHex, model: MapModel, words: readonly string[]): (direction: number) => boolean {
  return (direction) => {
    const { q, r } = neighbour(hex, direction);
    const beyond = model.byPlace.get(key(q, r));
    return words.some((word) => has(beyond, word));
  };
}

export function regionOutlines(model: MapModel, member: (hex: MapHex) => boolean): Point[][] {
  const region = model.data.hexes.filter(member);
  return outlines(region, (q, r) => {
    const hex = model.byPlace.get(key(q, r));
    return hex !== undefined && member(hex);
  });
}

/** Where a gully or road crosses a side: the same for both hexes, a little off the middle for gullies. */
function crossing(hex: MapHex, direction: number, wander: number): Point {
  const middle = sideMiddle(hex, direction);
  const beyond = neighbour(hex, direction);
  const [a, b] = [key(hex.q, hex.r), key(beyond.q, beyond.r)].sort();
  const off = (hash(`${a}|${b}`) - 0.5) * 2 * wander;
  const along = direction % 3;
  // A unit vector along the side that is the same seen from both hexes.
  const angle = [0, Math.PI / 3, (2 * Math.PI) / 3][along]!;
  return { x: middle.x + Math.cos(angle) * off, y: middle.y + Math.sin(angle) * off };
}

/** A place `length` inside the side; a winding way leaves the side at a slant that both hexes agree on. */
function inward(hex: MapHex, direction: number, from: Point, length: number, slant = 0): Point {
  const c = centre(hex);
  const m = sideMiddle(hex, direction);
  const d = Math.hypot(c.x - m.x, c.y - m.y);
  const n = { x: (c.x - m.x) / d, y: (c.y - m.y) / d };
  const [cos, sin] = [Math.cos(slant), Math.sin(slant)];
  return { x: from.x + (n.x * cos - n.y * sin) * length, y: from.y + (n.x * sin + n.y * cos) * length };
}

function slantOf(hex: MapHex, direction: number, most: number): number {
  if (most === 0) return 0;
  const beyond = neighbour(hex, direction);
  const ends = [key(hex.q, hex.r), key(beyond.q, beyond.r)].sort();
  return (hash(`slant ${ends.join('|')}`) - 0.5) * 2 * most;
}

function curvesThrough(hex: MapHex, directions: number[], wander: number): [Point, Point, Point, Point][] {
  const c = centre(hex);
  const slant = (d: number) => slantOf(hex, d, wander > 0 ? 0.75 : 0);
  const at = (d: number) => crossing(hex, d, wander);
  const join = (a: number, b: number): [Point, Point, Point, Point] => {
    const gap = Math.min((a - b + 6) % 6, (b - a + 6) % 6);
    const pull = gap === 3 ? 22 : gap === 2 ? 28 : 22;
    return [at(a), inward(hex, a, at(a), pull, slant(a)), inward(hex, b, at(b), pull, slant(b)), at(b)];
  };
  const spoke = (a: number, to: Point): [Point, Point, Point, Point] => [
    at(a),
    inward(hex, a, at(a), 18, slant(a)),
    to,
    to,
  ];
  if (directions.length === 1) return [spoke(directions[0]!, c)];
  if (directions.length === 2) return [join(directions[0]!, directions[1]!)];
  // The straightest pair goes through, the others join it in the middle.
  let best: [number, number] = [directions[0]!, directions[1]!];
  let straight = -1;
  for (const a of directions) {
    for (const b of directions) {
      const gap = Math.min((a - b + 6) % 6, (b - a + 6) % 6);
      if (a < b && gap > straight) {
        straight = gap;
        best = [a, b];
      }
    }
  }
  const through = join(...best);
  const middle = pointOn(through, 0.5);
  return [through, ...directions.filter((d) => !best.includes(d)).map((d) => spoke(d, middle))];
}

export function pointOn([a, b, c, d]: [Point, Point, Point, Point], t: number): Point {
  const u = 1 - t;
  const w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
  return {
    x: a.x * w[0] + b.x * w[1] + c.x * w[2] + d.x * w[3],
    y: a.y * w[0] + b.y * w[1] + c.y * w[2] + d.y * w[3],
  };
}

function waysOf(hex: MapHex, model: MapModel): Way[] {
  const ways: Way[] = [];
  const directions = (test: (d: number) => boolean) => [0, 1, 2, 3, 4, 5].filter(test);
  const add = (kind: Way['kind'], sides: number[], wander: number) => {
    if (sides.length === 0) return;
    const curves = curvesThrough(hex, sides, wander);
    const samples = curves.flatMap((curve) =>
      [0, 0.12, 0.25, 0.37, 0.5, 0.63, 0.75, 0.88, 1].map((t) => pointOn(curve, t)),
    );
    ways.push({ kind, curves, samples });
  };
  const roads = directions((d) => hex.links[d] === 'road');
  const tracks = directions((d) => hex.links[d] === 'track' || hex.links[d] === 'path');
  add(
    'gully',
    directions((d) => hex.gully[d] === true),
    12,
  );
  if (has(hex, 'stream') || has(hex, 'ford')) add('gully', directions(onward(hex, model, WET)), 12);
  if (has(hex, 'railroad tracks')) add('rails', directions(onward(hex, model, ['railroad tracks'])), 0);
  add('road', roads, 0);
  if (tracks.length > 0 && roads.length > 0) {
    // A track that meets a road joins it in the middle of the hex.
    const through = ways.find((w) => w.kind === 'road')?.curves[0];
    const meet = through ? pointOn(through, roads.length === 1 ? 1 : 0.5) : centre(hex);
    const curves = tracks.map((d): [Point, Point, Point, Point] => {
      const from = crossing(hex, d, 0);
      return [from, inward(hex, d, from, 18), meet, meet];
    });
    ways.push({
      kind: 'track',
      curves,
      samples: curves.flatMap((c) => [0, 0.25, 0.5, 0.75, 1].map((t) => pointOn(c, t))),
    });
  } else add('track', tracks, 0);
  return ways;
}

/** How far a place lies from the nearest road, track or gully of its hex, and which way that runs. */
export function nearestWay(model: MapModel, hex: MapHex, p: Point): { distance: number; angle: number } {
  let best = { distance: Infinity, angle: 0 };
  for (const way of model.ways.get(hex.name) ?? []) {
    for (let i = 0; i < way.samples.length; i++) {
      const s = way.samples[i]!;
      const d = Math.hypot(s.x - p.x, s.y - p.y);
      if (d < best.distance) {
        const t = way.samples[i + 1] ?? way.samples[i - 1] ?? s;
        best = { distance: d, angle: Math.atan2(t.y - s.y, t.x - s.x) };
      }
    }
  }
  return best;
}
