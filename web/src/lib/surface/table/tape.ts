/** Lengths of tapes, and goals told in words. All places are in 1/1000 inch. */
import type { Tape } from '../../game.svelte';
import type { Spot } from '../places';

const INCH = 1000;

export function inchesOf({ from, to }: Tape): number {
  return Math.hypot(from.at[0] - to.at[0], from.at[1] - to.at[1]) / INCH;
}

/** The inches between the edges of two stands; null where an end lies on the ground. */
export function gapOf(tape: Tape, base: number): number | null {
  if (tape.from.unit === null || tape.to.unit === null) return null;
  return Math.max(0, inchesOf(tape) - base / INCH);
}

/** The point so many inches off in a direction: whole degrees, 0 to the north, clockwise. */
export function off([x, y]: Spot, degrees: number, inches: number): Spot {
  const turn = (degrees * Math.PI) / 180;
  return [Math.round(x + Math.sin(turn) * inches * INCH), Math.round(y - Math.cos(turn) * inches * INCH)];
}
