/** What the game is about: objectives, exits and the sources of points, from the conditions of a view. Pure. */
import type { GameEvent, Place, Side, UnitId, VictoryLine, View } from './protocol';

/** A place that counts for whoever holds it when the game ends. */
export interface Objective {
  place: Place;
  holder: Side | null;
  /** The points of it for each side that gets any; none where holding it decides by itself. */
  worth: { side: Side; points: number }[];
  /** How near stands have to be, in 1/1000 inch; 0 where a place is a hex. */
  near: number;
}

/** A place by which units of a side leave for points, at once. */
export interface Exit {
  place: Place;
  side: Side;
  points: number;
}

/** Points that a side has now, and where they come from. */
export interface Source {
  side: Side;
  what: Place | UnitId;
  place: Place | null;
  points: number;
}

type Told = Pick<View, 'victory' | 'control'>;

const HOLDING = new Set(['control', 'decision']);

export function objectivesOf({ victory, control }: Told): Objective[] {
  const found = new Map<Place, Objective>();
  for (const line of victory) {
    if (!HOLDING.has(line.kind ?? '')) continue;
    for (const place of line.places ?? []) {
      const objective = found.get(place) ?? { place, holder: control?.[place] ?? null, worth: [], near: 0 };
      objective.near = Math.max(objective.near, line.near ?? 0);
      if (line.each) addWorth(objective, line.side, line.each);
      found.set(place, objective);
    }
  }
  return [...found.values()];
}

function addWorth({ worth }: Objective, side: Side, points: number): void {
  const known = worth.find((one) => one.side === side);
  if (known) known.points += points;
  else worth.push({ side, points });
}

export function exitsOf({ victory }: Told): Exit[] {
  return victory.flatMap((line) =>
    line.kind === 'exit'
      ? (line.places ?? []).map((place) => ({ place, side: line.side, points: line.each ?? 0 }))
      : [],
  );
}

/** Every source of points; units that are gone count where the log saw them last. */
export function sourcesOf(view: View, log: readonly GameEvent[]): Source[] {
  return view.victory.flatMap((line) => sourcesIn(line, view, log));
}

export function sourcesIn(
  { side, kind, counted }: VictoryLine,
  view: View,
  log: readonly GameEvent[],
): Source[] {
  return (counted ?? []).map(({ what, points }) => ({
    side,
    what,
    points,
    place: kind === 'control' ? what : lastPlace(what, view, log),
  }));
}

function lastPlace(unit: UnitId, view: View, log: readonly GameEvent[]): Place | null {
  const here = view.units.find((one) => one.id === unit)?.place;
  const told = log.findLast((event) => event.units.includes(unit) && event.places.length > 0);
  return here ?? told?.places.at(-1) ?? null;
}

/** Places under the names that the map has for them; those of one name together. */
export function namedPlaces(
  places: readonly Place[],
  nameOf: (place: Place) => string,
): { name: string; places: Place[] }[] {
  const found = new Map<string, Place[]>();
  for (const place of places) found.set(nameOf(place), [...(found.get(nameOf(place)) ?? []), place]);
  return [...found].map(([name, all]) => ({ name, places: all }));
}
