/** How wide words are, and the largest letters in which they fit. Pure; lengths in hundredths of a counter's width. */

/** The smallest letters that can be read, in pixels of the screen. */
export const LEAST_LETTER_PX = 8.5;

/** The smallest letters that can be read on a counter of so many pixels. */
export const leastAt = (px: number): number => (100 * LEAST_LETTER_PX) / px;

const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[-ijlI.,:;'’()[\]|/·! ]/, 0.42],
  [/[frt]/, 0.5],
  [/[mwMW]/, 1.05],
  [/\p{Lu}|\+/u, 0.82],
];

/** The width of bold letters in parts of their size: that of the widest font that a system has for a page. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (CLASSES.find(([kind]) => kind.test(letter))?.[1] ?? 0.72), 0);

/** Pieces of a text in so many lines, parted where the widest line is as narrow as can be. */
export function broken(pieces: readonly string[], count: number): string[] {
  if (count === 1) return [pieces.join('').trim()];
  const ways = pieces.slice(count - 1).map((_, i) => [
    pieces
      .slice(0, i + 1)
      .join('')
      .trim(),
    ...broken(pieces.slice(i + 1), count - 1),
  ]);
  return ways.reduce((best, way) => (widest(way) < widest(best) ? way : best));
}

const widest = (lines: readonly string[]): number => Math.max(...lines.map(widthOf));

export interface Room {
  width: number;
  /** The largest letters for one line, for two, and so on. */
  sizes: readonly number[];
  least: number;
}

export interface Fitted {
  lines: string[];
  size: number;
}

/** A name in fewer lines is read more easily, unless its letters are smaller by more than this part. */
const FEWER = 0.85;

function set(pieces: readonly string[], { width, sizes, least }: Room): Fitted | null {
  const ways = sizes.slice(0, pieces.length).map((largest, i) => {
    const lines = broken(pieces, i + 1);
    return { lines, size: Math.min(largest, width / widest(lines)) };
  });
  const best = ways.reduce((found, way) => (found.size < FEWER * way.size ? way : found));
  return best.size >= least ? best : (ways.find(({ size }) => size >= least) ?? null);
}

/**
 * A text in the largest letters and the fewest lines in which it fits; null where it could not be read. It is parted
 * at its spaces, or, if that is not enough, after a hyphen or a stroke.
 */
export const fitted = (text: string, room: Room): Fitted | null =>
  set(text.match(/[^ ]* |[^ ]+/g) ?? [text], room) ??
  set(text.match(/[^ /-]*[ /-]|[^ /-]+/g) ?? [text], room);
