/** What lies in the way of a move, as far as the seat knows of it: told before the move is made. Pure. */
import type { Marker, Place } from './protocol';
import { spotOf, type Spot } from './surface/places';

/** The markers that harm, stop or slow those who come upon them. */
const HAZARDS = new Set([
  ...[
    'mines',
    'minefield',
    'impact',
    'wire',
    'ditch',
    'block',
    'roadblock',
    'wreck',
    'KO',
    'rubble',
    'breach',
  ],
  ...['rough-1', 'crater', 'abatis', 'bridge out', 'fallen bridge'],
]);
/** Those of them that may destroy whoever comes upon them. */
const DEADLY = new Set(['mines', 'minefield', 'impact']);

export const isDeadly = ({ kind }: Marker): boolean => DEADLY.has(kind);

const deadliestFirst = (a: Marker, b: Marker): number => Number(isDeadly(b)) - Number(isDeadly(a));

/** What lies on a path over hexes; the hex that it begins in is left. */
export function hazardsOn(path: readonly Place[], markers: readonly Marker[]): Marker[] {
  const entered = new Set(path.slice(1));
  return markers.filter(({ kind, place }) => HAZARDS.has(kind) && entered.has(place)).sort(deadliestFirst);
}

/** How far a point is from the straight line between two others. */
function away([x, y]: Spot, [ax, ay]: Spot, [bx, by]: Spot): number {
  const [dx, dy] = [bx - ax, by - ay];
  const long = dx * dx + dy * dy;
  const part = long === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / long));
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

/** What lies within a width of a way over the free table, and not where it begins; all in 1/1000 inch. */
export function hazardsAlong(way: readonly Spot[], markers: readonly Marker[], width: number): Marker[] {
  const near = (at: Spot) => way.slice(1).some((to, i) => away(at, way[i]!, to) < width);
  const start = way[0];
  return markers
    .filter(({ kind, place }) => {
      const at = HAZARDS.has(kind) ? spotOf(place) : null;
      return at !== null && near(at) && !(start && at[0] === start[0] && at[1] === start[1]);
    })
    .sort(deadliestFirst);
}
