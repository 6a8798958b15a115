/** Fields: land cut again and again until every piece is as large as one day's ploughing. */
import type { Box, Point } from '../geometry';
import { stream } from './noise';

export interface Parcel {
  corners: Point[];
  middle: Point;
  /** In which direction it is tilled, in radians. */
  angle: number;
  /** A number in [0, 1) of its own. */
  whim: number;
}

interface Plan {
  /** About so many square map units to the parcel. */
  size: number;
  /** How the land lies at a place, in radians; null where it lies in no way of its own. */
  lie: (p: Point) => number | null;
  seed: string;
}

/** Cuts a box into parcels, without gaps; each farm keeps the direction in which its land lies. */
export function parcels(box: Box, { size, lie, seed }: Plan): Parcel[] {
  const next = stream(seed);
  const found: Parcel[] = [];
  const cut = (corners: Point[], angle: number): void => {
    const area = areaOf(corners);
    const middle = middleOf(corners);
    const farm = area > size * 9;
    const along = farm ? (lie(middle) ?? angle + (next() - 0.5) * 0.7) : angle;
    const [long, deep] = [extent(corners, along), extent(corners, along + Math.PI / 2)];
    if (area < size * (0.6 + 0.9 * next())) {
      if (corners.length > 2)
        found.push({ corners, middle, angle: long > deep ? along : along + Math.PI / 2, whim: next() });
      return;
    }
    const across = (long > deep * 0.9 ? along + Math.PI / 2 : along) + (next() - 0.5) * 0.09;
    const share = 0.36 + 0.28 * next();
    const normal = { x: -Math.sin(across), y: Math.cos(across) };
    const reach = corners.map((p) => p.x * normal.x + p.y * normal.y);
    const at = Math.min(...reach) + (Math.max(...reach) - Math.min(...reach)) * share;
    for (const side of [1, -1]) cut(clipped(corners, normal, at, side), along);
  };
  const { x, y, width, height } = box;
  cut(
    [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ],
    0,
  );
  return found;
}

function areaOf(corners: readonly Point[]): number {
  return Math.abs(
    corners.reduce((sum, p, i) => {
      const q = corners[(i + 1) % corners.length]!;
      return sum + p.x * q.y - q.x * p.y;
    }, 0) / 2,
  );
}

function middleOf(corners: readonly Point[]): Point {
  const n = corners.length || 1;
  return {
    x: corners.reduce((sum, p) => sum + p.x, 0) / n,
    y: corners.reduce((sum, p) => sum + p.y, 0) / n,
  };
}

function extent(corners: readonly Point[], angle: number): number {
  const reach = corners.map((p) => p.x * Math.cos(angle) + p.y * Math.sin(angle));
  return Math.max(...reach) - Math.min(...reach);
}

/** The part of a convex piece on one side of a line. */
function clipped(corners: readonly Point[], normal: Point, at: number, side: number): Point[] {
  const off = (p: Point) => (p.x * normal.x + p.y * normal.y - at) * side;
  return corners.flatMap((p, i) => {
    const q = corners[(i + 1) % corners.length]!;
    const [a, b] = [off(p), off(q)];
    const kept = a >= 0 ? [p] : [];
    if (a >= 0 === b >= 0) return kept;
    const t = a / (a - b);
    return [...kept, { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t }];
  });
}

/** A parcel a little smaller than its ground, for the balk round it. */
export function inset({ corners, middle }: Parcel, by: number): Point[] {
  return corners.map((p) => {
    const far = Math.hypot(p.x - middle.x, p.y - middle.y) || 1;
    const s = Math.max(0, 1 - (by * 1.4) / far);
    return { x: middle.x + (p.x - middle.x) * s, y: middle.y + (p.y - middle.y) * s };
  });
}

/** The furrows of a parcel, so far apart, each from end to end. */
export function furrows(corners: readonly Point[], angle: number, apart: number): [Point, Point][] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const turned = corners.map((p) => ({ u: p.x * c + p.y * s, v: p.y * c - p.x * s }));
  const vs = turned.map((p) => p.v);
  const found: [Point, Point][] = [];
  for (let v = Math.min(...vs) + apart / 2; v < Math.max(...vs); v += apart) {
    const us = turned.flatMap((p, i) => {
      const q = turned[(i + 1) % turned.length]!;
      return p.v < v === q.v < v ? [] : [p.u + ((q.u - p.u) * (v - p.v)) / (q.v - p.v)];
    });
    if (us.length < 2) continue;
    const [a, b] = [Math.min(...us) + 1.5, Math.max(...us) - 1.5];
    if (b > a)
      found.push([
        { x: a * c - v * s, y: a * s + v * c },
        { x: b * c - v * s, y: b * s + v * c },
      ]);
  }
  return found;
}
