/** Paths from outlines. */
import type { Box, Point } from '../geometry';
import { wave } from './noise';

/** A closed outline with its corners rounded and its edge a little uneven, as points. */
export function softened(loop: Point[], wobble: number, pieces = 5): Point[] {
  const points: Point[] = [];
  const n = loop.length;
  for (let i = 0; i < n; i++) {
    const before = loop[(i + n - 1) % n]!;
    const at = loop[i]!;
    const after = loop[(i + 1) % n]!;
    const a = { x: (before.x + at.x) / 2, y: (before.y + at.y) / 2 };
    const b = { x: (at.x + after.x) / 2, y: (at.y + after.y) / 2 };
    for (let k = 0; k < pieces; k++) {
      const t = k / pieces;
      const u = 1 - t;
      points.push({
        x: u * u * a.x + 2 * u * t * at.x + t * t * b.x,
        y: u * u * a.y + 2 * u * t * at.y + t * t * b.y,
      });
    }
  }
  if (wobble === 0) return points;
  return points.map((p, i) => {
    const m = normal(points, i);
    const w = wave(p.x * 1.9, p.y * 1.9) * wobble;
    return { x: p.x + m.x * w, y: p.y + m.y * w };
  });
}

/** The unit vector that points out of a clockwise outline. */
export function normal(points: Point[], i: number): Point {
  const n = points.length;
  const a = points[(i + n - 1) % n]!;
  const b = points[(i + 1) % n]!;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: (b.y - a.y) / length, y: -(b.x - a.x) / length };
}

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

/** Whether a place lies in a hex round (0, 0), with a margin kept free inside its sides. */
export function inHex(dx: number, dy: number, margin: number): boolean {
  const apothem = 43.3 - margin;
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  return ay <= apothem && ax * 0.8660254 + ay * 0.5 <= apothem;
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
