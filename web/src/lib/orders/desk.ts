/** Written orders: what can be given to the chosen units, and what is still missing. Pure. */
import type { OrderMark, Sheet, Unit, UnitId, UnitMark, WrittenOrder } from '../protocol';

/** An order as it can be given to several units: its marker is the same. */
export interface OrderKind {
  key: string;
  mark: OrderMark;
}

export function keyOf({ mark }: { mark: OrderMark }): string {
  return `${mark.code} ${mark.title}`;
}

/** Every kind of order that the sheet knows, in the order of the first unit that can have it. */
export function kindsOf(sheet: Sheet): OrderKind[] {
  const found = new Map<string, OrderKind>();
  // The unit with the longest list has the rulebook's order of them all, or nearly.
  const lists = Object.values(sheet.can).sort((a, b) => b.length - a.length);
  for (const order of lists.flat()) {
    const key = keyOf(order);
    if (!found.has(key)) found.set(key, { key, mark: order.mark });
  }
  return [...found.values()];
}

/** The orders of this kind for those of the units that can have it, each of its own. */
export function ordersFor(sheet: Sheet, kind: string, units: Iterable<UnitId>): WrittenOrder[] {
  return [...units].flatMap((unit) => of(sheet, kind, unit, null) ?? []);
}

/** One order of this kind that the units share: the first has it, the others take part in it where they can. */
export function sharedFor(sheet: Sheet, kind: string, units: Iterable<UnitId>): WrittenOrder[] {
  const [leader, ...others] = [...units].filter((unit) => of(sheet, kind, unit, null));
  if (leader === undefined) return [];
  const shared = others.flatMap((unit) => of(sheet, kind, unit, leader) ?? of(sheet, kind, unit, null) ?? []);
  return [of(sheet, kind, leader, null)!, ...shared];
}

/** Whether units can share orders at all. */
export function canShare(sheet: Sheet): boolean {
  return Object.values(sheet.can).some((orders) => orders.some((order) => order.leader !== null));
}

function of(sheet: Sheet, kind: string, unit: UnitId, leader: UnitId | null): WrittenOrder | undefined {
  return sheet.can[unit]?.find((order) => keyOf(order) === kind && order.leader === leader);
}

export function without(sheet: Sheet): UnitId[] {
  return sheet.units.filter((unit) => sheet.orders[unit] === undefined);
}

/** How many units have each kind of order. */
export function counts(sheet: Sheet): Map<string, number> {
  const found = new Map<string, number>();
  for (const order of Object.values(sheet.orders)) {
    const key = keyOf(order);
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  return found;
}

/** The marker that lies on a unit: the one being written, or the one that it has. */
export function markOn(unit: Unit, sheet: Sheet | null): UnitMark | null {
  if (!sheet?.units.includes(unit.id)) return unit.mark ?? null;
  const written = sheet.orders[unit.id];
  return written ? { ...written.mark, open: false } : null;
}
