/** The first evening: lessons as data, and where a player is in them. The words are in the catalogues. */
import { FACTS, type Fact, type Known } from './facts';
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
  id: LessonId;
  acts: readonly Act[];
}

export type LessonId =
  | 'prompt'
  | 'map'
  | 'select'
  | 'sight'
  | 'preview'
  | 'fire'
  | 'results'
  | 'move'
  | 'undo'
  | 'why'
  | 'reaction'
  | 'orders'
  | 'victory'
  | 'replay';

const by = (...ids: string[]) => ids.map((id) => `[data-testid="${id}"]`).join(', ');
const TANKS = by('unit-german-1', 'unit-german-2');
const ENEMY = by('unit-soviet-1');

/** In the order of the scenario's first turn; whatever is asked for can be done with mouse, finger and keys. */
export const LESSONS: readonly Lesson[] = [
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

/** Which lesson, and which of its acts; beyond the last lesson lies the end. */
export interface Place {
  lesson: number;
  act: number;
}

export const lessonAt = (place: Place): Lesson | null => LESSONS[place.lesson] ?? null;
export const actAt = (place: Place): Act | null => lessonAt(place)?.acts[place.act] ?? null;

/** Where one stands in a lesson once all is counted that is done: acts come one after the other. */
export function goOn(place: Place, known: Known): Place {
  const acts = lessonAt(place)?.acts ?? [];
  let act = place.act;
  while (act < acts.length && FACTS[acts[act]!.until](known)) act++;
  if (act === place.act) return place;
  return act === acts.length ? next(place) : { ...place, act };
}

export function next(place: Place): Place {
  return { lesson: Math.min(place.lesson + 1, LESSONS.length), act: 0 };
}

export function back(place: Place): Place {
  return { lesson: Math.max(place.lesson - 1, 0), act: 0 };
}

/** What this browser remembers of the first evening. */
export interface Kept {
  game: string;
  lesson: LessonId | 'end';
  act: number;
  state: 'on' | 'left' | 'done';
}

const KEPT = 'lesson';

export const keptLesson = () => setting.read<Kept | null>(KEPT, null);
export const keepLesson = (kept: Kept) => setting.write(KEPT, kept);

/** Lessons are remembered by name: they may change their order between visits. */
export function placeOf(kept: Kept): Place {
  if (kept.lesson === 'end') return { lesson: LESSONS.length, act: 0 };
  const lesson = LESSONS.findIndex((l) => l.id === kept.lesson);
  if (lesson < 0) return { lesson: 0, act: 0 };
  return { lesson, act: Math.min(kept.act, LESSONS[lesson]!.acts.length - 1) };
}

export function keptOf(game: string, place: Place, state: Kept['state']): Kept {
  return { game, lesson: lessonAt(place)?.id ?? 'end', act: place.act, state };
}
