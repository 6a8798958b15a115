/** Passing by itself: where nothing else is possible, or on an order of the player. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import { disturbed, holds, isOfStep, onlyPass, stepOf, type Passing } from '../passing';
import type { UnitId } from '../protocol';
import { settings } from '../settings.svelte';

export class Passes {
  /** The order to pass for the rest of the turn. */
  order = $state.raw<Passing | null>(null);
  /** A decision was taken back: nothing is passed by itself until the next one. */
  takenBack = false;
  /** The steps in which the player has had something to decide, and the one that the page began with. */
  private decidedIn = new Set<string>();
  /** How many questions in a row the player has let pass. */
  inRow = $state(0);

  constructor(private readonly game: Game) {}

  /** Gives the order to pass for the rest of the turn, or takes it back. */
  passTheRest(): void {
    const { table } = this.game;
    const step = table?.prompt?.step;
    this.order =
      this.order || !table || step === undefined
        ? null
        : { side: this.game.side, turn: table.view.turn, step, log: this.game.log.length };
    this.takenBack = false;
    this.passOn();
  }

  /** Passes where nothing else is possible, or where the player has ordered it; says whether it does. */
  passOn(): boolean {
    const { table } = this.game;
    const { order: passing } = this;
    if (!table || this.game.past.moment || this.game.seats.handOver !== null) return false;
    if (passing && passing.side === this.game.side) {
      const own = (unit: UnitId) => this.game.units.get(unit)?.side === this.game.side;
      const event = disturbed(this.game.log.slice(passing.log), this.game.side, own);
      if (event) this.game.say(t.passing.halted, event.text, event.rule);
      if (event || !holds(passing, table)) this.order = null;
    }
    const ordered = this.order?.side === this.game.side && table.prompt?.step === this.order?.step;
    const step = stepOf(table, this.game.side);
    const opened = this.decidedIn.size > 0 && !this.decidedIn.has(step);
    const alone = settings.passAlone && !this.takenBack && onlyPass(table, opened);
    const pass = alone
      ? this.game.offer.choices[0]
      : ordered && this.game.offer.choices.find(({ kind }) => kind === 'pass');
    if (this.game.asked && pass) void this.game.decisions.sendPlay(pass.action, []);
    else if (this.game.asked && isOfStep(table)) this.decidedIn.add(step);
    return this.game.asked && !!pass;
  }
}
