/** Facings on hexes: the direction to which hull or turret of the chosen unit is about to turn. */
import type { Game } from '../game.svelte';
import { nearestOf, nextOf, roseOf, wayOf } from '../surface/rose';

export class Facing {
  meant = $state.raw<{ part: 'hull' | 'turret'; way: number; of: string } | null>(null);

  constructor(private readonly game: Game) {}

  /** The directions in which the chosen unit may turn, where there are hexes. */
  rose = $derived.by(() =>
    this.game.asked && this.game.ground?.cells.length
      ? roseOf(
          this.game.offer.choices,
          this.game.clicks.made,
          (unit) => this.game.units.get(unit)?.place ?? null,
        )
      : null,
  );

  /** The direction that is about to be taken, by drag or by keys. */
  heading = $derived.by(() => (this.meant !== null && this.meant.of === this.roseKey ? this.meant : null));

  private get roseKey(): string {
    return `${this.game.position} ${this.rose?.unit} ${this.rose?.place}`;
  }

  /** Leads hull or turret to the direction nearest to an angle, in degrees from north; says whether there is any. */
  lead(part: 'hull' | 'turret', degrees: number): boolean {
    const way = this.rose ? nearestOf(this.rose[part], degrees) : null;
    if (way !== null) this.meant = { part, way, of: this.roseKey };
    return way !== null;
  }

  /** Leads hull or turret on to the next direction, clockwise or back. */
  wheel(part: 'hull' | 'turret', step: 1 | -1): void {
    const { rose } = this;
    if (!rose) return;
    const now = this.heading?.part === part ? this.heading.way : wayOf(this.game.units.get(rose.unit), part);
    const way = nextOf(rose[part], now, step);
    if (way !== null) this.meant = { part, way, of: this.roseKey };
  }

  /** Turns to the direction that is led to; says whether there is one. */
  turn(): boolean {
    const { rose, heading } = this;
    const choice = heading ? rose?.[heading.part].get(heading.way) : undefined;
    this.meant = null;
    if (choice) this.game.decisions.play(choice);
    return choice !== undefined;
  }
}
