/** Clicks that were made while a decision was on its way, kept for the answer to it. Pure. */
import type { Token } from './narrow';
import type { Side, UnitId } from './protocol';

/** The own unit that was clicked, what was clicked for it afterwards, and when that was. */
export interface Ahead {
  unit: UnitId | null;
  aim: Token | null;
  when: When;
}

/** When a click was made: by which side, and in whose turn. */
export interface When {
  side: Side | null;
  turn: number;
  current: Side | null;
  step: string | undefined;
}

/** The clicks with another one: an own unit begins anew, everything else is an aim. */
export function kept(before: Ahead | null, token: Token, isOwn: boolean, when: When): Ahead {
  if ('unit' in token && isOwn) return { unit: token.unit, aim: null, when };
  const unit = before?.when.side === when.side ? before.unit : null;
  return { unit, aim: token, when };
}

/** What a position that has come in means for clicks: whose turn it is, who looks at it, and what is asked. */
export interface Now extends Omit<When, 'step'> {
  asked: boolean;
  reaction: boolean;
}

/** What becomes of the clicks: they are taken, wait while the other side is asked something, or are forgotten. */
export function fateOf({ when }: Ahead, now: Now): 'take' | 'wait' | 'forget' {
  if (when.turn !== now.turn || when.current !== now.current) return 'forget';
  if (when.side !== now.side || !now.asked) return 'wait';
  return now.reaction ? 'forget' : 'take';
}

/** The unit with which an attack that is being built goes on. */
export function joiner({ unit, aim }: Ahead): UnitId | null {
  return unit ?? (aim && 'unit' in aim ? aim.unit : null);
}

/** What is aimed at where the unit cannot be chosen: that unit may be the aim itself, as a vehicle to get on. */
export function aimed({ unit, aim }: Ahead): Token | null {
  return aim ?? (unit === null ? null : { unit });
}
