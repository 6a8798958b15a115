/** Plans that are played step by step: what ends them. Pure. */
import type { GameEvent, Side } from './protocol';

/** The first thing that the plan of a side did not foresee: the other side acted, or a unit was lost; null if none. */
export function unforeseen(happened: readonly GameEvent[], side: Side | null): GameEvent | null {
  const acted = (event: GameEvent) => event.side !== null && event.side !== side && event.dice.length > 0;
  return happened.find((event) => acted(event) || event.kind === 'eliminated') ?? null;
}
