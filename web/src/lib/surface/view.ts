import type { Point } from '../geometry';

/** The point around which a window of this size, in the points' own measure, holds the most of them. */
export function busiest(points: readonly Point[], width: number, height: number): Point {
  const near = (a: Point, b: Point) => Math.abs(a.x - b.x) * 2 < width && Math.abs(a.y - b.y) * 2 < height;
  const company = points.map((p) => points.filter((other) => near(p, other)).length);
  return points[company.indexOf(Math.max(...company))]!;
}
