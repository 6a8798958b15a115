/** Looking back: which moment is meant. Pure. */
import type { MomentInfo, Side } from './protocol';

export interface TurnStart {
  n: number;
  turn: number;
  side: Side | null;
  /** Which of the side's parts of the turn begins, where it has several; else 0. */
  part: number;
}

/** The first moment of each player turn. */
export function turnStarts(moments: MomentInfo[]): TurnStart[] {
  const starts = moments.flatMap(({ turn, side }, n) => {
    const before = moments[n - 1];
    return before && before.turn === turn && before.side === side ? [] : [{ n, turn, side }];
  });
  return starts.map((start) => {
    const alike = starts.filter(({ turn, side }) => turn === start.turn && side === start.side);
    return { ...start, part: alike.length > 1 ? alike.findIndex(({ n }) => n === start.n) + 1 : 0 };
  });
}

/** The moment just after a log entry was written. */
export function momentOfEvent(moments: MomentInfo[], entry: number): number {
  const found = moments.findIndex((m) => m.log >= entry);
  return found < 0 ? moments.length - 1 : found;
}

/** The start of the turn before or after a moment; null if no such turn was played. */
export function turnBeside(moments: MomentInfo[], n: number, step: 1 | -1): number | null {
  const starts = turnStarts(moments).map((s) => s.n);
  return (step > 0 ? starts.find((s) => s > n) : starts.findLast((s) => s < n)) ?? null;
}

/** The moment that an address names after its #. */
export function momentOfHash(hash: string): number | null {
  const found = /^#moment=(\d{1,9})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

export function linkToMoment(origin: string, game: string, n: number): string {
  return `${origin}/play/${encodeURIComponent(game)}#moment=${n}`;
}
