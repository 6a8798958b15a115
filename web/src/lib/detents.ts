/** Where the sheet of a phone rests, and where it goes when the finger lets go of it. */

export type Detent = 'closed' | 'half' | 'full';

export const DETENTS: readonly Detent[] = ['closed', 'half', 'full'];

/** As fast as this (pixels in a millisecond) a finger throws the sheet. */
const THROWN = 0.5;

/** The pixels of the body that show at each rest. */
export type Heights = Record<Detent, number>;

/** The rest nearest to so many pixels, or the next one in the direction of a throw; `speed` is positive upwards.
 *
 * A sheet thrown up from 40 pixels rests half open: `restOf(40, 1, {closed: 0, half: 300, full: 700})` is 'half'.
 */
export function restOf(body: number, speed: number, heights: Heights): Detent {
  if (speed > THROWN) return DETENTS.find((one) => heights[one] > body) ?? 'full';
  if (speed < -THROWN) return DETENTS.findLast((one) => heights[one] < body) ?? 'closed';
  return DETENTS.reduce((best, one) =>
    Math.abs(heights[one] - body) < Math.abs(heights[best] - body) ? one : best,
  );
}

/** The rest that follows on a tap: a closed sheet opens, an open one closes. */
export function tapped(rest: Detent): Detent {
  return rest === 'closed' ? 'half' : 'closed';
}

/** The next rest upwards or downwards. */
export function stepped(rest: Detent, step: 1 | -1): Detent {
  return DETENTS[Math.max(0, Math.min(2, DETENTS.indexOf(rest) + step))]!;
}
