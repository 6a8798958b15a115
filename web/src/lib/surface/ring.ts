/** The ring round a place where points are to be had, and its sign: neither lies over a name. Pure. */
import type { Box, Point } from '../geometry';

type Span = readonly [number, number];

/** The part of a line that lies in a box, from 0 at its beginning to 1 at its end. */
function within(a: Point, b: Point, { x, y, width, height }: Box): Span | null {
  let [from, to] = [0, 1];
  for (const [start, far, low, high] of [
    [a.x, b.x - a.x, x, x + width],
    [a.y, b.y - a.y, y, y + height],
  ] as const) {
    if (far === 0) {
      if (start < low || start > high) return null;
      continue;
    }
    const [one, other] = [(low - start) / far, (high - start) / far];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to ? [from, to] : null;
}

/** The parts of a line that lie in none of these boxes. */
function outside(a: Point, b: Point, boxes: readonly Box[]): Span[] {
  const covered = boxes.map((box) => within(a, b, box)).filter((span) => span !== null);
  const found: Span[] = [];
  let at = 0;
  for (const [from, to] of [...covered].sort(([p], [q]) => p - q)) {
    if (from > at) found.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < 1) found.push([at, 1]);
  return found;
}

/** A closed ring as SVG writes it, open where one of these boxes lies. */
export function ringPath(corners: readonly Point[], boxes: readonly Box[]): string {
  const write = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  let path = '';
  let whole = true;
  let joined = false;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length]!;
    const at = (t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
    const spans = outside(a, b, boxes);
    if (spans.length !== 1 || spans[0]![0] > 0 || spans[0]![1] < 1) whole = false;
    for (const [from, to] of spans) {
      path += from === 0 && joined ? `L${write(at(to))}` : `M${write(at(from))}L${write(at(to))}`;
      joined = to === 1;
    }
    if (spans.length === 0) joined = false;
  });
  return whole ? `M${corners.map(write).join('L')}Z` : path;
}

/** A spot farther from the middle by this much. */
export function outward({ x, y }: Point, middle: Point, by: number): Point {
  const [dx, dy] = [x - middle.x, y - middle.y];
  const far = 1 + by / (Math.hypot(dx, dy) || 1);
  return { x: middle.x + dx * far, y: middle.y + dy * far };
}

/** The first of these spots where a sign this large covers no name; else the first. */
export function signSpot(spots: readonly Point[], half: number, boxes: readonly Box[]): Point {
  const free = ({ x, y }: Point) =>
    !boxes.some(
      (box) =>
        x + half > box.x && x - half < box.x + box.width && y + half > box.y && y - half < box.y + box.height,
    );
  return spots.find(free) ?? spots[0]!;
}
