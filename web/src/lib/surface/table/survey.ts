/** What lies where on a free table, and how places are told in words. */
import type { Point } from '../../geometry';
import {
  nearest,
  PER_INCH,
  piecesOf,
  sidesOf,
  within,
  type Feature,
  type TableModel,
} from '../../render/table/model';

/** Whether a point lies on a feature; a line without width is only crossed. */
export function covers(feature: Feature, p: Point): boolean {
  const { x, y, width, height } = feature.box;
  if (p.x < x || p.y < y || p.x > x + width || p.y > y + height) return false;
  if (feature.rings.length > 0) return within(p, feature.rings);
  return feature.width > 0 && nearest(p, piecesOf(feature.way)) <= feature.width / 2;
}

export interface Lying {
  /** From the ground up. */
  features: Feature[];
  level: number;
}

/** The terrain of a point: its level is that of a bed that it lies in, unless something leads over that. */
export function lyingAt({ features }: TableModel, p: Point): Lying {
  const found = features.filter((feature) => covers(feature, p));
  const high = Math.max(0, ...found.filter((f) => f.shape === 'contour').map((f) => f.level));
  const low = Math.min(0, ...found.filter((f) => f.shape !== 'contour').map((f) => f.level));
  const over = found.some((f) => f.shape === 'crossing');
  return { features: found, level: low < 0 && !over ? low : high };
}

/** The shapes that name a place, the best first: a bridge before its river, a village before the roads that meet in it. */
const NAMERS: readonly Feature['shape'][] = ['crossing', 'area', 'building', 'line', 'contour'];

/** The names of these features as they stand within a sentence, each once, the best name for their place first. */
export function namesOfAll(features: readonly Feature[]): string[] {
  const sorted = [...features].sort((a, b) => NAMERS.indexOf(a.shape) - NAMERS.indexOf(b.shape));
  return [...new Set(sorted.map((f) => f.within).filter((name) => name !== ''))];
}

/** The middle of a feature, as it is spoken of. */
export function middleOf({ box, way, shape }: Feature): Point {
  if (shape === 'line' && way.length > 0) return way[Math.floor(way.length / 2)]!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The point of a feature's border, or of a line, that is nearest to a point. */
export function edgeOf({ rings, way }: Feature, p: Point): Point {
  const pieces = rings.length > 0 ? sidesOf(rings) : piecesOf(way);
  const feet = [...pieces].map(([a, b]) => foot(p, a, b));
  const far = (q: Point) => (q.x - p.x) ** 2 + (q.y - p.y) ** 2;
  return feet.reduce((best, q) => (far(q) < far(best) ? q : best), feet[0] ?? p);
}

function foot(p: Point, a: Point, b: Point): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return { x: a.x + dx * part, y: a.y + dy * part };
}

export const inchesBetween = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y) / PER_INCH;

/** The compass point of a direction: 0 for north, 1 for north-east, and so on to 7. */
export function compass(from: Point, to: Point): number {
  const turn = Math.atan2(to.x - from.x, from.y - to.y) / (Math.PI / 4);
  return (Math.round(turn) + 8) % 8;
}
