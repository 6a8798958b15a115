/** How far one sees, where night or weather limits it. */
import type { Place } from '../protocol';
import type { MapGround } from './hexes/column';

/** The places within a range of somebody who looks out, and those that are lit up. */
export function litPlaces(
  lattice: Pick<MapGround, 'apart'>,
  cells: readonly Place[],
  eyes: readonly Place[],
  range: number,
  lit: readonly Place[] = [],
): Place[] {
  const bright = new Set(lit);
  return cells.filter((cell) => bright.has(cell) || eyes.some((eye) => lattice.apart(eye, cell) <= range));
}
