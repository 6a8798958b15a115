/** Stands under the pointer: they are dragged, turned and set down. */
import type { Game } from '../../game.svelte';
import type { Point } from '../../geometry';
import type { UnitId } from '../../protocol';
import type { Grip } from '../ground';
import type { TableGround } from './ground';

/** A notch of the wheel, or a press of a key. */
export const TURN = 15;

const tableOf = (game: Game) => game.ground as TableGround;

export const grip: Grip = {
  take(game: Game, unit: UnitId): boolean {
    if (!game.actors.includes(unit)) return false;
    void game.pickUp(unit);
    return true;
  },

  lead(game: Game, to: Point): void {
    game.leadGhost(tableOf(game).spot(to));
  },

  drop(game: Game): void {
    void game.ghost?.settled();
  },

  click(game: Game, at: Point): boolean {
    if (!game.ghost) return false;
    game.leadGhost(tableOf(game).spot(at));
    return true;
  },

  turn(game: Game, step: 1 | -1): boolean {
    game.ghost?.turn(step * TURN);
    return game.ghost !== null;
  },
};
