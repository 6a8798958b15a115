/** Where the film writes, so that its words cover neither of those who fight. Pure; lengths in map units. */
import type { Box, Point } from '../geometry';

/** The room that the name of a gun needs between two counters, half of its height and of its least width, in pixels. */
const ROOM = 70;
const HALF = { x: 45, y: 11 };
/** The room that a card is given before it is measured, in pixels. */
export const CARD = { width: 300, height: 115 };

/** The room that the card of a target may take; `middle` of its width, `edge` of it nearest to the target. */
export function cardBox(middle: number, edge: number, below: boolean, pen: number, wide = CARD.width): Box {
  const [width, height] = [wide * pen, CARD.height * pen];
  return { x: middle - width / 2, y: below ? edge : edge - height, width, height };
}

/** Whether a gun's name at this point keeps clear of a box; `half` of its width in pixels. */
function clear({ x, y }: Point, box: Box, pen: number, half: number): boolean {
  const apart = (at: number, from: number, size: number, room: number) =>
    at + room * pen <= from || at - room * pen >= from + size;
  return apart(x, box.x, box.width, half) || apart(y, box.y, box.height, HALF.y);
}

/**
 * The middle of a gun's name: on the line of fire, or beside it where the line is too short, and where the card of the
 * target does not cover it. `size` is the side of a counter, `pen` a page pixel, `wide` the name's width in pixels.
 */
export function besideLine(
  from: Point,
  to: Point,
  size: number,
  pen: number,
  card: Box,
  wide = 2 * HALF.x,
): Point {
  const half = Math.max(HALF.x, wide / 2);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const onLine = { x: from.x + dx * 0.42, y: from.y + dy * 0.42 };
  const middle = { x: from.x + dx / 2, y: from.y + dy / 2 };
  // Square to the line, to the upper side of it; beside a line up or down to the right of it.
  const [nx, ny] = length === 0 ? [0, -1] : [dy / length, -dx / length];
  const up = ny < -0.01 || (Math.abs(ny) <= 0.01 && nx > 0) ? 1 : -1;
  const off = (size / 2 + Math.abs(nx) * half * pen + 12 * pen) * up;
  const sides = [off, -off].map((by) => ({ x: middle.x + nx * by, y: middle.y + ny * by }));
  const free = [...(length - size >= Math.max(ROOM, wide) * pen ? [onLine] : []), ...sides].find((at) =>
    clear(at, card, pen, half),
  );
  // On the other side of the target than its card.
  const beyond = card.y < to.y ? 1 : -1;
  return free ?? { x: to.x, y: to.y + beyond * (size / 2 + (HALF.y + 4) * pen) };
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
