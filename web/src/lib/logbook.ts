/** The log as it is told: moves and spotting folded, each fight with all that came of it. Pure. */
import type { GameEvent, Place, UnitId } from './protocol';

export interface Entry {
  /** The last event of the entry; its number names the entry. */
  event: GameEvent;
  /** The number of its first event. */
  first: number;
  /** Every place that it touched, in order, none twice running. */
  places: Place[];
  /** How many events were put together. */
  steps: number;
}

export type Sort = 'fight' | 'move' | 'spotting' | 'loss' | 'other';
export const SORTS: readonly Sort[] = ['fight', 'loss', 'move', 'spotting', 'other'];

/** A part of the story. Its number is that of its first event: it stays when the part grows. */
export interface Chapter {
  n: number;
  kind: 'heading' | 'fight' | 'march' | 'single';
  /** The first is what the others follow from, in a fight. */
  entries: Entry[];
}

const HEADINGS = new Set(['turn', 'step', 'over']);
const MOVES = new Set([
  ...['placed', 'moved', 'turned', 'entered', 'exited', 'loaded', 'unloaded', 'transport', 'mounted'],
  ...['dismounted', 'quick march', 'quickmarch', 'limbered', 'flew', 'landed', 'landing', 'joined'],
]);
const SPOTTING = new Set(['spotted', 'lost-sight', 'spotting', 'revealed', 'hidden', 'search']);
const FIGHTS = new Set([
  ...['fired', 'combat', 'overrun', 'assault', 'assaulted', 'impact', 'hand to hand', 'counter battery'],
  ...['collateral', 'charge'],
]);
const LOSSES = new Set(['eliminated', 'destroyed', 'reduced']);
/** Decisions and rolls that stand for themselves, even where they concern a unit that has just fought. */
const NEW = new Set([
  ...['activated', 'command', 'initiative', 'leaders', 'mission', 'orders', 'passed', 'plot', 'plotted'],
  ...['posture', 'recovered', 'recovery', 'registered', 'note', 'sector', 'visibility', 'weather'],
]);

/** What an event is about, for the filter. */
export function sortOf({ kind, calculation }: GameEvent): Sort {
  if (LOSSES.has(kind)) return 'loss';
  if (MOVES.has(kind)) return 'move';
  if (SPOTTING.has(kind)) return 'spotting';
  return FIGHTS.has(kind) || (calculation !== null && kind === 'result') ? 'fight' : 'other';
}

/** Whether a step goes on with an entry's move; what leads back to its start, or nowhere, is told by itself. */
function goesOn({ event: before, places }: Entry, after: GameEvent): boolean {
  return (
    ['moved', 'turned'].includes(before.kind) &&
    after.kind === 'moved' &&
    before.turn === after.turn &&
    before.units.length > 0 &&
    before.units.join() === after.units.join() &&
    after.places.length > 1 &&
    places.at(-1) === after.places[0] &&
    places[0] !== after.places.at(-1)
  );
}

/** Whether a unit only turns in the course of an entry's move. */
function turnsIn({ event: before }: Entry, after: GameEvent): boolean {
  return (
    after.kind === 'turned' &&
    ['moved', 'turned'].includes(before.kind) &&
    before.turn === after.turn &&
    before.units.length > 0 &&
    before.units.join() === after.units.join()
  );
}

export function entriesOf(events: readonly GameEvent[]): Entry[] {
  const entries: Entry[] = [];
  for (const event of events) {
    const last = entries.at(-1);
    if (last && turnsIn(last, event)) {
      if (last.event.kind === 'turned') last.event = event;
    } else if (last && goesOn(last, event)) {
      last.event = event;
      last.places.push(...event.places.slice(1));
      last.steps += 1;
    } else {
      entries.push({ event, first: event.n, places: [...event.places], steps: 1 });
    }
  }
  return entries;
}

const isMarch = ({ event }: Entry): boolean => ['move', 'spotting'].includes(sortOf(event));

/** Whether an entry came of a fight: it concerns its units, or what lies at its places. */
function cameOf(fight: Chapter, { event }: Entry): boolean {
  const [lead] = fight.entries;
  if (HEADINGS.has(event.kind) || NEW.has(event.kind) || MOVES.has(event.kind)) return false;
  if (FIGHTS.has(event.kind) || event.turn !== lead!.event.turn) return false;
  const units = new Set(fight.entries.flatMap((entry) => entry.event.units));
  const places = new Set(fight.entries.flatMap((entry) => entry.places));
  return event.units.some((unit) => units.has(unit)) || event.places.some((place) => places.has(place));
}

function follows(chapter: Chapter | undefined, entry: Entry): boolean {
  if (chapter?.kind === 'fight') return cameOf(chapter, entry);
  if (chapter?.kind !== 'march' || !isMarch(entry)) return false;
  const { event } = chapter.entries[0]!;
  // Those who set up and those who move are told apart, as are the sides.
  const setUp = (kind: string) => kind === 'placed';
  return (
    event.side === entry.event.side &&
    event.turn === entry.event.turn &&
    setUp(event.kind) === setUp(entry.event.kind)
  );
}

function kindOf(entry: Entry): Chapter['kind'] {
  if (HEADINGS.has(entry.event.kind)) return 'heading';
  if (FIGHTS.has(entry.event.kind)) return 'fight';
  return isMarch(entry) ? 'march' : 'single';
}

/** The story of these entries, the oldest part first. */
export function chaptersOf(entries: readonly Entry[]): Chapter[] {
  const chapters: Chapter[] = [];
  for (const entry of entries) {
    const last = chapters.at(-1);
    if (follows(last, entry)) last!.entries.push(entry);
    else chapters.push({ n: entry.first, kind: kindOf(entry), entries: [entry] });
  }
  return chapters;
}

/** Who moved, and who was seen or lost from sight, in the order of the entries. */
export interface March {
  moves: Entry[];
  spotting: Entry[];
}

export function marchOf({ entries }: Chapter): March {
  return {
    moves: entries.filter(({ event }) => sortOf(event) === 'move'),
    spotting: entries.filter(({ event }) => sortOf(event) === 'spotting'),
  };
}

/** The units of some entries, each once. */
export const unitsOf = (entries: readonly Entry[]): UnitId[] => [
  ...new Set(entries.flatMap(({ event }) => event.units.slice(0, 1))),
];

/** What a reader wants to see: all sorts where none is named, all words where none are typed. */
export interface Wanted {
  sort: Sort | null;
  words: string;
}

export const ALL: Wanted = { sort: null, words: '' };

/** Whether an entry speaks of a unit, a place or a text; names are matched whole, so that 1 does not mean 10. */
function speaksOf(entry: Entry, words: string, nameOf: (unit: UnitId) => string): boolean {
  const { event, places } = entry;
  const wanted = words.trim().toLowerCase();
  const names = [...event.units.map(nameOf), ...places].map((name) => name.toLowerCase());
  if (names.includes(wanted)) return true;
  const text = event.text.toLowerCase();
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!/\d/.test(wanted.at(-1)!) || !/\d/.test(text[at + wanted.length] ?? '')) return true;
  }
  return false;
}

/** The parts of the story that a reader wants to see; headings stay where something is left below them. */
export function chosenOf(
  chapters: readonly Chapter[],
  { sort, words }: Wanted,
  nameOf: (unit: UnitId) => string,
): Chapter[] {
  if (sort === null && words.trim() === '') return [...chapters];
  const fits = (entry: Entry) =>
    (sort === null || sortOf(entry.event) === sort) &&
    (words.trim() === '' || speaksOf(entry, words, nameOf));
  const kept = chapters.flatMap((chapter): Chapter[] => {
    if (chapter.kind === 'heading') return [chapter];
    if (chapter.kind !== 'march') return chapter.entries.some(fits) ? [chapter] : [];
    const entries = chapter.entries.filter(fits);
    return entries.length > 0 ? [{ ...chapter, entries }] : [];
  });
  return kept.filter(
    (chapter, i) => chapter.kind !== 'heading' || (kept[i + 1] && kept[i + 1]!.kind !== 'heading'),
  );
}
