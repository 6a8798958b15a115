/** A map made ready for drawing: look-ups, groups of hexes, and the curves of roads and gullies. */
import type { Box, Point } from '../geometry';
import { bounds, centre, key, neighbour, sideMiddle } from '../hexgeo';
import type { HexData, MapHex } from '../protocol';
import { drawingOf, type Drawing } from './drawing';
import { Land, sheetOf, type Share } from './land';
import { hash } from './noise';

/** From, control, control, to. */
export type Curve = readonly [Point, Point, Point, Point];

export interface Way {
  kind: 'highway' | 'road' | 'track' | 'gully' | 'dry' | 'rails';
  curves: Curve[];
  /** It ends in the middle of its hex. */
  ends: boolean;
  samples: Point[];
}

export interface MapModel {
  data: HexData;
  byName: Map<string, MapHex>;
  byPlace: Map<string, MapHex>;
  /** The sheet and the margin round it. */
  box: Box;
  /** What is printed of the hexes: half-hexes at the edge of the map are cut. */
  sheet: Box;
  chunks: Chunk[];
  /** Made when it is first asked for: whoever only looks hexes up needs none. */
  land: Land;
  drawing: Drawing;
  heights: Share;
  around(hex: MapHex): MapHex[];
  /** Whether the map ends at this side of a hex. */
  isEdge(hex: MapHex, direction: number): boolean;
  ways: Map<string, Way[]>;
}

export interface Chunk {
  box: Box;
  hexes: MapHex[];
}

const CHUNK = 5;
/** The frame round the sheet, in map units: left, top, right and foot, where the title stands. */
const MARGIN = [16, 16, 16, 48] as const;

function grownBy({ x, y, width, height }: Box, [left, top, right, foot]: typeof MARGIN): Box {
  return { x: x - left, y: y - top, width: width + left + right, height: height + top + foot };
}

/** The sheet of a map and the margin round it. */
export const boxOfMap = (hexes: readonly MapHex[]): Box => grownBy(sheetOf(hexes), MARGIN);

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
  const sheet = sheetOf(data.hexes);
  let land: Land | null = null;
  let heights: Share | null = null;
  const model: MapModel = {
    data,
    byName,
    byPlace,
    box: boxOfMap(data.hexes),
    sheet,
    drawing: drawingOf(data),
    get land() {
      return (land ??= new Land(data.hexes, byPlace, sheet));
    },
    get heights() {
      return (heights ??= this.land.heights());
    },
    isEdge: (hex, direction) => {
      const { q, r } = neighbour(hex, direction);
      return !byPlace.has(key(q, r));
    },
    around: (hex) =>
      [0, 1, 2, 3, 4, 5].flatMap((d) => {
        const { q, r } = neighbour(hex, d);
        return byPlace.get(key(q, r)) ?? [];
      }),
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
  const beyond = neighbour(hex, direction);
  const ends = [key(hex.q, hex.r), key(beyond.q, beyond.r)].sort();
  return (hash(`slant ${ends.join('|')}`) - 0.5) * 2 * most;
}

/** How freely a way runs: how far off the middle of a side it crosses, and at which slant, in radians, at most. */
interface Gait {
  wander: number;
  slant: number;
}

const WINDING: Gait = { wander: 12, slant: 0.75 };
const BENDING: Gait = { wander: 9, slant: 0.34 };
const STRAIGHT: Gait = { wander: 0, slant: 0 };

/** From the side into the hex, to a place in it. */
function spoke(hex: MapHex, direction: number, to: Point, gait: Gait): Curve {
  const from = crossing(hex, direction, gait.wander);
  const bend = inward(hex, direction, from, 20, slantOf(hex, direction, gait.slant));
  const last = { x: to.x + (bend.x - to.x) * 0.3, y: to.y + (bend.y - to.y) * 0.3 };
  return [from, bend, last, to];
}

function through(hex: MapHex, a: number, b: number, gait: Gait): Curve {
  const gap = Math.min((a - b + 6) % 6, (b - a + 6) % 6);
  const pull = gap === 2 ? 28 : 22;
  const end = (d: number): [Point, Point] => {
    const at = crossing(hex, d, gait.wander);
    return [at, inward(hex, d, at, pull, slantOf(hex, d, gait.slant))];
  };
  const [[from, bend], [to, last]] = [end(a), end(b)];
  return [from, bend, last, to];
}

/** The pair of sides that lie most nearly opposite. */
function straightest(directions: readonly number[]): [number, number] {
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
  return best;
}

/** The straightest pair goes through, the others join it; with a place to meet at, all join there. */
function curvesThrough(hex: MapHex, directions: number[], gait: Gait, meet?: Point): Curve[] {
  if (meet) return directions.map((d) => spoke(hex, d, meet, gait));
  if (directions.length === 1) return [spoke(hex, directions[0]!, centre(hex), gait)];
  const best = straightest(directions);
  const main = through(hex, ...best, gait);
  const middle = pointOn(main, 0.5);
  return [main, ...directions.filter((d) => !best.includes(d)).map((d) => spoke(hex, d, middle, gait))];
}

/** On from the side of the last hex, off the map. */
function onwards(hex: MapHex, direction: number, gait: Gait): Curve {
  const from = crossing(hex, direction, gait.wander);
  const slant = slantOf(hex, direction, gait.slant);
  const out = (far: number) => inward(hex, direction, from, -far, slant);
  return [from, out(20), out(40), out(60)];
}

export function pointOn([a, b, c, d]: Curve, t: number): Point {
  const u = 1 - t;
  const w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
  return {
    x: a.x * w[0] + b.x * w[1] + c.x * w[2] + d.x * w[3],
    y: a.y * w[0] + b.y * w[1] + c.y * w[2] + d.y * w[3],
  };
}

const SAMPLED = [0, 0.12, 0.25, 0.37, 0.5, 0.63, 0.75, 0.88, 1];

/** Roads by class, the best first: a lesser one joins a better one in the middle of the hex. */
const ROADS: readonly { kind: Way['kind']; links: readonly string[] }[] = [
  { kind: 'highway', links: ['highway'] },
  { kind: 'road', links: ['road'] },
  { kind: 'track', links: ['track', 'path'] },
];

function waysOf(hex: MapHex, model: MapModel): Way[] {
  const ways: Way[] = [];
  const add = (kind: Way['kind'], test: (d: number) => boolean, gait: Gait, meet?: Point) => {
    const sides = [0, 1, 2, 3, 4, 5].filter(test);
    if (sides.length === 0) return;
    const off = sides.filter((d) => model.isEdge(hex, d));
    const curves = [...curvesThrough(hex, sides, gait, meet), ...off.map((d) => onwards(hex, d, gait))];
    const ends = sides.length === 1 && !meet;
    ways.push({
      kind,
      curves,
      ends,
      samples: curves.flatMap((curve) => SAMPLED.map((t) => pointOn(curve, t))),
    });
  };
  const wet = model.drawing.dry.has(hex.name) ? 'dry' : 'gully';
  if (hex.gully.some(Boolean)) add(wet, (d) => hex.gully[d] === true, WINDING);
  if (has(hex, 'stream') || has(hex, 'ford')) add('gully', onward(hex, model, WET), WINDING);
  if (has(hex, 'water')) {
    add('gully', onward(hex, model, ['stream', 'ford']), WINDING, centre(hex));
  }
  if (has(hex, 'railroad tracks')) add('rails', onward(hex, model, ['railroad tracks']), STRAIGHT);
  let meet: Point | undefined;
  for (const { kind, links } of ROADS) {
    add(kind, (d) => links.includes(hex.links[d]!), BENDING, meet);
    const found = ways.find((way) => way.kind === kind);
    if (found) meet ??= pointOn(found.curves[0]!, found.ends ? 1 : 0.5);
  }
  return ways;
}

/** How far a place lies from the nearest road, track or gully of its hex, and which way that runs. */
export function nearestWay(
  model: MapModel,
  hex: MapHex,
  p: Point,
  kinds?: readonly Way['kind'][],
): { distance: number; angle: number } {
  let best = { distance: Infinity, angle: 0 };
  for (const way of model.ways.get(hex.name) ?? []) {
    if (kinds && !kinds.includes(way.kind)) continue;
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
