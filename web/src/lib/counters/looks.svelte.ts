/** How the counters of the game on the table look: its ruleset's own description, which comes with the map. */
import type { CounterLooks, MapData, MarkerLook } from '../protocol';

export const PLAIN_LOOKS: CounterLooks = { figures: {}, markers: {}, liveries: {}, badges: {}, short: {} };

class Looks {
  now = $state.raw(PLAIN_LOOKS);
  /** What the codes of combat results mean, in words. */
  results = $state.raw<Record<string, string>>({});
  /** The book's name for fire in answer to what the enemy does. */
  reaction = $state('');

  /** Takes over what the map of a game says in the reader's language. */
  read(data: Pick<MapData, 'results' | 'reaction'>): void {
    this.results = data.results ?? {};
    this.reaction = data.reaction ?? '';
  }
}

export const looks = new Looks();

/** How a marker of this kind looks; a plate with its first letters where the ruleset says nothing. */
export const lookOf = (kind: string): MarkerLook =>
  looks.now.markers[kind] ?? { shape: 'plate', lie: 'foot' };
