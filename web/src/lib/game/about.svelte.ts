/** What the server tells about units when it is asked: data cards, what the map knows, a look over the own side. */
import type { Game } from '../game.svelte';
import type { Card, GlanceAnswer, GroupAnswer, Overlay, UnitId } from '../protocol';

export class About {
  /** Whom the leader that is pointed out would activate with him. */
  group = $state.raw<Set<UnitId>>(new Set());
  groupOf: UnitId | null = null;
  /** One look over the own side; null while it is not wanted. */
  glance = $state.raw<GlanceAnswer['units'] | null>(null);
  /** What can be asked about units here, besides what every rulebook answers. */
  asks = $state.raw<ReadonlySet<string>>(new Set());
  /** The unit whose data card is open. */
  carded = $state<UnitId | null>(null);
  /** What the map shows about a unit; null while it is not wanted. */
  overlay = $state.raw<Overlay | null>(null);
  private overlayOf: UnitId | null = null;
  /** Who sees whom, for the text view; empty until it is known. */
  watched = $state.raw<GlanceAnswer['units']>([]);

  constructor(private readonly game: Game) {}

  /** Another position: what was told holds no more, and a look over the own side is asked for anew. */
  renew(): void {
    this.hideOverlay();
    this.group = this.designated();
    this.groupOf = null;
    this.watched = [];
    if (!this.glance) return;
    this.glance = [];
    this.askGlance();
  }

  /** Whom the activation reaches that is being prepared. */
  designated(): Set<UnitId> {
    return new Set(this.game.table?.view.designation?.units ?? []);
  }

  async card(unit: UnitId, at: UnitId | null): Promise<Card | null> {
    const answer = await this.game.ask<{ card: Card }>({ type: 'card', unit, ...(at ? { at } : {}) });
    return answer?.card ?? null;
  }

  /** Opens the data card of the unit that is looked at. */
  openCard(unit: UnitId | null = this.game.inspected): void {
    if (unit !== null && this.asks.has('card') && this.game.past.moment === null) this.carded = unit;
  }

  /** Shows or hides what the map knows about the unit that is looked at. */
  toggleOverlay(unit: UnitId | null = this.game.inspected): void {
    const shown = this.overlayOf;
    this.hideOverlay();
    if (unit === null || shown === unit || !this.asks.has('overlay') || this.game.past.moment) return;
    this.overlayOf = unit;
    void this.game.ask<{ overlay: Overlay }>({ type: 'overlay', unit }).then((answer) => {
      if (answer && this.overlayOf === unit) this.overlay = answer.overlay;
    });
  }

  /** Shows or hides what threatens the own side, and what it sees. */
  toggleGlance(): void {
    if (this.glance) this.glance = null;
    else if (this.asks.has('glance') && !this.game.past.moment) this.askGlance();
  }

  watch(): void {
    if (!this.asks.has('glance') || this.game.past.moment || this.game.side === null) return;
    const { position } = this.game;
    void this.game.ask<GlanceAnswer>({ type: 'glance' }).then((answer) => {
      if (answer?.units && this.game.position === position) this.watched = answer.units;
    });
  }

  askGlance(): void {
    const { position } = this.game;
    this.game.offer.readAll();
    void this.game.ask<GlanceAnswer>({ type: 'glance' }).then((answer) => {
      if (answer?.units && this.game.position === position) this.glance = answer.units;
    });
  }

  hideOverlay(): void {
    this.overlay = null;
    this.overlayOf = null;
  }

  askGroup(unit: UnitId | undefined): void {
    const leads = this.game.clicks.left.some(
      (c) => c.action.type === 'ActivateLeader' && c.units[0] === unit,
    );
    if (!leads || unit === undefined) {
      this.group = this.designated();
      this.groupOf = null;
      return;
    }
    if (this.groupOf === unit) return;
    this.groupOf = unit;
    void this.game.ask<GroupAnswer>({ type: 'group', unit }).then((answer) => {
      if (answer?.units && this.groupOf === unit) this.group = new Set(answer.units.map((u) => u.unit));
    });
  }
}
