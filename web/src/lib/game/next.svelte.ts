/** The unit that is chosen for the player, where only one can be meant or one follows on another. */
import type { Game } from '../game.svelte';
import * as narrow from '../narrow';
import type { Token } from '../narrow';
import type { Choice, UnitId } from '../protocol';

export class NextUnit {
  /** The chosen unit was chosen for the player: a click on it means that unit, too. */
  isChosen = false;
  /** The kind of the last decision. */
  lastKind = '';
  /** Whose turn it is after the one that is moving has stopped. */
  afterStop: UnitId | null = null;

  constructor(private readonly game: Game) {}

  /** Chooses a unit, and aims at what the player has clicked ahead for it. */
  choose(unit: UnitId, aim: Token | null = null): void {
    const chosen = (this.game.clicks.made = [{ unit }]);
    this.isChosen = true;
    this.game.tray.goOn(this.game.units.get(unit)?.place ?? null);
    const known = () => {
      this.game.reach.ask();
      if (aim && this.game.clicks.made === chosen) void this.game.ahead.aim(aim);
    };
    const reading = this.game.offer.unread({ unit });
    if (reading) void reading.then(known);
    else known();
  }

  /** The unit that must be meant; null if it is for the player to say. */
  found(): UnitId | null {
    return this.toAct() ?? this.onlyMover() ?? this.toPlace();
  }

  /** The unit that a click must mean when all moves are one unit's. */
  private onlyMover(): UnitId | null {
    const [only, ...others] = this.game.offer.actors;
    if (this.game.offer.known === 'some') return only !== undefined && others.length === 0 ? only : null;
    return narrow.onlyMover(this.game.offer.choices);
  }

  private toAct(): UnitId | null {
    const next = this.afterStop;
    this.afterStop = null;
    return next !== null && this.game.offer.actors.includes(next) ? next : null;
  }

  private toPlace(): UnitId | null {
    if (this.lastKind !== 'place') return null;
    // What stands on the map already is there to be taken up again, if anything.
    const waits = (c: Choice) =>
      c.kind === 'place' && c.units[0] && this.game.units.get(c.units[0])?.place === null;
    const known = this.game.offer.choices.find(waits)?.units[0] ?? null;
    return (
      known ?? this.game.offer.actors.find((id) => this.game.units.get(id)?.status === 'to place') ?? null
    );
  }
}
