/** A data card, made ready to be drawn. Pure. */
import { chanceValue } from '../narrow';
import type { Card, CardSpot, Curve, Duel, Plate } from '../protocol';

/** The six wedges round a vehicle, clockwise from its front, and the angle that each belongs to. */
export const WEDGES: readonly Plate['angle'][] = [
  'front',
  'front side',
  'rear side',
  'rear',
  'rear side',
  'front side',
];

/** The wedge that a bearing falls into, both in degrees clockwise from north; of two wedges the one with this angle. */
export function wedgeOf(bearing: number, facing: number, angle: Plate['angle'] | null): number {
  const off = (((bearing - facing) % 360) + 360) % 360;
  const far = (wedge: number) => Math.abs(((off - 60 * wedge + 540) % 360) - 180);
  const wedges = [0, 1, 2, 3, 4, 5].filter((wedge) => angle === null || WEDGES[wedge] === angle);
  return wedges.reduce((best, wedge) => (far(wedge) < far(best) ? wedge : best));
}

/** The armour of a part as it is struck from a wedge. */
export function platesOf(card: Card, wedge: number, part: Plate['part']): Plate[] {
  return card.plates.filter((plate) => plate.part === part && plate.angle === WEDGES[wedge]);
}

/** The corners of a curve, range against penetration: it holds to the end of each band and then drops. */
export function steps(curve: Curve): [number, number][] {
  let from = 0;
  return curve.bands.flatMap(({ distance, penetration }) => {
    const step: [number, number][] = [
      [from, penetration],
      [distance, penetration],
    ];
    from = distance;
    return step;
  });
}

/** The armour that a duel meets, each strength once with the places that have it, the strongest first. */
export function armours(duel: Duel): { value: number; titles: string[] }[] {
  const found = new Map<number, string[]>();
  for (const spot of duel.spots) {
    if (spot.armor !== null) found.set(spot.armor, [...(found.get(spot.armor) ?? []), spot.title]);
  }
  return [...found]
    .sort(([a], [b]) => b - a)
    .map(([value, titles]) => ({ value, titles: [...new Set(titles)] }));
}

/** The weight of an effect: how bad it is for the target. */
const LOST = new Set(['knocked out', 'brewed up']);
const NOTHING = new Set(['miss', 'no penetration', 'no damage']);

export function weightOf(effect: string): 'x' | 'd' | 'none' {
  return LOST.has(effect) ? 'x' : NOTHING.has(effect) ? 'none' : 'd';
}

/** The effects of a hit at one place as parts of all hits there, the worst first. */
export function sharesOf(spot: CardSpot): { effect: string; percent: number }[] {
  const whole = chanceValue(spot.chance) || 1;
  const order = { x: 0, d: 1, none: 2 };
  return spot.effects
    .map(([effect, chance]) => ({ effect, percent: (100 * chanceValue(chance)) / whole }))
    .sort((a, b) => order[weightOf(a.effect)] - order[weightOf(b.effect)]);
}
