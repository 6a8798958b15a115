/** What is written on a counter besides its figures: its name, then its kind and other values. Pure. */
import { fitted, type Room } from './letters';

export interface Line {
  text: string;
  size: number;
  /** It tells more than the name. */
  detail: boolean;
}

export interface Rooms {
  name: Room;
  detail: Room;
}

/** Letters that are not bold are narrower. */
const PLAIN = 0.88;

/** The lines of a name and of what else there is to tell; what could not be read is left out. */
export function linesOf(name: string, details: readonly string[], rooms: Rooms): Line[] {
  const put = (text: string, room: Room, detail: boolean): Line[] => {
    const found = fitted(text, room);
    return found ? found.lines.map((line) => ({ text: line, size: found.size, detail })) : [];
  };
  const plain = { ...rooms.detail, width: rooms.detail.width / PLAIN };
  return [...put(name, rooms.name, false), ...details.flatMap((text) => put(text, plain, true))];
}

/** From line to line, in parts of the size of the lower one: a tail of the upper one does not reach it. */
const LEADING = 1.08;

/** The lines one above the other, the last one at `foot`. */
export function upFrom<L extends Line>(lines: readonly L[], foot: number): (L & { y: number })[] {
  const below = (i: number) => lines.slice(i + 1).reduce((sum, { size }) => sum + LEADING * size, 0);
  return lines.map((line, i) => ({ ...line, y: foot - below(i) }));
}

/** The lines one below the other, the first one at `head`. */
export function downFrom<L extends Line>(lines: readonly L[], head: number): (L & { y: number })[] {
  const above = (i: number) => lines.slice(1, i + 1).reduce((sum, { size }) => sum + LEADING * size, 0);
  return lines.map((line, i) => ({ ...line, y: head + above(i) }));
}

/** Capitals and figures reach so far above their line, in parts of their size. */
export const CAPITAL = 0.75;

/** Where a block of lines begins; `foot` where there are none. */
export const topOf = (lines: readonly (Line & { y: number })[], foot: number): number =>
  lines[0] ? lines[0].y - CAPITAL * lines[0].size : foot;
