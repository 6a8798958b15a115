/** The bases of stands: discs, or squares that turn with the facing. Lengths are those of the caller. */
import type { Point } from '../../geometry';
import type { CounterLooks } from '../../protocol';
import { nearest } from '../../render/table/model';

export type Base = 'disc' | 'square';

/** The shape of the stands of a game. */
export const baseOf = (looks: CounterLooks | undefined): Base => looks?.base ?? 'disc';

const CORNERS: Record<Base, number> = { disc: 36, square: 4 };

/** The corners of a base around its middle; `half` is a radius, or half the side of a square. */
export function cornersOf(base: Base, { x, y }: Point, half: number, facing = 0): Point[] {
  const [count, far] = [CORNERS[base], base === 'square' ? half * Math.SQRT2 : half];
  return Array.from({ length: count }, (_, i) => {
    const turn = (i / count) * 2 * Math.PI + (base === 'square' ? Math.PI / 4 : 0) + radians(facing);
    return { x: x + far * Math.cos(turn), y: y + far * Math.sin(turn) };
  });
}

/** Whether two bases of one shape and size lie on each other; each has its middle and its facing. */
export function overlaps(base: Base, half: number, a: Point & Turned, b: Point & Turned): boolean {
  const gap = Math.hypot(a.x - b.x, a.y - b.y);
  if (base === 'disc' || gap >= 2 * half * Math.SQRT2) return gap < 2 * half;
  const [one, other] = [cornersOf(base, a, half, a.facing), cornersOf(base, b, half, b.facing)];
  return [a.facing, a.facing + 90, b.facing, b.facing + 90].every((axis) => {
    const [p, q] = [shadow(one, axis), shadow(other, axis)];
    return Math.min(p[1], q[1]) - Math.max(p[0], q[0]) > 1e-6;
  });
}

/** The gap between two bases of one shape and size; 0 where they touch or overlap. */
export function apart(base: Base, half: number, a: Point & Turned, b: Point & Turned): number {
  if (base === 'disc') return Math.max(0, Math.hypot(a.x - b.x, a.y - b.y) - 2 * half);
  if (overlaps(base, half, a, b)) return 0;
  const [one, other] = [cornersOf(base, a, half, a.facing), cornersOf(base, b, half, b.facing)];
  const gaps = [
    ...one.flatMap((corner) => sides(other).map((side) => nearest(corner, [side]))),
    ...other.flatMap((corner) => sides(one).map((side) => nearest(corner, [side]))),
  ];
  return Math.min(...gaps);
}

/** The point beside a square at which another one of its size and facing touches it, nearest to a point. */
export function beside(p: Point, stand: Point & Turned, width: number): Point {
  const turn = radians(stand.facing);
  const [dx, dy] = [p.x - stand.x, p.y - stand.y];
  const [u, v] = [dx * Math.cos(turn) + dy * Math.sin(turn), dy * Math.cos(turn) - dx * Math.sin(turn)];
  const onto = (n: number) => (n < 0 ? -width : width);
  const within = (n: number) => Math.max(-width, Math.min(width, n));
  const [a, b] = Math.abs(u) >= Math.abs(v) ? [onto(u), within(v)] : [within(u), onto(v)];
  return {
    x: stand.x + a * Math.cos(turn) - b * Math.sin(turn),
    y: stand.y + b * Math.cos(turn) + a * Math.sin(turn),
  };
}

const sides = (corners: readonly Point[]): [Point, Point][] =>
  corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]!]);

interface Turned {
  facing: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function shadow(corners: readonly Point[], axis: number): [number, number] {
  const turn = radians(axis);
  const along = corners.map(({ x, y }) => x * Math.cos(turn) + y * Math.sin(turn));
  return [Math.min(...along), Math.max(...along)];
}

/** The outlines of a card on a square base whose half side is 50 and whose front lies to the north. */
export const CARDS = {
  square: 'M-45-45H45V45H-45z',
  arrow: 'M0-48L45-17V45H-45V-17z',
  clipped: 'M-22-45H22L45-22V45H-45V-22z',
} as const;
