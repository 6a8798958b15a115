/** Where the counters lie on the map, and which above which. Pure. */
import type { Point } from '../geometry';
import type { Place, Unit, UnitId } from '../protocol';
import type { Ground } from './ground';

export interface Placed {
  unit: Unit;
  x: number;
  y: number;
  z: number;
  /** The side of its button, in map units. */
  size: number;
  /** How far the picture of a unit that lies under others is off its button. */
  off: Point | null;
}

export const middleOf = ({ x, y, size }: Placed): Point => ({ x: x + size / 2, y: y + size / 2 });

/** A stand at its point, or on the stand that carries it; `whole` is the side of a stand as it is drawn. */
function onTable(unit: Unit, stack: readonly Unit[], c: Point, ground: Ground, whole: number): Placed {
  const { x: aside, y: down, size: part } = ground.share!(unit, stack);
  const size = whole * part;
  const [x, y] = [c.x + aside * whole - size / 2, c.y + down * whole - size / 2];
  return { unit, x, y, z: part < 1 ? 3 : 1, size, off: null };
}

/** The counters of a hex, from the foot of the stack to its top. */
function piled(stack: readonly Unit[], c: Point, size: number): Placed[] {
  const n = stack.length;
  const step = n > 4 ? 4 : 6;
  const pile = (i: number) => ({ x: (i - (n - 1) / 2) * step, y: 4 - (i - (n - 1) / 2) * step });
  // The buttons of a stack lie exactly on one another: it is one thing to point at.
  const top = n - 1;
  const lies = pile(top);
  return stack.map((unit, i) => ({
    unit,
    x: c.x + lies.x - size / 2,
    y: c.y + lies.y - size / 2,
    z: i + 1,
    size,
    off: i === top ? null : { x: pile(i).x - lies.x, y: pile(i).y - lies.y },
  }));
}

/** All counters on the map; `pile` gives the units of a place from the foot to the top, `swollen` how much larger than
 *  true a stand is drawn. */
export function placedOn(
  ground: Ground,
  stacks: ReadonlyMap<Place, readonly Unit[]>,
  pile: (place: Place) => readonly Unit[],
  swollen: number,
): Placed[] {
  const all: Placed[] = [];
  for (const [place, lying] of stacks) {
    const c = ground.at(place);
    if (!c) continue;
    if (ground.share)
      for (const unit of lying) all.push(onTable(unit, lying, c, ground, ground.counter * swollen));
    else all.push(...piled(pile(place), c, ground.counter));
  }
  // Keyed by unit and kept in one order, so that the elements stay and can glide.
  return all.sort((a, b) => (a.unit.id < b.unit.id ? -1 : 1));
}

/** Where the name of a round stand lies, in parts of its diameter from its middle. */
const NAME = { wide: 0.5, top: 0.52, foot: 0.7 };

/** The round stands whose names would lie on other stands: their names yield to those stands' symbols. */
export function unnamed(placed: readonly Placed[]): Set<UnitId> {
  const stands = placed.filter(({ unit }) => unit.carrier === null);
  const covers = (one: Placed, other: Placed) => {
    const [a, b] = [middleOf(one), middleOf(other)];
    const aside = Math.max(0, Math.abs(b.x - a.x) - NAME.wide * one.size);
    const [above, below] = [a.y + NAME.top * one.size - b.y, b.y - (a.y + NAME.foot * one.size)];
    return Math.hypot(aside, Math.max(0, above, below)) < other.size / 2;
  };
  const yields = (one: Placed) => stands.some((other) => other !== one && covers(one, other));
  return new Set(stands.filter(yields).map(({ unit }) => unit.id));
}
