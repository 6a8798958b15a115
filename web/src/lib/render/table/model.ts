/** A free table made ready for drawing: its terrain in map units. */
import type { Box, Point } from '../../geometry';
import type { TableData, TableFeature } from '../../protocol';
import { boxOf } from '../shapes';

/** Map units to the inch. */
export const PER_INCH = 64;
const SCALE = PER_INCH / 1000;

export interface Feature {
  id: string;
  kind: string;
  name: string;
  /** The name that the author of the table gave it, or none. */
  called: string;
  /** That name as it stands within a sentence. */
  within: string;
  shape: TableFeature['shape'];
  look: string;
  /** In map units; 0 for a line that is crossed. */
  width: number;
  level: number;
  floors: number;
  way: Point[];
  /** All rings, outer borders and holes: a ring within a ring is a hole. */
  rings: Point[][];
  box: Box;
}

export interface TableModel {
  title: string;
  /** What an inch stands for; 0 where the book does not say that. */
  metres: number;
  box: Box;
  features: Feature[];
}

const pointsOf = (ring: readonly [number, number][]): Point[] =>
  ring.map(([x, y]) => ({ x: x * SCALE, y: y * SCALE }));

export function makeTable({ title, size, metres, terrain }: TableData): TableModel {
  const [width, height] = size;
  return {
    title,
    metres: metres ?? 0,
    box: { x: 0, y: 0, width: width * SCALE, height: height * SCALE },
    features: (terrain ?? []).map(featureOf),
  };
}

function featureOf(given: TableFeature): Feature {
  const { id, kind, name, shape, look } = given;
  const way = pointsOf(given.way ?? []);
  const width = (given.width ?? 0) * SCALE;
  // What has a width is drawn along its way: its polygons are for the rules.
  const rings = shape === 'line' ? [] : given.polygons.flatMap((rings) => rings.map(pointsOf));
  const box = boxOf([...way, ...rings.flat()], width / 2);
  const [called, level, floors] = [given.called ?? '', given.level ?? 0, given.floors ?? 0];
  const within = given.within ?? called;
  return { id, kind, name, called, within, shape, look, width, level, floors, way, rings, box };
}

/** The sides of rings, each from one corner to the next. */
export function sidesOf(rings: readonly Point[][]): [Point, Point][] {
  return rings.flatMap((ring) => ring.map((a, i): [Point, Point] => [a, ring[(i + 1) % ring.length]!]));
}

/** The pieces of a way, each from one corner to the next. */
export function piecesOf(way: readonly Point[]): [Point, Point][] {
  return way.slice(1).map((b, i): [Point, Point] => [way[i]!, b]);
}

/** Whether a point lies within rings: within an odd number of them. */
export function within(p: Point, rings: readonly Point[][]): boolean {
  let odd = false;
  for (const [a, b] of sidesOf(rings)) {
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) odd = !odd;
  }
  return odd;
}

/** How far a point lies from a straight piece. */
export function distance(p: Point, [a, b]: readonly [Point, Point]): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** How far a point lies from the nearest of some pieces. */
export function nearest(p: Point, pieces: readonly [Point, Point][]): number {
  return pieces.reduce((best, piece) => Math.min(best, distance(p, piece)), Infinity);
}

export interface Pace extends Point {
  /** The direction in which the way goes on, in radians. */
  angle: number;
}

/** Points along a way, a pace apart as evenly as its length allows. */
export function paces(way: readonly Point[], pace: number): Pace[] {
  const pieces = piecesOf(way);
  const whole = pieces.reduce((sum, [a, b]) => sum + Math.hypot(b.x - a.x, b.y - a.y), 0);
  const step = whole / Math.max(1, Math.round(whole / pace));
  const found: Pace[] = [];
  let next = step / 2;
  for (const [a, b] of pieces) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    for (; next <= length; next += step) {
      const t = next / length;
      found.push({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, angle });
    }
    next -= length;
  }
  return found;
}

/** A way as the canvas draws it, moved aside by so much to its right. */
export function courseOf(way: readonly Point[], aside = 0): Path2D {
  const path = new Path2D();
  way.forEach((p, i) => {
    const [a, b] = [way[Math.max(0, i - 1)]!, way[Math.min(way.length - 1, i + 1)]!];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [x, y] = [p.x - ((b.y - a.y) / length) * aside, p.y + ((b.x - a.x) / length) * aside];
    if (i === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  });
  return path;
}

export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
