import { describe, expect, it } from 'vitest';
import type { Known } from './facts';
import { de } from './i18n/de';
import { en } from './i18n/en';
import {
  actAt,
  back,
  eveningOf,
  EVENINGS,
  goOn,
  isLesson,
  keptOf,
  lessonAt,
  next,
  placeOf,
  type Place,
} from './lessons';

type Words = { title: string; text: string; acts: readonly string[] };

const IDLE: Known = {
  step: 'direct',
  places: false,
  waiting: false,
  segments: false,
  asked: true,
  reaction: false,
  chosen: false,
  aimed: false,
  los: 'away',
  calculation: false,
  reach: false,
  goal: false,
  danger: false,
  refused: false,
  canUndo: false,
  rule: false,
  entry: false,
  tab: 'log',
  past: false,
  fired: false,
  moved: false,
  tape: 'away',
  tapes: 0,
  zooms: 0,
  fans: 0,
  undos: 0,
  plays: 0,
};
const LESSONS = eveningOf('lesson-lipki')!.lessons;
const TABLE = eveningOf('lesson-lipovka')!.lessons;
const known = (what: Partial<Known>): Known => ({ ...IDLE, ...what });
const at = (id: string, act = 0, lessons = LESSONS): Place => ({
  lesson: lessons.findIndex((l) => l.id === id),
  act,
});

describe('the lessons', () => {
  const all = EVENINGS.flatMap(({ words, lessons }) => lessons.map((lesson) => ({ words, ...lesson })));

  it.each(all)(
    '$words, $id: there are words for each of its acts, in both languages',
    ({ words, id, acts }) => {
      for (const { steps } of [en.lesson.evenings[words], de.lesson.evenings[words]]) {
        const { title, text, acts: said } = (steps as Record<string, Words>)[id]!;
        expect(title && text).toBeTruthy();
        expect(said).toHaveLength(acts.length);
      }
    },
  );

  it('are as many as the start page says', () => {
    expect(LESSONS).toHaveLength(14);
    expect(en.lesson.evenings.lipki.about).toContain('fourteen');
    expect(TABLE).toHaveLength(12);
    expect(en.lesson.evenings.lipovka.about).toContain('twelve');
    expect(de.lesson.evenings.lipovka.about).toContain('zwölf');
  });

  it('are played in a scenario of their own', () => {
    expect([isLesson('lesson-lipki'), isLesson('mill-ford')]).toEqual([true, false]);
    expect(EVENINGS.map(({ scenario }) => scenario).every(isLesson)).toBe(true);
    expect(eveningOf('mill-ford')).toBeNull();
  });
});

describe('on the free table', () => {
  it('a drag that sets a stand down counts, whatever was shown on the way', () => {
    expect(goOn(TABLE, at('move', 0, TABLE), known({ moved: true }))).toEqual(
      next(TABLE, at('move', 0, TABLE)),
    );
  });

  it('a way that enemies may fire at is waited for, not any way', () => {
    expect(goOn(TABLE, at('move', 0, TABLE), known({ goal: true }))).toEqual(at('move', 0, TABLE));
    expect(goOn(TABLE, at('move', 0, TABLE), known({ danger: true }))).toEqual(at('move', 1, TABLE));
  });

  it('two ends are measured before the tape is put away', () => {
    expect(goOn(TABLE, at('tape', 0, TABLE), known({ tape: 'open' }))).toEqual(at('tape', 1, TABLE));
    expect(goOn(TABLE, at('tape', 1, TABLE), known({ tape: 'open', tapes: 1 }))).toEqual(
      at('tape', 2, TABLE),
    );
    expect(goOn(TABLE, at('tape', 2, TABLE), known({ tapes: 1 }))).toEqual(next(TABLE, at('tape', 2, TABLE)));
  });
});

describe('a lesson', () => {
  it('waits as long as something else is done', () => {
    const place = at('fire');
    expect(goOn(LESSONS, place, known({ chosen: true, tab: 'forces', zooms: 3 }))).toBe(place);
  });

  it('is done when its last act is', () => {
    expect(goOn(LESSONS, at('fire'), known({ fired: true }))).toEqual(next(LESSONS, at('fire')));
  });

  it('has its acts one after the other', () => {
    // The tool is away at the beginning: that is not yet putting it away.
    expect(goOn(LESSONS, at('sight'), known({ los: 'away' }))).toEqual(at('sight'));
    expect(goOn(LESSONS, at('sight'), known({ los: 'open' }))).toEqual(at('sight', 1));
    expect(goOn(LESSONS, at('sight', 1), known({ los: 'answered' }))).toEqual(at('sight', 2));
    expect(goOn(LESSONS, at('sight', 2), known({ los: 'away' }))).toEqual(next(LESSONS, at('sight')));
  });

  it('counts what was done by another way: who has moved has seen where to', () => {
    expect(goOn(LESSONS, at('move', 1), known({ moved: true }))).toEqual(next(LESSONS, at('move')));
  });

  it('asks for the question before it asks for the answer', () => {
    expect(goOn(LESSONS, at('reaction'), known({}))).toEqual(at('reaction'));
    expect(goOn(LESSONS, at('reaction'), known({ reaction: true }))).toEqual(at('reaction', 1));
    expect(goOn(LESSONS, at('reaction', 1), known({ asked: false }))).toEqual(next(LESSONS, at('reaction')));
  });

  it('leads to the end and not beyond', () => {
    const end = next(LESSONS, at('replay'));
    expect([lessonAt(LESSONS, end), actAt(LESSONS, end)]).toEqual([null, null]);
    expect(next(LESSONS, end)).toEqual(end);
    expect(goOn(LESSONS, end, known({ fired: true }))).toBe(end);
    expect(back(end)).toEqual(at('replay'));
    expect(back({ lesson: 0, act: 1 })).toEqual({ lesson: 0, act: 0 });
  });
});

describe('what is remembered', () => {
  it.each([at('prompt'), at('move', 2), next(LESSONS, at('replay'))])(
    'leads back to the same place: %o',
    (place) => {
      expect(placeOf(LESSONS, keptOf(LESSONS, 'g', place, 'on'))).toEqual(place);
    },
  );

  it('survives lessons that have become shorter, or are no more', () => {
    expect(placeOf(LESSONS, { game: 'g', lesson: 'fire', act: 7, state: 'left' })).toEqual(at('fire'));
    expect(placeOf(LESSONS, { game: 'g', lesson: 'gone', act: 1, state: 'on' })).toEqual({
      lesson: 0,
      act: 0,
    });
  });
});
