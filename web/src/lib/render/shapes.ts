/** Paths from outlines. */
import type { Box, Point } from '../geometry';

export function pathOf(loops: Point[][]): Path2D {
  const path = new Path2D();
  for (const loop of loops) {
    loop.forEach((p, i) => (i === 0 ? path.moveTo(p.x, p.y) : path.lineTo(p.x, p.y)));
    path.closePath();
  }
  return path;
}

export function boxOf(points: Point[], margin: number): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const p of points) {
    left = Math.min(left, p.x);
    right = Math.max(right, p.x);
    top = Math.min(top, p.y);
    bottom = Math.max(bottom, p.y);
  }
  return {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

export function meets(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** A rectangle turned about its middle. */
export function turnedRect(path: Path2D, x: number, y: number, w: number, h: number, angle: number): void {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const at = (dx: number, dy: number): [number, number] => [x + dx * c - dy * s, y + dx * s + dy * c];
  path.moveTo(...at(-w / 2, -h / 2));
  path.lineTo(...at(w / 2, -h / 2));
  path.lineTo(...at(w / 2, h / 2));
  path.lineTo(...at(-w / 2, h / 2));
  path.closePath();
}

/** Closed outlines through the middles of their pieces, so that they have no corners. */
export function smooth(loops: readonly Point[][]): Path2D {
  const path = new Path2D();
  for (const loop of loops) {
    const n = loop.length;
    const middle = (i: number): [number, number] => {
      const [a, b] = [loop[i % n]!, loop[(i + 1) % n]!];
      return [(a.x + b.x) / 2, (a.y + b.y) / 2];
    };
    path.moveTo(...middle(0));
    for (let i = 1; i <= n; i++) {
      const p = loop[i % n]!;
      path.quadraticCurveTo(p.x, p.y, ...middle(i));
    }
    path.closePath();
  }
  return path;
}
