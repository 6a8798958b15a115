/** The line of sight that the player asks for, and what is seen from a place. */
import type { Game } from '../game.svelte';
import type { LosAnswer, Place, SeesAnswer } from '../protocol';
import { textOf, wired, type Spot } from '../surface/places';

export interface LosTool {
  from: Place | null;
  to: Place | null;
  answer: LosAnswer | null;
  sees: SeesAnswer | null;
  /** Whether the view is that of a unit on the bridge of the hex. */
  high: boolean;
}

export class LineOfSight {
  tool = $state.raw<LosTool | null>(null);

  constructor(private readonly game: Game) {}

  toggle(): void {
    this.game.tape.inHand = null;
    // The server answers for the position as it is now.
    if (this.game.past.moment) return;
    if (this.tool) {
      this.tool = null;
      return;
    }
    const unit = this.game.clicks.units[0];
    const from = unit ? (this.game.units.get(unit)?.place ?? null) : null;
    this.tool = { from, to: null, answer: null, sees: null, high: false };
  }

  click(place: Place): void {
    const tool = this.tool;
    if (!tool) return;
    if (tool.from === null || tool.to !== null) {
      this.tool = { from: place, to: null, answer: null, sees: null, high: false };
      return;
    }
    if (place === tool.from) return;
    this.tool = { ...tool, to: place };
    void this.game
      .ask<LosAnswer>({ type: 'los', from: wired(tool.from), to: wired(place) })
      .then((answer) => {
        if (this.tool?.to !== place || !answer) return;
        // A point comes as its two numbers.
        const at = Array.isArray(answer.at) ? textOf(answer.at as unknown as Spot) : answer.at;
        this.tool = { ...this.tool, answer: { ...answer, at } };
      });
  }

  async toggleSees(): Promise<void> {
    const from = this.tool?.from;
    if (!this.tool || !from) return;
    if (this.tool.sees) {
      this.tool = { ...this.tool, sees: null, high: false };
      return;
    }
    const answer = await this.game.ask<SeesAnswer>({ type: 'sees', place: wired(from) });
    if (answer && this.tool?.from === from) this.tool = { ...this.tool, sees: answer };
  }

  /** Looks from the bridge of the hex, or from the floor of its gully. */
  toggleHigh(): void {
    if (this.tool) this.tool = { ...this.tool, high: !this.tool.high };
  }
}
