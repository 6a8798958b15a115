/** Where a hex tells what it costs to enter: below its counters, and never on a name. */
import type { Point } from '../../geometry';
import { centre, HEX_HEIGHT } from '../../hexgeo';
import type { MapHex } from '../../protocol';

/** From the edge of the hex to the middle of the figure. */
const INSIDE = 7.5;
/** Clear of the number at the top of the hex. */
const ASIDE = 26;

/** The middle of the figure: at the foot of the hex, or beside its number if a name stands at its foot. */
export function costSpot(hex: MapHex): Point {
  const { x, y } = centre(hex);
  const far = HEX_HEIGHT / 2 - INSIDE;
  return hex.label ? { x: x + ASIDE, y: y - far } : { x, y: y + far };
}
