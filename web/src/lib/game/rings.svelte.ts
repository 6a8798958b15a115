/** The rings round a stand of the free table: its range, command and field of fire. */
import type { Game } from '../game.svelte';
import type { AroundAnswer, UnitId } from '../protocol';

export class Rings {
  /** The stand round which the rings of its range lie, and what the server said of its fire. */
  of = $state<UnitId | null>(null);
  fire = $state.raw<AroundAnswer | null>(null);
  /** The server has not answered yet what that stand's fire is. */
  asked = $state(false);

  constructor(private readonly game: Game) {}

  /** Draws the rings of a stand, or takes those that lie there away. */
  toggle(unit: UnitId | null): void {
    if (!this.game.ground?.measures) return;
    this.of = this.of === unit ? null : unit;
    this.ask();
  }

  ask(): void {
    this.fire = null;
    this.asked = false;
    const { of: ringed } = this;
    const { position } = this.game;
    if (ringed === null || this.game.past.moment || !this.game.ground?.grip || !this.game.seat) return;
    this.asked = true;
    // A ruleset that knows nothing of it has rings all the same.
    const asked = this.game.seat.socket.ask<AroundAnswer>({ type: 'around', unit: ringed }).catch(() => null);
    void asked.then((answer) => {
      if (this.of !== ringed || this.game.position !== position) return;
      this.asked = false;
      if (answer?.bands) this.fire = answer;
    });
  }
}
