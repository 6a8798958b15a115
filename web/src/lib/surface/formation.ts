/** Stands that are moved together: each goes as far and in the same direction as the one that is led. */
import type { Action, CostAnswer, Unit } from '../protocol';
import type { Ghost, Legs } from './ghost.svelte';
import { spotOf, type Spot } from './places';

export interface Follower {
  unit: Unit;
  at: Spot;
  facing: number;
  way: Spot[];
  price: CostAnswer | null;
}

/** Where the others go if the led stand goes where its ghost is. */
export function followers(units: readonly Unit[], ghost: Ghost): Omit<Follower, 'price'>[] {
  return units.flatMap((unit) => {
    const from = spotOf(unit.place ?? '');
    if (!from || unit.id === ghost.unit.id) return [];
    const moved = ([x, y]: Spot): Spot => [x + from[0] - ghost.from[0], y + from[1] - ghost.from[1]];
    const facing = ((unit.facing ?? 0) + ghost.facing - ghost.faced + 360) % 360;
    return [{ unit, at: moved(ghost.at), facing, way: ghost.way.map(moved) }];
  });
}

/** The legs of one of them: as those of the stand that is led. */
export function legsOf(follower: Pick<Follower, 'unit' | 'way' | 'facing'>, ghost: Ghost): Legs {
  const goals = follower.way.slice(1);
  const legs = goals.map((to, i): Action => {
    const facing = i === goals.length - 1 ? follower.facing : (follower.unit.facing ?? 0);
    return { ...ghost.region.action, unit: follower.unit.id, to, facing };
  });
  return legs as Legs;
}

/** Those in front set out first, so that nobody stands in the way of those behind. */
export function inOrder<T extends { unit: Unit }>(all: readonly T[], [x, y]: Spot): T[] {
  const ahead = ({ unit }: T) => {
    const at = spotOf(unit.place ?? '') ?? [0, 0];
    return at[0] * x + at[1] * y;
  };
  return [...all].sort((a, b) => ahead(b) - ahead(a));
}

/** Whether a way leads over a place that is still taken: within a stand's width of it. */
export function leadsOver(way: readonly Spot[], place: Spot, width: number): boolean {
  return way.slice(1).some((to, i) => {
    const [[ax, ay], [bx, by]] = [way[i]!, to];
    const long = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
    const part = ((place[0] - ax) * (bx - ax) + (place[1] - ay) * (by - ay)) / long;
    const near = Math.max(0, Math.min(1, part));
    return Math.hypot(ax + (bx - ax) * near - place[0], ay + (by - ay) * near - place[1]) < width;
  });
}
