/** What the log, the text view and the live announcements say. Pure. */
import { t } from './i18n';
import { chaptersOf, entriesOf, marchOf, unitsOf, type Chapter, type Entry, type March } from './logbook';
import type { Choice, GameEvent, Place, Side, UnitId } from './protocol';
import { bearing, spotOf } from './surface/places';

/** The own unit that a choice is listed under: the first that acts in it, or null if none does. */
export function ownUnit(choice: Choice, isOwn: (unit: UnitId) => boolean): UnitId | null {
  return choice.units.find(isOwn) ?? null;
}

/** The names of units and sides, as the page knows them. */
export interface Names {
  unit: (id: UnitId) => string;
  side: (id: Side) => string;
  /** The side of a unit; undefined where the page does not know the unit. */
  sideOf: (id: UnitId) => Side | undefined;
}

const INCH = 1000;
const WIND = 45;

/** The wind that leads from one point of the free table to another. */
export function windOf(from: Place, to: Place): string {
  const [a, b] = [spotOf(from)!, spotOf(to)!];
  return t.table.winds[Math.round(bearing(a, b) / WIND) % t.table.winds.length]!;
}

/** The length of a way over the free table, in inches. */
function inchesOf(places: readonly Place[]): number {
  const spots = places.map((place) => spotOf(place)!);
  const legs = spots.slice(1).map((to, i) => Math.hypot(to[0] - spots[i]![0], to[1] - spots[i]![1]));
  return Math.round(legs.reduce((sum, leg) => sum + leg, 0) / (INCH / 10)) / 10;
}

/** Whether the page tells this entry in its own words, or else in the server's. */
export const isRetold = ({ event, places }: Entry): boolean => event.kind === 'moved' && places.length > 1;

/** An entry in words: a move as a whole, all else as it was written. */
export function textOf(entry: Entry, { unit }: Names): string {
  const { event, places } = entry;
  if (!isRetold(entry)) return event.text;
  const [name, from, to] = [unit(event.units[0] ?? ''), places[0]!, places.at(-1)!];
  if (!name) return event.text;
  return overTable(name, places) ?? t.log.moves(name, from, to);
}

/** A way over the free table in words, by its length and its wind; null for one over hexes. */
export function overTable(name: string, places: readonly Place[]): string | null {
  const [from, to] = [places[0] ?? '', places.at(-1) ?? ''];
  if (!spotOf(from) || !spotOf(to)) return null;
  return t.log.movesInches(name, inchesOf(places), windOf(from, to));
}

/** Who fought whom, where the text of a fight names neither; else nothing. */
export function fightersOf({ event }: Pick<Entry, 'event'>, { unit, sideOf }: Names): string {
  const known = event.units.filter((id) => unit(id) !== '');
  if (event.calculation === null || known.some((id) => event.text.includes(unit(id)))) return '';
  const own = known.filter((id) => sideOf(id) === sideOf(known[0]!)).map(unit);
  const foes = known.filter((id) => sideOf(id) !== sideOf(known[0]!)).map(unit);
  return own.length > 0 && foes.length > 0 ? t.log.fight(own.join(', '), foes.join(', ')) : '';
}

/** Names in a row; where there are many, the first `most` of them and how many more. */
function listed(units: readonly UnitId[], { unit }: Names, most: number): string {
  const names = units.map(unit);
  const shown = names.length > most + 1 ? names.slice(0, most) : names;
  const more = names.length - shown.length;
  return more > 0 ? t.log.andMore(shown.join(', '), more) : shown.join(', ');
}

/** Who moved and who was seen, in one line that names at most so many units. */
export function marchText({ moves, spotting }: March, names: Names, most = 3): string {
  const [placed, moved] = [
    moves.filter(({ event }) => event.kind === 'placed'),
    moves.filter(({ event }) => event.kind !== 'placed'),
  ];
  const seen = (kind: string) => unitsOf(spotting.filter(({ event }) => event.kind === kind));
  const others = spotting.filter(({ event }) => !['spotted', 'lost-sight'].includes(event.kind));
  const told = (units: UnitId[], say: (n: number, names: string) => string) =>
    units.length > 0 ? [say(units.length, listed(units, names, most))] : [];
  return [
    ...told(unitsOf(placed), t.log.setUp),
    ...(moved.length === 1 ? [textOf(moved[0]!, names)] : told(unitsOf(moved), t.log.march)),
    ...told(seen('spotted'), (_, who) => t.log.spotted(who)),
    ...told(seen('lost-sight'), (_, who) => t.log.lost(who)),
    ...(moves.length === 0 ? others.slice(0, most).map(({ event }) => event.text) : []),
    ...(moves.length === 0 && others.length > most ? [t.log.more(others.length - most)] : []),
  ].join('; ');
}

const sentence = (text: string) => text.replace(/[.]?$/, '.');

/** A part of the story as it is read out: every move as a whole, all who set up and all who are seen at once. */
function told(chapter: Chapter, names: Names): string[] {
  const { entries } = chapter;
  if (chapter.kind !== 'march' || entries.length === 1) {
    const whole = (entry: Entry) =>
      [fightersOf(entry, names), textOf(entry, names)].filter(Boolean).join(': ');
    return entries.map(whole);
  }
  const { moves, spotting } = marchOf(chapter);
  const placed = moves.filter(({ event }) => event.kind === 'placed');
  const going = moves.filter(({ event }) => event.kind !== 'placed').map((entry) => textOf(entry, names));
  const parts = [
    ...(placed.length > 0 ? [marchText({ moves: placed, spotting: [] }, names, placed.length)] : []),
    ...going,
    ...(spotting.length > 0 ? [marchText({ moves: [], spotting }, names, spotting.length)] : []),
  ];
  const { side } = entries[0]!.event;
  return side === null ? parts : [`${names.side(side)}: ${parts[0]}`, ...parts.slice(1)];
}

/** What is read out when events come in: all that is new, the steps of the sequence left to the prompt. */
export function announcement(events: readonly GameEvent[], names: Names): string {
  const chapters = chaptersOf(entriesOf(events.filter((e) => e.kind !== 'step')));
  return chapters
    .flatMap((chapter) => told(chapter, names))
    .map(sentence)
    .join(' ');
}

/** A text that is read out once more where the same one stands already: only what changes is read. */
export function anew(text: string, before: string): string {
  return text !== '' && text === before ? `${text}\u00a0` : text;
}
