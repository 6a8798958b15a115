/** How places lie to one another, in words for those who do not look at the map. Pure. */
import { t } from './i18n';
import type { Objective } from './goals';
import type { Place } from './protocol';
import type { Ground } from './surface/ground';
import { bearing, named, spotOf, type Spot } from './surface/places';

type Told = Pick<Ground, 'at' | 'lattice' | 'lie'>;

const WIND = 45;
/** As many objectives are named at each place. */
const MOST = 2;

/** How far it is from one place to another: in hexes on a map, else in inches to a tenth. */
function farOf(ground: Told, from: Place, to: Place): number {
  if (ground.lattice) return ground.lattice.apart(from, to);
  const [a, b] = [spotOf(from), spotOf(to)];
  return a && b ? Math.round(Math.hypot(a[0] - b[0], a[1] - b[1]) / 100) / 10 : Infinity;
}

function windOf(ground: Told, from: Place, to: Place): string {
  const [a, b] = [ground.at(from)!, ground.at(to)!];
  const degrees = bearing([a.x, a.y] as Spot, [b.x, b.y] as Spot);
  return t.table.winds[Math.round(degrees / WIND) % t.table.winds.length]!;
}

/** The nearest objectives of a place: how far they are, in which direction, and whose. */
export function nearObjectives(
  ground: Told,
  place: Place,
  objectives: readonly Objective[],
  sideName: (side: string) => string,
): string[] {
  return objectives
    .filter((one) => ground.at(one.place) && ground.at(place))
    .map((one) => ({ one, far: farOf(ground, place, one.place) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ one, far }) => {
      const name = ground.lie(one.place)?.label || named(one.place);
      const holder = one.holder === null ? t.position.nobody : sideName(one.holder);
      if (far === 0) return t.position.onObjective(name, holder);
      const length = ground.lattice ? t.position.hexes(far) : t.table.length(far);
      return t.position.objective(name, holder, length, windOf(ground, place, one.place));
    });
}

/** The ground on a way, each kind once, in the order in which it is entered. */
export function groundOn(ground: Told, path: readonly Place[]): string {
  const kinds = path.slice(1).flatMap((place) => ground.lie(place)?.terrain ?? []);
  return t.terrain([...new Set(kinds)]);
}
