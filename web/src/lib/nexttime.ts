/** Standing orders that a question itself offers: to answer the next one of its kind as the player would. Pure. */
import type { Choice, Orders, UnitId } from './protocol';

/** Orders changed by one answer: a unit that is never asked again, chances too low to be asked, all fire or none. */
export type NextTime = { orders: Orders } & (
  | { kind: 'unit'; unit: UnitId }
  | { kind: 'chance'; percent: number }
  | { kind: 'always' }
  | { kind: 'never' }
);

/** More units than these are not named one by one. */
const FEW = 3;

/** The units that would fire: each shot names its firers before its target. */
function firers(shots: readonly Choice[]): UnitId[] {
  const named = shots.flatMap(({ action, units }) => {
    const own = action.unit ?? action.units;
    return typeof own === 'string' ? [own] : Array.isArray(own) ? (own as UnitId[]) : units.slice(0, 1);
  });
  return [...new Set(named)];
}

/** The orders on offer in a question with these shots, of which the best has this chance of any effect in per cent. */
export function offersFrom(orders: Orders, shots: readonly Choice[], best: number): NextTime[] {
  const units = firers(shots);
  const silent = (unit: UnitId): NextTime => ({
    kind: 'unit',
    unit,
    orders: { ...orders, units: { ...orders.units, [unit]: 'never' } },
  });
  const percent = Math.min(100, best + 1);
  return [
    ...(best > 0 ? [{ kind: 'chance' as const, percent, orders: { ...orders, least_chance: percent } }] : []),
    ...(units.length <= FEW ? units.map(silent) : []),
    { kind: 'always', orders: { ...orders, fire: 'always' } },
    { kind: 'never', orders: { ...orders, fire: 'never' } },
  ];
}
