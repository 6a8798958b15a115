/** Placing units by keys: the waiting units, and the zone in which the chosen one may stand. */
import type { Game } from './game.svelte';
import type { Place, Unit, UnitId } from './protocol';

/** True if this is the button of the waiting unit that is chosen: then a place is what Enter means. */
export function isWaiting(game: Game, target: HTMLElement): boolean {
  const waits = target.closest<HTMLElement>('[data-waiting]')?.dataset.waiting;
  return waits !== undefined && game.clicks.made.some((token) => 'unit' in token && token.unit === waits);
}

/** Chooses a waiting unit and goes to its button; says whether it is one. */
export function toWaiting(game: Game, unit: UnitId): boolean {
  const button = document.querySelector<HTMLElement>(`[data-waiting="${CSS.escape(unit)}"]`);
  if (!button) return false;
  if (!isWaiting(game, button)) {
    game.clicks.made = [];
    game.clicks.unit(unit);
  }
  button.focus();
  return true;
}

/** What a waiting unit is, whatever its number: those that carry the same are interchangeable, and one stands for all. */
export function kindInWaiting(unit: Unit, nameOf: (id: UnitId) => string): string {
  return [unit.name, ...unit.cargo.map(nameOf)].map((name) => name.replace(/ \d+$/, '')).join(' | ');
}

/** A place near the middle of those where the chosen unit may be put; null where none is lit. */
export function zoneOf(game: Game): Place | null {
  const places = [...game.clicks.glow.places];
  const points = places.map((place) => game.ground?.at(place) ?? null).filter((point) => point !== null);
  if (points.length === 0) return null;
  const middle = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [middle(points.map((p) => p.x)), middle(points.map((p) => p.y))];
  const far = (place: Place) => {
    const point = game.ground?.at(place);
    return point ? Math.hypot(point.x - x, point.y - y) : Infinity;
  };
  return places.reduce((best, place) => (far(place) < far(best) ? place : best));
}
