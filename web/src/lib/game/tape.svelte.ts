/** The tape measure of the free table, and the tapes that are left lying. */
import type { Game } from '../game.svelte';
import type { Place, UnitId } from '../protocol';
import { spotOf, type Spot } from '../surface/places';

/** An end of a tape on the free table, in 1/1000 inch; at a stand or on the ground. */
export interface TapeEnd {
  at: Spot;
  unit: UnitId | null;
}

export interface Tape {
  from: TapeEnd;
  to: TapeEnd;
}

export class TapeMeasure {
  /** The tape measure is in the hand; its first end, once that lies. */
  inHand = $state.raw<{ from: TapeEnd | null } | null>(null);
  /** Tapes left lying. */
  laid = $state.raw<readonly Tape[]>([]);
  /** The inches around the beginning of the last tape within which stands are listed; 0 for none. */
  near = $state(0);

  constructor(private readonly game: Game) {}

  toggle(): void {
    if (!this.game.ground?.measures) return;
    this.game.los.tool = null;
    this.inHand = this.inHand ? null : { from: null };
  }

  /** An end of a tape: at a stand, or at a point of the ground. */
  measure(end: TapeEnd): void {
    const from = this.inHand?.from;
    if (!from) this.inHand = { from: end };
    else {
      if (from.at[0] !== end.at[0] || from.at[1] !== end.at[1]) this.laid = [...this.laid, { from, to: end }];
      this.inHand = { from: null };
    }
  }

  measureTo(unit: UnitId | null, place: Place | null): void {
    const at = place === null ? null : spotOf(place);
    if (at) this.measure({ at, unit });
  }
}
