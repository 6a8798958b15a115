/** Where dice carry what is aimed on the free table: before they fall by distances, afterwards as a way. Pure. */
import type { Drift, GameEvent } from '../../protocol';
import { INCH, spotOf, type Spot } from '../places';

/** The half width of the disc with the chance of one place, in inches. */
export const DISC = 0.42;
/** Distances that differ by less are one: diagonal ways are rounded. */
const FINE = 0.05;

/** A distance from the place that is aimed at, in inches, and the chance of it in whatever direction. */
export interface Band {
  inches: number;
  chance: number;
}

const apart = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1]) / INCH;

/** The bands of a spread round its first place; null where each place has room for a disc of its own. */
export function bandsOf(spread: readonly Drift[]): Band[] | null {
  const spots = spread.flatMap(({ place, chance }) => {
    const at = spotOf(place);
    return at ? [{ at, chance }] : [];
  });
  const [aim] = spots;
  const crowded = spots.some(({ at }, i) =>
    spots.slice(0, i).some((other) => apart(at, other.at) < 2 * DISC),
  );
  if (!aim || !crowded) return null;
  const bands: Band[] = [];
  for (const { at, chance } of spots) {
    const inches = apart(at, aim.at);
    const band = bands.find((one) => Math.abs(one.inches - inches) < FINE);
    if (band) band.chance += chance;
    else bands.push({ inches, chance });
  }
  return bands.sort((a, b) => a.inches - b.inches);
}

/** A chance in words: never nothing for something. */
export function percent(chance: number): string {
  return chance > 0 && chance < 0.005 ? '<1 %' : `${Math.round(100 * chance)} %`;
}

export interface Deviation {
  n: number;
  from: Spot;
  to: Spot;
  inches: number;
  text: string;
}

/** The deviations of a turn, as far as the log tells of them. */
export function deviationsOf(log: readonly GameEvent[], turn: number): Deviation[] {
  const found: Deviation[] = [];
  for (let i = log.length - 1; i >= 0 && log[i]!.turn === turn; i--) {
    const { n, kind, places, text } = log[i]!;
    const [from, to] = places.map(spotOf);
    if (kind === 'deviation' && from && to) found.push({ n, from, to, inches: apart(from, to), text });
  }
  return found.reverse();
}
