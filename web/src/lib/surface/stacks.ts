/** Counters that lie on one another: which of them lies on top. Pure. */
import type { Unit, UnitId } from '../protocol';

/** What decides the order in which the counters of a stack are shown. */
export interface Standing {
  /** Units that something can be done with, or to. */
  able: ReadonlySet<UnitId>;
  /** Units that are chosen or have the focus: they lie above all others. */
  lifted: ReadonlySet<UnitId>;
}

/** The stack from its foot to its top: units that can act lie above the others, leaders above units of their like. */
export function pileOf(stack: readonly Unit[], { able, lifted }: Standing): Unit[] {
  const height = (unit: Unit) =>
    (unit.carrier !== null ? -8 : 0) +
    (lifted.has(unit.id) ? 4 : 0) +
    (able.has(unit.id) ? 2 : 0) +
    (unit.rank ? 1 : 0);
  return [...stack].sort((a, b) => height(a) - height(b));
}
