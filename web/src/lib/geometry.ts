/** Points and boxes in map units, of any ground. */

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The corners of a polygon as SVG writes them. */
export function polygonPoints(points: readonly Point[]): string {
  return points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ');
}

/** Whether a point lies within a closed ring. */
export function inside({ x, y }: Point, ring: readonly Point[]): boolean {
  let odd = false;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) odd = !odd;
  });
  return odd;
}

/** The part of the map that is in view, from left to right, in map units. */
export interface Seen {
  left: number;
  right: number;
}

/** The middle of something `wide` beside `x`: as near to it as the ends of what is seen allow, in the middle of those if
 *  it is wider. */
export function within(x: number, wide: number, { left, right, gap }: Seen & { gap: number }): number {
  const room = wide / 2 + gap;
  return left + room > right - room ? (left + right) / 2 : Math.min(right - room, Math.max(left + room, x));
}
