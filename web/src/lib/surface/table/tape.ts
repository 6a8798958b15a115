/** Lengths of tapes, and goals told in words. All places are in 1/1000 inch. */
import type { Tape, TapeEnd, TapeMeasure } from '../../game/tape.svelte';
import type { Unit, UnitId } from '../../protocol';
import { spotOf, type Spot } from '../places';

const INCH = 1000;

export function inchesOf({ from, to }: Tape): number {
  return Math.hypot(from.at[0] - to.at[0], from.at[1] - to.at[1]) / INCH;
}

/** The inches between the edges of two stands; null where an end lies on the ground. */
export function gapOf(tape: Tape, base: number): number | null {
  if (tape.from.unit === null || tape.to.unit === null) return null;
  return Math.max(0, inchesOf(tape) - base / INCH);
}

export interface Near {
  id: UnitId;
  inches: number;
}

/** The stands whose centres lie within some inches of a point, the nearest first. */
export function nearTo(at: Spot, inches: number, stands: Iterable<Pick<Unit, 'id' | 'place'>>): Near[] {
  const all = [...stands].flatMap(({ id, place }) => {
    const spot = place === null ? null : spotOf(place);
    return spot ? [{ id, inches: Math.hypot(spot[0] - at[0], spot[1] - at[1]) / INCH }] : [];
  });
  return all.filter((one) => one.inches <= inches).sort((a, b) => a.inches - b.inches);
}

/** The point that is asked about: where the tape in the hand begins, or the last one that lies. */
export function middleOfTapes(tape: Pick<TapeMeasure, 'inHand' | 'laid'>): TapeEnd | null {
  return tape.inHand?.from ?? tape.laid.at(-1)?.from ?? null;
}

/** The point so many inches off in a direction: whole degrees, 0 to the north, clockwise. */
export function off([x, y]: Spot, degrees: number, inches: number): Spot {
  const turn = (degrees * Math.PI) / 180;
  return [Math.round(x + Math.sin(turn) * inches * INCH), Math.round(y - Math.cos(turn) * inches * INCH)];
}
