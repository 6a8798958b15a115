/** Stands under the pointer: they are dragged, turned and set down. */
import type { Game } from '../../game.svelte';
import type { Point } from '../../geometry';
import type { Unit, UnitId } from '../../protocol';
import { PER_INCH } from '../../render/table/model';
import { settings } from '../../settings.svelte';
import type { Grip, Manner } from '../ground';
import type { Spot } from '../places';
import type { TableGround } from './ground';
import { drawn } from './magnet';

/** A notch of the wheel, or a press of a key. */
export const TURN = 15;

const tableOf = (game: Game) => game.ground as TableGround;

/** So far from a road, an edge, a stand or a range the magnet holds. */
const PULL = 0.15 * PER_INCH;

/** The point that a pointer means for the stand that it leads. */
function meant(game: Game, at: Point): Spot {
  const { ghost } = game.stand;
  const table = tableOf(game);
  if (ghost) ghost.heldBy = null;
  if (!ghost || !settings.magnet || ghost.template || ghost.fixed) return table.spot(at);
  const own = new Set([ghost.unit.id, ...ghost.unit.cargo, ...game.formation.members]);
  const others = [...game.units.values()].filter((unit) => !own.has(unit.id) && unit.carrier === null);
  const middles = (units: readonly Unit[]) =>
    units.flatMap((unit) => {
      const at = unit.place && table.at(unit.place);
      return at ? [{ ...at, facing: unit.facing ?? 0 }] : [];
    });
  const held = drawn(at, PULL, {
    features: table.model.features,
    stands: middles(others),
    foes: middles(others.filter((unit) => unit.side !== ghost.unit.side)),
    ranges: table.measures && ghost.unit.range > 0 ? [ghost.unit.range * PER_INCH] : [],
    base: table.counter,
    shape: table.shape,
  });
  if (held) ghost.heldBy = held.by;
  return table.spot(held ?? at);
}

export const grip: Grip = {
  take(game: Game, unit: UnitId): boolean {
    if (!game.offer.actors.includes(unit) || game.los.tool || game.tape.inHand) return false;
    void game.stand.pickUp(unit);
    return true;
  },

  lead(game: Game, to: Point): void {
    if (game.stand.ghost) game.stand.ghost.following = false;
    game.stand.lead(meant(game, to));
  },

  hover(game: Game, at: Point): void {
    if (game.stand.ghost?.following && !game.los.tool && !game.tape.inHand) game.stand.lead(meant(game, at));
  },

  drop(game: Game, { touch }: Manner): void {
    if (touch || game.stand.ghost?.fixed) void game.stand.ghost?.settled();
    else void game.stand.setDown();
  },

  click(game: Game, at: Point, { touch, bend }: Manner): boolean {
    const { ghost } = game.stand;
    if (!ghost || game.los.tool || game.tape.inHand) return false;
    game.stand.lead(meant(game, at));
    ghost.following = false;
    if (bend) ghost.bend();
    else if (!touch && !ghost.fixed) void game.stand.setDown();
    return true;
  },

  turn(game: Game, step: 1 | -1): boolean {
    game.stand.ghost?.turn(step * TURN);
    return game.stand.ghost !== null;
  },

  twist(game: Game, degrees: number): boolean {
    if (!game.stand.ghost?.moved) return false;
    game.stand.ghost.turn(Math.round(degrees));
    return true;
  },
};
