/** The tray: the stack under the pointer as a column beside the map, so that it covers nothing. */
import type { Game } from '../game.svelte';
import type { Place, Unit, UnitId } from '../protocol';
import { sheeted } from '../screen';
import { pileOf } from './stacks';

/** A pointer that is on its way to the tray passes over other stacks: they are shown only if it stays on them. */
const SETTLE_MS = 140;

export class Tray {
  /** The counter on the map that has the focus. */
  focused = $state<UnitId | null>(null);
  private shown = $state<Place | null>(null);
  private timer = 0;

  constructor(private readonly game: Game) {}

  private lifted = $derived.by(() => {
    const chosen = this.game.clicks.made.flatMap((token) => ('unit' in token ? [token.unit] : []));
    return new Set(this.focused === null ? chosen : [...chosen, this.focused]);
  });

  /** The place whose units are shown; null where none was pointed at, or none are left. */
  place = $derived.by(() => (this.shown !== null && this.game.stacks.has(this.shown) ? this.shown : null));
  /** Its units, the top one first. */
  stack = $derived.by(() => (this.place === null ? [] : this.pile(this.place).reverse()));

  /** The units at a place as they are shown, from the foot of the stack to its top. */
  pile(place: Place): Unit[] {
    return pileOf(this.game.stacks.get(place) ?? [], { able: this.game.offer.able, lifted: this.lifted });
  }

  /** The pointer comes to a place of the map, or leaves the map. */
  point(place: Place | null): void {
    clearTimeout(this.timer);
    if (place !== null && this.game.stacks.has(place))
      this.timer = window.setTimeout(() => this.show(place), SETTLE_MS);
  }

  /** Shows the units at a place at once. */
  show(place: Place): void {
    clearTimeout(this.timer);
    if (this.shown === place) return;
    this.shown = place;
    if (this.stack.length > 1) this.game.handling.fans++;
  }

  /** Puts the stack away; says whether there was one. */
  putAway(): boolean {
    const shown = this.place !== null;
    clearTimeout(this.timer);
    this.shown = null;
    return shown;
  }

  /** The player goes on with something at that place, or with something off the map. A finger never leaves a stack as
   * a pointer does: on a phone, where the tray takes room from the map, another stack is put away. */
  goOn(place: Place | null): void {
    if (sheeted.current && place !== this.shown) this.shown = null;
  }

  /** The player is asked something new: on a phone a stack of which no unit can act or be acted on is put away. */
  renew(): void {
    const { able } = this.game.offer;
    if (this.game.asked && !this.stack.some((unit) => able.has(unit.id))) this.goOn(null);
  }
}
