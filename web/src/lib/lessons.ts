/** First evenings: lessons as data, and where a player is in them. The words are in the catalogues. */
import { FACTS, type Fact, type Known } from './facts';
import type { Catalogue } from './i18n';
import { setting } from './storage';

/** A scenario that is played by instructions: it stands apart from the others. */
export const isLesson = (scenario: string) => scenario.startsWith('lesson-');

/** Something to do: what is true once it is done, and where to look meanwhile. */
export interface Act {
  until: Fact;
  /** A selector: what it finds is framed. */
  point: string;
  /** It lies further down: it is brought into view, and what it opens is left there to be looked at. */
  below?: true;
}

export interface Lesson {
  /** Its name in the catalogues, among the words of its evening. */
  id: string;
  acts: readonly Act[];
}

/** The lessons of one scenario. */
export interface Evening {
  scenario: string;
  /** Its words in the catalogues. */
  words: keyof Catalogue['lesson']['evenings'];
  /** The computer player on the other side. */
  opponent: string;
  lessons: readonly Lesson[];
}

const by = (...ids: string[]) => ids.map((id) => `[data-testid="${id}"]`).join(', ');
const TANKS = by('unit-german-1', 'unit-german-2');
const ENEMY = by('unit-soviet-1');

/** A village on a map of hexes. */
const LIPKI: readonly Lesson[] = [
  {
    id: 'prompt',
    acts: [
      { until: 'rule-open', point: `${by('prompt')} .rule` },
      { until: 'rule-closed', point: by('rule') },
      { until: 'direct', point: by('done') },
    ],
  },
  {
    id: 'map',
    acts: [
      { until: 'zoomed', point: by('map-tools') },
      { until: 'fanned', point: TANKS },
    ],
  },
  { id: 'select', acts: [{ until: 'chosen', point: TANKS }] },
  {
    id: 'sight',
    acts: [
      { until: 'los-open', point: by('los-tool') },
      { until: 'los-answered', point: ENEMY },
      { until: 'los-away', point: by('los-tool') },
    ],
  },
  {
    id: 'preview',
    acts: [
      { until: 'chosen', point: TANKS },
      { until: 'calculation', point: ENEMY },
    ],
  },
  { id: 'fire', acts: [{ until: 'fired', point: by('confirm') }] },
  { id: 'results', acts: [{ until: 'entry', point: `${by('log')} [aria-expanded]`, below: true }] },
  {
    id: 'move',
    acts: [
      { until: 'moving', point: by('done') },
      { until: 'reach', point: TANKS },
      { until: 'goal', point: by('map') },
      { until: 'moved', point: by('go') },
    ],
  },
  { id: 'undo', acts: [{ until: 'undone', point: by('undo') }] },
  {
    id: 'why',
    acts: [
      { until: 'let-go', point: by('clear') },
      { until: 'refused', point: by('unit-german-3', 'unit-german-4') },
    ],
  },
  {
    id: 'reaction',
    acts: [
      { until: 'reaction', point: by('done') },
      { until: 'answered', point: `.decision .choices, ${by('pass')}` },
    ],
  },
  { id: 'orders', acts: [{ until: 'orders', point: by('tab-orders'), below: true }] },
  { id: 'victory', acts: [{ until: 'forces', point: by('tab-forces'), below: true }] },
  {
    id: 'replay',
    acts: [
      { until: 'past', point: by('replay') },
      { until: 'now', point: by('to-now', 'scrubber') },
    ],
  },
];

const TANK = by('unit-german-1');
const OTHER_TANK = by('unit-german-2');

/** A bridge on the free table. */
const LIPOVKA: readonly Lesson[] = [
  {
    id: 'prompt',
    acts: [
      { until: 'rule-open', point: `${by('prompt')} .rule` },
      { until: 'rule-closed', point: by('rule') },
    ],
  },
  { id: 'table', acts: [{ until: 'zoomed', point: by('map-tools') }] },
  {
    id: 'tape',
    acts: [
      { until: 'tape-open', point: by('tape-tool') },
      { until: 'taped', point: ENEMY },
      { until: 'tape-away', point: by('tape-tool') },
    ],
  },
  {
    id: 'sight',
    acts: [
      { until: 'los-open', point: by('los-tool') },
      { until: 'los-answered', point: ENEMY },
      { until: 'los-away', point: by('los-tool') },
    ],
  },
  {
    id: 'preview',
    acts: [
      { until: 'chosen', point: TANK },
      { until: 'aimed', point: ENEMY },
      { until: 'calculation', point: '.decision .choices' },
    ],
  },
  { id: 'fire', acts: [{ until: 'fired', point: by('confirm') }] },
  { id: 'results', acts: [{ until: 'entry', point: `${by('log')} [aria-expanded]`, below: true }] },
  {
    id: 'reach',
    acts: [
      { until: 'moving', point: by('done') },
      { until: 'reach', point: OTHER_TANK },
    ],
  },
  {
    id: 'move',
    acts: [
      { until: 'warned', point: OTHER_TANK },
      { until: 'moved', point: by('set-down') },
    ],
  },
  {
    id: 'reaction',
    acts: [
      { until: 'reaction', point: by('done') },
      { until: 'answered', point: `.decision .choices, ${by('pass')}` },
    ],
  },
  { id: 'orders', acts: [{ until: 'orders', point: by('tab-orders'), below: true }] },
  { id: 'victory', acts: [{ until: 'forces', point: by('tab-forces'), below: true }] },
];

/** Each in the order of its scenario's first turn; what is asked for can be done with mouse, finger and keys. */
export const EVENINGS: readonly Evening[] = [
  { scenario: 'lesson-lipki', words: 'lipki', opponent: 'advance', lessons: LIPKI },
  { scenario: 'lesson-lipovka', words: 'lipovka', opponent: 'greedy', lessons: LIPOVKA },
];

export const eveningOf = (scenario: string): Evening | null =>
  EVENINGS.find((evening) => evening.scenario === scenario) ?? null;

/** Which lesson, and which of its acts; beyond the last lesson lies the end. */
export interface Place {
  lesson: number;
  act: number;
}

type Lessons = readonly Lesson[];

export const lessonAt = (lessons: Lessons, place: Place): Lesson | null => lessons[place.lesson] ?? null;
export const actAt = (lessons: Lessons, place: Place): Act | null =>
  lessonAt(lessons, place)?.acts[place.act] ?? null;

/** Where one stands in a lesson once all is counted that is done: acts come one after the other. */
export function goOn(lessons: Lessons, place: Place, known: Known): Place {
  const acts = lessonAt(lessons, place)?.acts ?? [];
  let act = place.act;
  while (act < acts.length && FACTS[acts[act]!.until](known)) act++;
  if (act === place.act) return place;
  return act === acts.length ? next(lessons, place) : { ...place, act };
}

export function next(lessons: Lessons, place: Place): Place {
  return { lesson: Math.min(place.lesson + 1, lessons.length), act: 0 };
}

export function back(place: Place): Place {
  return { lesson: Math.max(place.lesson - 1, 0), act: 0 };
}

/** What this browser remembers of an evening. */
export interface Kept {
  game: string;
  /** The lesson's name, or `end`. */
  lesson: string;
  act: number;
  state: 'on' | 'left' | 'done';
}

/** The first of them was the only one once: it is kept by the old name. */
const kept = ({ words }: Evening) => (words === 'lipki' ? 'lesson' : `lesson-${words}`);

export const keptLesson = (evening: Evening) => setting.read<Kept | null>(kept(evening), null);
export const keepLesson = (evening: Evening, what: Kept) => setting.write(kept(evening), what);

/** The evening whose lessons go on in a game, or null. */
export const eveningIn = (game: string): Evening | null =>
  EVENINGS.find((evening) => {
    const found = keptLesson(evening);
    return found?.game === game && found.state === 'on';
  }) ?? null;

/** Lessons are remembered by name: they may change their order between visits. */
export function placeOf(lessons: Lessons, kept: Kept): Place {
  if (kept.lesson === 'end') return { lesson: lessons.length, act: 0 };
  const lesson = lessons.findIndex((l) => l.id === kept.lesson);
  if (lesson < 0) return { lesson: 0, act: 0 };
  return { lesson, act: Math.min(kept.act, lessons[lesson]!.acts.length - 1) };
}

export function keptOf(lessons: Lessons, game: string, place: Place, state: Kept['state']): Kept {
  return { game, lesson: lessonAt(lessons, place)?.id ?? 'end', act: place.act, state };
}
