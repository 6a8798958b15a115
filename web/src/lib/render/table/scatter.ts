/** Points over an area by a fixed rule: trees, reeds and stones stand where they stood before. */
import type { Point } from '../../geometry';
import { stream } from '../noise';
import { boxOf } from '../shapes';
import { nearest, sidesOf, within } from './model';

export interface Spot extends Point {
  /** A number in [0, 1) of its own. */
  whim: number;
}

/** Points about so far apart, each at least `border` inside the edge, in rows from north to south. */
export function scattered(
  rings: readonly Point[][],
  apart: number,
  border: number,
  seed: string,
  free: (p: Point) => boolean = () => true,
): Spot[] {
  const { x, y, width, height } = boxOf(rings.flat(), 0);
  const sides = sidesOf(rings);
  const next = stream(seed);
  const found: Spot[] = [];
  const row = apart * 0.866;
  for (let j = 0; j * row <= height; j++) {
    for (let i = -1; i * apart <= width; i++) {
      const shake = () => (next() - 0.5) * apart * 0.62;
      const p = { x: x + (i + (j % 2) / 2) * apart + shake(), y: y + j * row + shake() };
      const whim = next();
      if (within(p, rings) && nearest(p, sides) >= border && free(p)) found.push({ ...p, whim });
    }
  }
  return found.sort((a, b) => a.y - b.y);
}
