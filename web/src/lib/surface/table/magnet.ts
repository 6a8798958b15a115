/** A magnet for stands that are led by hand: it holds them on roads, at edges of terrain, in contact, at exact ranges. */
import type { Point } from '../../geometry';
import { beside, type Base } from './base';
import { grown, piecesOf, sidesOf, type Feature } from '../../render/table/model';

/** Of what the magnet holds; all lengths are in map units. */
export interface Iron {
  features: readonly Feature[];
  /** The middles of the other stands; of squares with their facings. */
  stands: readonly (Point & { facing?: number })[];
  /** The middles of enemies, and how far the led stand fires. */
  foes: readonly Point[];
  ranges: readonly number[];
  /** The width of a base, and its shape if it is no disc. */
  base: number;
  shape?: Base;
}

export type Hold = 'road' | 'edge' | 'contact' | 'range';

/** What is held lies this much on the safe side: apart from a stand, within a range. */
const SLACK = 0.2;
const ROADS = new Set(['road', 'highway', 'track', 'path', 'railroad']);

/** The point that the magnet draws a stand to, with what holds it there; null where nothing is near. */
export function drawn(p: Point, pull: number, iron: Iron): (Point & { by: Hold }) | null {
  const found = [...candidates(p, pull, iron)]
    .map((one) => ({ ...one, far: Math.hypot(one.x - p.x, one.y - p.y) }))
    .filter((one) => one.far <= pull);
  if (found.length === 0) return null;
  const { x, y, by } = found.reduce((best, one) => (one.far < best.far ? one : best));
  return { x, y, by };
}

function* candidates(p: Point, pull: number, iron: Iron): Iterable<Point & { by: Hold }> {
  for (const feature of iron.features) {
    const { x, y, width, height } = grown(feature.box, pull);
    if (p.x < x || p.y < y || p.x > x + width || p.y > y + height) continue;
    const road = feature.shape === 'line' && ROADS.has(feature.kind);
    const pieces = road ? piecesOf(feature.way) : sidesOf(feature.rings);
    const nearest = pieces.reduce<Point | null>((best, piece) => nearer(p, best, onto(p, piece)), null);
    if (nearest) yield { ...nearest, by: road ? 'road' : 'edge' };
  }
  for (const stand of iron.stands) yield { ...touching(p, stand, iron), by: 'contact' };
  for (const foe of iron.foes)
    for (const far of iron.ranges) yield { ...at(p, foe, far - SLACK), by: 'range' };
}

/** The point at which a stand touches another one. */
function touching(p: Point, stand: Point & { facing?: number }, { base, shape }: Iron): Point {
  if (shape !== 'square') return at(p, stand, base + SLACK);
  return beside(p, { ...stand, facing: stand.facing ?? 0 }, base + SLACK);
}

/** The point of a straight piece that lies nearest. */
function onto(p: Point, [a, b]: readonly [Point, Point]): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.max(0, Math.min(1, along));
  return { x: a.x + t * dx, y: a.y + t * dy };
}

/** The point so far from a middle, in the direction of another point. */
function at(p: Point, { x, y }: Point, far: number): Point {
  const now = Math.hypot(p.x - x, p.y - y) || 1;
  return { x: x + ((p.x - x) / now) * far, y: y + ((p.y - y) / now) * far };
}

function nearer(p: Point, a: Point | null, b: Point): Point {
  return a && Math.hypot(a.x - p.x, a.y - p.y) <= Math.hypot(b.x - p.x, b.y - p.y) ? a : b;
}
