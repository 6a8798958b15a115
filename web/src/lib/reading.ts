/** Whether the sheet of a phone has something to read that the map and the bar do not show. */
import type { Game } from './game.svelte';
import { offersOf, unplacedOf } from './offers';

/** True while an answer, a calculation or a question with choices in words waits to be read. */
export function toRead(game: Game): boolean {
  const { table } = game;
  if (game.past.moment !== null || table?.result || table?.change || table?.draw_offered_by) return true;
  const told =
    game.saying ??
    game.calculations.shown ??
    game.calculations.previewed ??
    game.calculations.aimed ??
    game.suggestion ??
    game.los.tool?.answer ??
    game.about.glance;
  if (told) return true;
  if (game.offer.reaction || game.offer.freeRegions.length > 0 || offersOf(game).roles.length > 0)
    return true;
  if (game.clicks.changing !== null) return true;
  if (game.formation.joint === 'ways' && game.formation.members.length > 0) return true;
  const waiting = game.desk.sheet !== null || unplacedOf(game).some((unit) => unit.status === 'to place');
  return waiting && game.clicks.made.length === 0;
}
