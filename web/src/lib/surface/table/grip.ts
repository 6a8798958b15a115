/** Stands under the pointer: they are dragged, turned and set down. */
import type { Game } from '../../game.svelte';
import type { Point } from '../../geometry';
import type { UnitId } from '../../protocol';
import type { Grip, Manner } from '../ground';
import type { TableGround } from './ground';

/** A notch of the wheel, or a press of a key. */
export const TURN = 15;

const tableOf = (game: Game) => game.ground as TableGround;

export const grip: Grip = {
  take(game: Game, unit: UnitId): boolean {
    if (!game.actors.includes(unit) || game.los || game.measuring) return false;
    void game.pickUp(unit);
    return true;
  },

  lead(game: Game, to: Point): void {
    if (game.ghost) game.ghost.following = false;
    game.leadGhost(tableOf(game).spot(to));
  },

  hover(game: Game, at: Point): void {
    if (game.ghost?.following && !game.los && !game.measuring) game.leadGhost(tableOf(game).spot(at));
  },

  drop(game: Game, { touch }: Manner): void {
    if (touch || game.ghost?.fixed) void game.ghost?.settled();
    else void game.setDown();
  },

  click(game: Game, at: Point, { touch, bend }: Manner): boolean {
    const { ghost } = game;
    if (!ghost || game.los || game.measuring) return false;
    game.leadGhost(tableOf(game).spot(at));
    ghost.following = false;
    if (bend) ghost.bend();
    else if (!touch && !ghost.fixed) void game.setDown();
    return true;
  },

  turn(game: Game, step: 1 | -1): boolean {
    game.ghost?.turn(step * TURN);
    return game.ghost !== null;
  },

  twist(game: Game, degrees: number): boolean {
    if (!game.ghost?.moved) return false;
    game.ghost.turn(Math.round(degrees));
    return true;
  },
};
