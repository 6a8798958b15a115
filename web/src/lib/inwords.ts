/** What the text view and the live announcements say. Pure. */
import type { Choice, GameEvent, UnitId } from './protocol';

/** The own unit that a choice is listed under: the first that acts in it, or null if none does. */
export function ownUnit(choice: Choice, isOwn: (unit: UnitId) => boolean): UnitId | null {
  return choice.units.find(isOwn) ?? null;
}

/** What is read out when events come in: all that is new, the steps of the sequence left to the prompt. */
export function announcement(events: readonly GameEvent[], most = 6): string {
  const told = events.filter((e) => e.kind !== 'step');
  return told
    .slice(-most)
    .map((e) => e.text.replace(/[.]?$/, '.'))
    .join(' ');
}
