/** A scale bar that is neither too short to read nor too long for a phone. */

const LENGTHS = [1, 2, 3, 6, 12, 24, 36];
const WANTED_PX = 110;

export interface Bar {
  /** Page pixels to an inch of the table. */
  inch: number;
  inches: number;
  parts: number;
}

export function barOf(inch: number): Bar {
  const inches = LENGTHS.findLast((n) => n * inch <= WANTED_PX) ?? LENGTHS[0]!;
  return { inch, inches, parts: inches > 6 ? inches / 6 : inches };
}
