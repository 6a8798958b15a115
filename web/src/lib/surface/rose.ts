/** The directions in which the chosen unit may turn, or be set down: a choice for each. Pure. */
import { candidates, type Token } from '../narrow';
import type { Choice, Place, Unit, UnitId } from '../protocol';

/** A ring of directions, 0 north and so on clockwise, each with the choice that it means. */
export type Ring = ReadonlyMap<number, Choice>;

export interface Rose {
  unit: UnitId;
  /** Where it is drawn. */
  place: Place;
  hull: Ring;
  turret: Ring;
}

const NONE: Ring = new Map();

/** A choice that says no more than a direction besides what is chosen already. */
function direction({ action }: Choice): number | null {
  const { facing } = action;
  return typeof facing === 'number' && Number.isInteger(facing) && facing >= 0 && facing < 6 ? facing : null;
}

const besides = ({ action }: Choice): string => JSON.stringify({ ...action, facing: null });

function ring(choices: readonly Choice[]): Ring {
  const same = choices.filter((choice) => besides(choice) === besides(choices[0]!));
  if (same.length < choices.length) return NONE;
  return new Map(choices.map((choice) => [direction(choice)!, choice]));
}

/** The rose of what has been clicked, if that leaves directions to choose from. */
export function roseOf(
  choices: readonly Choice[],
  clicked: readonly Token[],
  placeOf: (unit: UnitId) => Place | null,
): Rose | null {
  const unit = clicked.flatMap((token) => ('unit' in token ? [token.unit] : []))[0];
  if (unit === undefined) return null;
  const place = clicked.flatMap((token) => ('place' in token ? [token.place] : []))[0] ?? placeOf(unit);
  const open = candidates(choices, clicked).filter((choice) => direction(choice) !== null);
  const turns = open.filter((choice) => choice.kind === 'turn' && choice.action.unit === unit);
  const isTurret = (choice: Choice) => choice.action.type === 'AdjustTurret';
  const hull = turns.length > 0 ? turns.filter((choice) => !isTurret(choice)) : open;
  const found = {
    unit,
    hull: hull.length > 0 ? ring(hull) : NONE,
    turret: new Map<number, Choice>() as Ring,
  };
  const swings = turns.filter(isTurret);
  if (swings.length > 0) found.turret = ring(swings);
  return place !== null && found.hull.size + found.turret.size > 1 ? { ...found, place } : null;
}

/** The direction in which the hull or the turret of a unit points; a turret without one of its own points ahead. */
export function wayOf(unit: Pick<Unit, 'facing' | 'turret'> | undefined, part: 'hull' | 'turret'): number {
  const degrees = (part === 'turret' ? unit?.turret : undefined) ?? unit?.facing ?? 0;
  return Math.round(degrees / 60);
}

/** How many hexsides two directions lie apart. */
export function sidesApart(a: number, b: number): number {
  const by = (a - b + 6) % 6;
  return Math.min(by, 6 - by);
}

/** The next direction of a ring from another one, clockwise or against it. */
export function nextOf(ring: Ring, from: number, step: 1 | -1): number | null {
  for (let i = 1; i <= 6; i++) {
    const way = (from + step * i + 36) % 6;
    if (ring.has(way)) return way;
  }
  return null;
}

/** The direction of a ring that lies nearest to an angle, in degrees from north. */
export function nearestOf(ring: Ring, degrees: number): number | null {
  const off = (way: number) => Math.abs(((way * 60 - degrees + 540) % 360) - 180);
  return [...ring.keys()].reduce<number | null>(
    (best, way) => (best === null || off(way) < off(best) ? way : best),
    null,
  );
}
