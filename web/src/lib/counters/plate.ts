/** What a counter on a hex shows at its size on the screen, besides its figures: its name, what more there is to tell,
 *  and its symbol. Pure; the counter is 100 wide and 100 high. */
import { leastAt } from './letters';
import { linesOf, topOf, upFrom, type Line } from './lines';
import { NEAR_PX } from './near';

/** Below this no figure can be read: the symbol has all the room. */
const LETTERED_PX = 36;

export interface Named {
  /** As it is short, and whole. */
  name: string;
  whole: string;
  /** Its kind and its other values. */
  details: readonly string[];
  /** The symbol makes room for a figure at the left edge. */
  narrow: boolean;
}

export interface Plate {
  /** Whether the figures can be read. */
  lettered: boolean;
  lines: (Line & { y: number })[];
  /** The upper left corner of the symbol's box of 64 by 36, and how much larger it is drawn. */
  symbol: { x: number; y: number; scale: number };
}

type Lines = Plate['lines'];

/** The symbol in the largest size up to `most` that leaves room for the writing below it. */
function symbolAbove(
  lines: Lines,
  foot: number,
  middle: number,
  head: number,
  most: number,
): Plate['symbol'] {
  const scale = Math.min(most, (topOf(lines, foot) - 0.5 - head) / 34);
  return { x: middle - 32 * scale, y: head, scale };
}

function fromNearBy({ whole, details, narrow }: Named, px: number): Plate {
  const least = leastAt(px);
  const rooms = {
    name: { width: 88, sizes: [7.6, 7.6], least },
    detail: { width: 88, sizes: [6.5, 6.5], least: Math.min(6, least) },
  };
  const lines = upFrom(linesOf(whole, details, rooms), 80.5);
  const symbol = narrow ? symbolAbove(lines, 82, 60, 16, 1.1) : symbolAbove(lines, 82, 50, 13.5, 1.235);
  return { lettered: true, lines, symbol };
}

export function plateOf(named: Named, px: number): Plate {
  if (px >= NEAR_PX) return fromNearBy(named, px);
  if (px < LETTERED_PX) return { lettered: false, lines: [], symbol: { x: 6.8, y: 28, scale: 1.35 } };
  const least = leastAt(px);
  const grown = (size: number, most: number) => Math.max(size, Math.min(most, least));
  const name = { width: 84, sizes: [grown(10.5, 14), grown(9.2, 11)], least };
  const lines = upFrom(linesOf(named.name, [], { name, detail: name }), 73.5);
  const symbol = named.narrow ? symbolAbove(lines, 74, 55.4, 27, 0.98) : symbolAbove(lines, 74, 50, 28, 1.03);
  return { lettered: true, lines, symbol };
}
