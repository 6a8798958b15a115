/** Passing on an order of the player, instead of by a press each time. Pure. */
import type { GameEvent, Side, TableMessage, UnitId } from './protocol';

/** A side passes in this step until the turn is over; what happened before the order is no reason to stop. */
export interface Passing {
  side: Side | null;
  turn: number;
  step: string;
  log: number;
}

/** What has befallen units of the side since it said to pass: a reason to ask again; null if nothing has. */
export function disturbed(
  happened: readonly GameEvent[],
  side: Side | null,
  isOwn: (unit: UnitId) => boolean,
): GameEvent | null {
  const struck = ({ side: by, dice, units }: GameEvent) =>
    by !== side && dice.length > 0 && units.some(isOwn);
  return (
    happened.find((event) => struck(event) || (event.kind === 'eliminated' && event.units.some(isOwn))) ??
    null
  );
}

/** Whether the order still holds: for its own turn. */
export function holds(order: Passing, table: TableMessage): boolean {
  return order.turn === table.view.turn && !table.result;
}

/**
 * Whether there is nothing to do but to pass, or to end a step that has only just `opened`, and it tells nobody anything
 * if that is done at once.
 */
export function onlyPass(table: TableMessage, opened: boolean): boolean {
  const [only, ...others] = table.choices;
  if (table.guarded || !(table.whole ?? true) || !only || others.length > 0) return false;
  return only.kind === 'pass' || (opened && only.kind === 'done');
}

/** Whether a question is one of its step: which side begins the step, or how it ends, is not. */
export function isOfStep({ choices }: Pick<TableMessage, 'choices'>): boolean {
  return choices.length < 2 || choices.some(({ kind }) => kind !== 'done');
}

/** The step of a table's question: who is asked what, and when. */
export function stepOf(table: TableMessage, side: Side | null): string {
  return `${side} ${table.view.turn} ${table.prompt?.step}`;
}
