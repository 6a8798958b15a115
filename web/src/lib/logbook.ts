/** The log as it is shown: steps of one unit's move that follow one another are one entry. Pure. */
import type { GameEvent, Place } from './protocol';

export interface Entry {
  /** The last event of the entry; its number names the entry. */
  event: GameEvent;
  /** Every place that it touched, in order, none twice running. */
  places: Place[];
  /** How many events were put together. */
  steps: number;
}

/** Whether a step goes on with an entry's move; what leads back to its start, or nowhere, is told by itself. */
function goesOn({ event: before, places }: Entry, after: GameEvent): boolean {
  return (
    before.kind === 'moved' &&
    after.kind === 'moved' &&
    before.turn === after.turn &&
    before.units.length > 0 &&
    before.units.join() === after.units.join() &&
    after.places.length > 1 &&
    places.at(-1) === after.places[0] &&
    places[0] !== after.places.at(-1)
  );
}

export function entriesOf(events: readonly GameEvent[]): Entry[] {
  const entries: Entry[] = [];
  for (const event of events) {
    const last = entries.at(-1);
    if (last && goesOn(last, event)) {
      last.event = event;
      last.places.push(...event.places.slice(1));
      last.steps += 1;
    } else {
      entries.push({ event, places: [...event.places], steps: 1 });
    }
  }
  return entries;
}
