/** What is written beside a way: every whole inch along it, and sentences in lines. */
import type { Point } from '../../geometry';
import { PER_INCH } from '../../render/table/model';

export function marksAlong(way: readonly Point[]): (Point & { inches: number })[] {
  const found: (Point & { inches: number })[] = [];
  let gone = 0;
  way.slice(1).forEach((b, i) => {
    const a = way[i]!;
    const far = Math.hypot(b.x - a.x, b.y - a.y);
    for (let n = Math.floor(gone / PER_INCH) + 1; n * PER_INCH < gone + far - 1; n++) {
      const t = (n * PER_INCH - gone) / far;
      found.push({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, inches: n });
    }
    gone += far;
  });
  return found;
}

const WIDEST = 38;

/** A sentence in lines of at most so many letters, broken between words. */
export function inLines(text: string, widest = WIDEST): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < widest) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
