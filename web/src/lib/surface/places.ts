/** Places as the wire has them and as the page has them: a hex is its name in both, a point its text in inches. */
import type { Place } from '../protocol';

/** A point of the free table, in 1/1000 inch. */
export type Spot = [number, number];

export const INCH = 1000;

/** The text of a point, in inches. */
export function textOf([x, y]: Spot): Place {
  return `${x / INCH},${y / INCH}`;
}

/** The point that a text names; null where it is the name of a hex. */
export function spotOf(place: Place): Spot | null {
  const found = /^(-?[\d.]+),(-?[\d.]+)$/.exec(place);
  return found ? [Math.round(Number(found[1]) * INCH), Math.round(Number(found[2]) * INCH)] : null;
}

const TENTH = INCH / 10;

/** A place as a sentence tells it: a hex by its name, a point in inches to a tenth, as much as a hand measures. */
export function named(place: Place): string {
  const spot = spotOf(place);
  return spot ? textOf([tenths(spot[0]), tenths(spot[1])]) : place;
}

/** The nearest tenth of an inch, halves upwards as the server tells them. */
const tenths = (length: number) => Math.floor((length + TENTH / 2) / TENTH) * TENTH;

/** A place as the server reads it. */
export function wired(place: Place): Place | Spot {
  return spotOf(place) ?? place;
}

const isSpot = (value: unknown): value is Spot => Array.isArray(value) && typeof value[0] === 'number';
const asText = (value: unknown): unknown => (isSpot(value) ? textOf(value) : value);

/** Reads a message: every place in it becomes text, so that it can be a key. Points within actions stay as they are. */
export function read<T>(data: string): T {
  return JSON.parse(data, (key: string, value: unknown) => {
    if (key === 'place') return asText(value);
    return key === 'places' && Array.isArray(value) ? value.map(asText) : value;
  }) as T;
}

/** The direction from one point to another, in whole degrees. */
export function bearing(from: Spot, to: Spot): number {
  const turn = Math.round((Math.atan2(to[0] - from[0], from[1] - to[1]) * 180) / Math.PI);
  return (turn + 360) % 360;
}
