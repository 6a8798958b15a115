/** Several units on hexes that move together: the place that each is to come to. Pure. */
import type { Place, ReachPlace, UnitId } from '../../protocol';

/** All into one hex, each as far and in the same direction as the one that is led, or behind it along its way. */
export type Manner = 'join' | 'keep' | 'column';

export interface MapGround {
  /** How many hexes two places lie apart. */
  apart(a: Place, b: Place): number;
  /** The place that lies from another as the end of a way lies from its beginning; null off the map. */
  shifted(place: Place, from: Place, to: Place): Place | null;
}

interface Member {
  id: UnitId;
  place: Place;
}

interface Lead {
  id: UnitId;
  /** Its way, from where it stands. */
  path: readonly Place[];
}

/** The places that the units are to come to, those first that set out first: in front of the others. */
export function wishes(
  ground: MapGround,
  units: readonly Member[],
  { id, path }: Lead,
  manner: Manner,
): Map<UnitId, Place> {
  const [start, goal] = [path[0], path.at(-1)];
  if (start === undefined || goal === undefined) return new Map();
  const trail = manner === 'column' ? [...path].reverse().concat(queue(ground, units, start)) : [];
  const wish = ({ place }: Member): Place => {
    if (manner === 'join' || place === start) return goal;
    if (manner === 'keep') return ground.shifted(place, start, goal) ?? goal;
    return backAlong(ground, trail, ground.apart(place, start));
  };
  // In a formation those in front make room; in a column the one that is led is in front.
  const behind = (unit: Member) =>
    manner !== 'keep' && unit.id === id ? -1 : ground.apart(unit.place, goal);
  const ordered = [...units].sort((a, b) => behind(a) - behind(b));
  return new Map(ordered.map((unit) => [unit.id, wish(unit)]));
}

/** The places of those behind the one that is led, the nearest first. */
function queue(ground: MapGround, units: readonly Member[], start: Place): Place[] {
  const places = new Set(units.map(({ place }) => place).filter((place) => place !== start));
  return [...places].sort((a, b) => ground.apart(a, start) - ground.apart(b, start));
}

/** The last place of a trail that lies no farther back along it. */
function backAlong(ground: MapGround, trail: readonly Place[], far: number): Place {
  let walked = 0;
  for (const [i, place] of trail.entries()) {
    if (i > 0) walked += ground.apart(trail[i - 1]!, place);
    if (walked > far) return trail[i - 1]!;
  }
  return trail.at(-1)!;
}

/** Of the places in reach the one nearest to the wish; null if none is nearer than where the unit stands. */
export function nearestOnMap(
  ground: MapGround,
  from: Place,
  wish: Place,
  reach: readonly ReachPlace[],
): ReachPlace | null {
  let best: ReachPlace | null = null;
  let least = ground.apart(from, wish);
  for (const one of reach) {
    const far = ground.apart(one.place, wish);
    const safer = best !== null && far === least && one.fire.length < best.fire.length;
    if (one.steps.length > 0 && (far < least || safer)) [best, least] = [one, far];
  }
  return best;
}
