/** Where the film writes, so that its words cover neither of those who fight. Pure; lengths in map units. */
import type { Point } from '../geometry';

/** The room that the name of a gun needs between two counters. */
const ROOM = 70;

/**
 * The middle of a gun's name: on the line of fire, or beside it where the line is too short. `size` is the side of a
 * counter, `pen` a page pixel.
 */
export function besideLine(from: Point, to: Point, size: number, pen: number): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length - size >= ROOM * pen) return { x: from.x + dx * 0.42, y: from.y + dy * 0.42 };
  const middle = { x: from.x + dx / 2, y: from.y + dy / 2 };
  // Square to the line, to the upper side of it; beside a line up or down to the right of it.
  const [nx, ny] = length === 0 ? [0, -1] : [dy / length, -dx / length];
  const up = ny < -0.01 || (Math.abs(ny) <= 0.01 && nx > 0) ? 1 : -1;
  const off = size / 2 + (Math.abs(nx) * ROOM * pen) / 2 + 12 * pen;
  return { x: middle.x + nx * up * off, y: middle.y + ny * up * off };
}

/** Whether what is said of a target hangs below it: at the upper edge of the map, or if a firer stands close above. */
export function hangsBelow(
  target: Point,
  firers: readonly Point[],
  top: number,
  size: number,
  pen: number,
): boolean {
  const card = 110 * pen + size / 2;
  if (target.y - top < card) return true;
  const near = (from: Point) => Math.abs(from.x - target.x) < size + ROOM * pen;
  const above = firers.some((from) => near(from) && from.y < target.y && target.y - from.y < card + size / 2);
  const under = firers.some((from) => near(from) && from.y > target.y && from.y - target.y < card + size / 2);
  return above && !under;
}

/** The middle of something `wide` beside `x`: as near to it as the ends of what is seen allow, in the middle of those if
 *  it is wider. */
export function within(
  x: number,
  wide: number,
  { left, right, gap }: { left: number; right: number; gap: number },
): number {
  const room = wide / 2 + gap;
  return left + room > right - room ? (left + right) / 2 : Math.min(right - room, Math.max(left + room, x));
}
