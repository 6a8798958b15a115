/** Clicks that were made while a decision was on its way, kept for the answer to it. Pure. */
import type { Token } from './narrow';
import type { Side, UnitId } from './protocol';

/** The own unit that was clicked, what was clicked for it afterwards, and when that was. */
export interface Ahead {
  unit: UnitId | null;
  aim: Token | null;
  when: { side: Side | null; turn: number; step: string | undefined };
}

/** The clicks with another one: an own unit begins anew, everything else is an aim. */
export function kept(before: Ahead | null, token: Token, isOwn: boolean, when: Ahead['when']): Ahead {
  if ('unit' in token && isOwn) return { unit: token.unit, aim: null, when };
  return { unit: before?.unit ?? null, aim: token, when };
}

/** The unit with which an attack that is being built goes on. */
export function joiner({ unit, aim }: Ahead): UnitId | null {
  return unit ?? (aim && 'unit' in aim ? aim.unit : null);
}

/** What is aimed at where the unit cannot be chosen: that unit may be the aim itself, as a vehicle to get on. */
export function aimed({ unit, aim }: Ahead): Token | null {
  return aim ?? (unit === null ? null : { unit });
}
