/** Clicks that are made while a decision is on its way, and what becomes of them when the answer has come. */
import type { Game } from '../game.svelte';
import * as ahead from '../ahead';
import * as narrow from '../narrow';
import type { Token } from '../narrow';

export class ClicksAhead {
  /** What was clicked while a decision was on its way. */
  kept: ahead.Ahead | null = null;
  /** What was aimed at by such a click: a second click on it decides what the first would have decided. */
  aimed: Token | null = null;

  constructor(private readonly game: Game) {}

  /** Keeps a click until the answer to what was decided before it has come; says whether it has to wait. */
  keep(token: Token): boolean {
    const { table, side } = this.game;
    if (!table) return false;
    if (!this.game.decisions.busy) {
      // The player has gone on to something else.
      if (this.kept?.when.side === side) this.kept = null;
      return false;
    }
    const meant = this.game.asked && !this.game.offer.reaction && !this.game.decisions.presses.again;
    const isOwn = 'unit' in token && this.game.units.get(token.unit)?.side === side;
    const { turn, current } = table.view;
    const when = { side, turn, current, step: table.prompt?.step };
    if (meant) this.kept = ahead.kept(this.kept, token, isOwn, when);
    return true;
  }

  /** Goes on in a new position with what was clicked ahead, or else with the unit that must be meant. */
  goOn(): void {
    const kept = this.take();
    if (kept && this.clickKept(kept)) return;
    const unit = this.game.next.found();
    const aim = kept && ahead.aimed(kept);
    if (unit !== null) this.game.next.choose(unit, aim);
    else if (aim) void this.aim(aim);
  }

  /** The clicks that were kept, where they still mean what is asked; they wait while another side is asked. */
  private take(): ahead.Ahead | null {
    const { kept } = this;
    const { table, side, asked } = this.game;
    const { reaction } = this.game.offer;
    if (!kept || !table) return null;
    const { turn, current } = table.view;
    const fate = ahead.fateOf(kept, { side, turn, current, asked, reaction });
    if (fate !== 'wait') this.kept = null;
    return fate === 'take' ? kept : null;
  }

  /** Makes the click on a unit that was kept: it goes on with an attack or chooses the unit, which then aims at what was
   * clicked for it. Says whether there was one. Nothing else is decided on a position that nobody has looked at. */
  private clickKept(kept: ahead.Ahead): boolean {
    if (kept.when.step !== this.game.table?.prompt?.step) return false;
    const joiner = ahead.joiner(kept);
    if (this.game.view?.building && joiner !== null) this.game.clicks.unit(joiner);
    else if (kept.unit !== null && this.game.offer.actors.includes(kept.unit))
      this.game.next.choose(kept.unit, kept.aim);
    else return false;
    return true;
  }

  /** Aims at what was clicked ahead, once all is known that it needs: sets a goal or a target, and decides nothing. */
  async aim(token: Token): Promise<void> {
    const { position } = this.game;
    const { made: clicked } = this.game.clicks;
    const place = 'place' in token ? token.place : (this.game.units.get(token.unit)?.place ?? null);
    await this.game.reach.asked;
    const goes = () => place !== null && this.game.reach.places.has(place);
    if (!('place' in token && goes())) await this.game.offer.unread(token);
    // The player has clicked something else meanwhile.
    if (this.game.position !== position || this.game.clicks.made !== clicked || this.game.reach.goal !== null)
      return;
    const hits = narrow.candidates(this.game.offer.choices, [...clicked, token]).length > 0;
    if (goes() && ('place' in token || !hits)) {
      this.game.next.isChosen = false;
      this.game.reach.click(place!);
    } else if (clicked.some((one) => narrow.sameToken(one, token))) this.game.next.isChosen = false;
    // That the one who moves is to stop for another is decided by a click that is made on this position.
    else if (!('unit' in token && this.game.clicks.stopsFor(token.unit)))
      this.game.clicks.narrowTo(token, true);
  }
}
