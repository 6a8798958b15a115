/** The orders that this seat writes: which units are chosen, and what is done to their orders. */
import * as desk from './desk';
import type { OrderKind } from './desk';
import type { Action, Sheet, UnitId, UnitMark, WrittenOrder } from '../protocol';
import type { Game } from '../game.svelte';

export class Desk {
  /** The units that the next order goes to. */
  chosen = $state.raw<ReadonlySet<UnitId>>(new Set());
  /** The player has been told which units are without an order, and may press again. */
  asked = $state(false);

  /** The chosen units are to share one order. */
  sharing = $state(false);

  constructor(private readonly game: Game) {}

  sheet = $derived.by((): Sheet | null => (this.game.past.moment ? null : (this.game.table?.sheet ?? null)));
  kinds = $derived.by((): OrderKind[] => (this.sheet ? desk.kindsOf(this.sheet) : []));
  counts = $derived.by((): Map<string, number> => (this.sheet ? desk.counts(this.sheet) : new Map()));
  missing = $derived.by((): UnitId[] => (this.sheet ? desk.without(this.sheet) : []));
  canShare = $derived.by((): boolean => this.sheet !== null && desk.canShare(this.sheet));
  /** The only unit that is chosen. */
  alone = $derived.by((): UnitId | null => (this.chosen.size === 1 ? ([...this.chosen][0] ?? null) : null));
  /** The kind of order that all chosen units have. */
  given = $derived.by((): string | null => {
    const kinds = new Set(
      [...this.chosen].map((unit) => {
        const order = this.sheet?.orders[unit];
        return order ? desk.keyOf(order) : null;
      }),
    );
    return kinds.size === 1 ? ([...kinds][0] ?? null) : null;
  });

  mark(id: UnitId): UnitMark | null {
    const unit = this.game.units.get(id);
    return unit ? desk.markOn(unit, this.sheet) : null;
  }

  /** Those of the chosen units that can have it. */
  able(kind: string): WrittenOrder[] {
    return this.sheet ? desk.ordersFor(this.sheet, kind, this.chosen) : [];
  }

  has(unit: UnitId): boolean {
    return this.sheet?.units.includes(unit) ?? false;
  }

  choose(units: Iterable<UnitId>): void {
    this.asked = false;
    this.chosen = new Set([...units].filter((unit) => this.has(unit)));
  }

  /** A click: this unit alone, or with Shift this one too; chosen alone already, it is let go. */
  click(unit: UnitId, more: boolean): void {
    const chosen = new Set(this.chosen);
    if (!more) this.choose(this.alone === unit ? [] : [unit]);
    else if (chosen.delete(unit)) this.choose(chosen);
    else this.choose(chosen.add(unit));
  }

  give(kind: string): void {
    const { sheet, sharing, chosen } = this;
    this.write(sheet && sharing ? desk.sharedFor(sheet, kind, chosen) : this.able(kind));
  }

  giveTo(unit: UnitId, order: WrittenOrder): void {
    this.choose([unit]);
    this.write([order]);
  }

  /** The order with this number in the palette. */
  giveNumber(number: number): boolean {
    const kind = this.kinds[number - 1];
    if (!kind || this.chosen.size === 0) return false;
    this.give(kind.key);
    return true;
  }

  again(): void {
    const { sheet, chosen } = this;
    if (!sheet) return;
    const last = Object.entries(sheet.last).filter(([unit]) => chosen.size === 0 || chosen.has(unit));
    this.write(last.map(([, order]) => order));
  }

  /** Strikes off the orders of the chosen units; of all if none is chosen. */
  clear(): void {
    const written = Object.keys(this.sheet?.orders ?? {});
    const [unit, ...then] = this.chosen.size === 0 ? written : written.filter((id) => this.chosen.has(id));
    if (unit !== undefined) this.game.decisions.decide({ type: 'erase', unit, then });
    this.asked = false;
  }

  /** Hands the sheet in; where units have no order, only when pressed again. */
  handIn(): void {
    if (this.missing.length > 0 && !this.asked && !this.sheet?.bad) this.asked = true;
    else this.game.decisions.decide({ type: 'hand-in' });
  }

  /** Writes these orders; what the units had before is struck off. */
  writeAll([action, ...then]: Action[]): void {
    if (!action) return;
    this.asked = false;
    this.game.decisions.decide({ type: 'write', action, then });
  }

  private write(orders: WrittenOrder[]): void {
    this.writeAll(orders.map((order) => order.action));
  }
}
