/** How a map is brought into the glass. Pure; along the glass in pixels, on the map in its own units. */
import type { Box, Point } from '../geometry';

/** The box round these points, wider by `margin` on each side. */
export function around(points: readonly Point[], margin: number): Box {
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** The zoom at which a box fills a glass, with a margin. */
export function filling(box: Box, width: number, height: number, margin: number): number {
  return Math.min((width - 2 * margin) / box.width, (height - 2 * margin) / box.height);
}

/** The shift that brings all of these into the room with a margin; where there is none for all, the first ones win. */
export function shift(points: readonly number[], room: number, margin: number): number {
  const beside = Math.min(room / 4, margin);
  const [first, last] = [Math.min(...points) - beside, Math.max(...points) + beside];
  if (last > room) return -Math.min(last - room, Math.max(0, first));
  return first < 0 ? Math.min(-first, room - last) : 0;
}

/** Where the map's edge lies so that no more table is seen beside it than must be; `from` and `size` in pixels. */
export function held(value: number, from: number, size: number, room: number): number {
  const margin = 16;
  if (size + 2 * margin <= room) return (room - size) / 2 - from;
  return Math.min(margin - from, Math.max(room - margin - (from + size), value));
}

/**
 * The place round which a window of this size, in the map's units, holds the most of these places. A set-up names each
 * place for every unit in every facing, tens of thousands of times in all: each counts once.
 */
export function busiest(points: readonly Point[], width: number, height: number): Point {
  const places = [...new Map(points.map((p) => [`${p.x},${p.y}`, { x: p.x, y: p.y }])).values()];
  const near = (a: Point, b: Point) => Math.abs(a.x - b.x) * 2 < width && Math.abs(a.y - b.y) * 2 < height;
  const company = places.map((p) => places.filter((other) => near(p, other)).length);
  return places[company.indexOf(Math.max(...company))]!;
}
