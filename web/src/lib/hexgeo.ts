/** Flat-top hex geometry in map units. Directions run N, NE, SE, S, SW, NW. */
import type { Box, Point } from './geometry';

export const HEX_WIDTH = 100;
export const HEX_HEIGHT = (HEX_WIDTH * Math.sqrt(3)) / 2;

export interface Axial {
  q: number;
  r: number;
}

/** Steps to the neighbour in each direction. */
export const STEPS: readonly Axial[] = [
  { q: 0, r: -1 },
  { q: 1, r: -1 },
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
];

/** Corners relative to the centre, clockwise from the upper left: side d joins corner d to corner d + 1. */
export const CORNERS: readonly Point[] = [
  { x: -HEX_WIDTH / 4, y: -HEX_HEIGHT / 2 },
  { x: HEX_WIDTH / 4, y: -HEX_HEIGHT / 2 },
  { x: HEX_WIDTH / 2, y: 0 },
  { x: HEX_WIDTH / 4, y: HEX_HEIGHT / 2 },
  { x: -HEX_WIDTH / 4, y: HEX_HEIGHT / 2 },
  { x: -HEX_WIDTH / 2, y: 0 },
];

export function centre({ q, r }: Axial): Point {
  return { x: 0.75 * HEX_WIDTH * q, y: HEX_HEIGHT * (r + q / 2) };
}

export function key(q: number, r: number): string {
  return `${q},${r}`;
}

export function neighbour({ q, r }: Axial, direction: number): Axial {
  const step = STEPS[((direction % 6) + 6) % 6]!;
  return { q: q + step.q, r: r + step.r };
}

export function opposite(direction: number): number {
  return (direction + 3) % 6;
}

export function distance(a: Axial, b: Axial): number {
  const dq = a.q - b.q;
  const dr = a.r - b.r;
  return (Math.abs(dq) + Math.abs(dr) + Math.abs(dq + dr)) / 2;
}

/** The direction of an adjacent hex, or null if the two are not adjacent. */
export function directionTo(from: Axial, to: Axial): number | null {
  const found = STEPS.findIndex((s) => from.q + s.q === to.q && from.r + s.r === to.r);
  return found < 0 ? null : found;
}

export function corners(hex: Axial, inset = 0): Point[] {
  const c = centre(hex);
  const scale = 1 - inset / (HEX_WIDTH / 2);
  return CORNERS.map((p) => ({ x: c.x + p.x * scale, y: c.y + p.y * scale }));
}

/** The middle of a side. */
export function sideMiddle(hex: Axial, direction: number): Point {
  const c = centre(hex);
  const a = CORNERS[direction]!;
  const b = CORNERS[(direction + 1) % 6]!;
  return { x: c.x + (a.x + b.x) / 2, y: c.y + (a.y + b.y) / 2 };
}

/** The hex that holds a point. */
export function hexAt({ x, y }: Point): Axial {
  const q = x / (0.75 * HEX_WIDTH);
  const r = y / HEX_HEIGHT - q / 2;
  const s = -q - r;
  let rq = Math.round(q);
  let rr = Math.round(r);
  const rs = Math.round(s);
  const dq = Math.abs(rq - q);
  const dr = Math.abs(rr - r);
  const ds = Math.abs(rs - s);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq + 0, r: rr + 0 };
}

/** The box round the centres' hexes, with a margin in map units. */
export function bounds(hexes: readonly Axial[], margin = 0): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const hex of hexes) {
    const c = centre(hex);
    left = Math.min(left, c.x - HEX_WIDTH / 2);
    right = Math.max(right, c.x + HEX_WIDTH / 2);
    top = Math.min(top, c.y - HEX_HEIGHT / 2);
    bottom = Math.max(bottom, c.y + HEX_HEIGHT / 2);
  }
  if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
  return {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

/**
 * The closed outlines of a region of hexes, clockwise for outer edges. Each edge is a side between a member and
 * a hex that is not one.
 */
export function outlines(region: readonly Axial[], isMember: (q: number, r: number) => boolean): Point[][] {
  const edges = new Map<string, { from: Point; to: Point; next: string }>();
  const id = (p: Point) => `${Math.round(p.x * 10)},${Math.round(p.y * 10)}`;
  for (const hex of region) {
    const points = corners(hex);
    for (let d = 0; d < 6; d++) {
      const beyond = neighbour(hex, d);
      if (isMember(beyond.q, beyond.r)) continue;
      const from = points[d]!;
      const to = points[(d + 1) % 6]!;
      // At a corner exactly three hexes meet, so at most one boundary edge leaves it.
      edges.set(id(from), { from, to, next: id(to) });
    }
  }
  const loops: Point[][] = [];
  while (edges.size > 0) {
    const loop: Point[] = [];
    let at = edges.keys().next().value as string;
    for (let edge = edges.get(at); edge; edge = edges.get(at)) {
      edges.delete(at);
      loop.push(edge.from);
      at = edge.next;
    }
    loops.push(loop);
  }
  return loops;
}
