import { describe, expect, it } from 'vitest';
import type { Known } from './facts';
import { de } from './i18n/de';
import { en } from './i18n/en';
import { actAt, back, goOn, isLesson, keptOf, lessonAt, LESSONS, next, placeOf, type Place } from './lessons';

const IDLE: Known = {
  step: 'direct',
  segments: false,
  asked: true,
  reaction: false,
  chosen: false,
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
  zooms: 0,
  fans: 0,
  undos: 0,
  plays: 0,
};
const known = (what: Partial<Known>): Known => ({ ...IDLE, ...what });
const at = (id: string, act = 0): Place => ({ lesson: LESSONS.findIndex((l) => l.id === id), act });

describe('the lessons', () => {
  it.each(LESSONS.map((l) => l.id))('%s has words for each of its acts, in both languages', (id) => {
    const acts = LESSONS.find((l) => l.id === id)!.acts;
    for (const { title, text, acts: said } of [en.lesson.steps[id], de.lesson.steps[id]]) {
      expect(title && text).toBeTruthy();
      expect(said).toHaveLength(acts.length);
    }
  });

  it('are as many as the start page says', () => {
    expect(LESSONS).toHaveLength(14);
    expect(en.lesson.about).toContain('fourteen');
  });

  it('are played in a scenario of their own', () => {
    expect([isLesson('lesson-lipki'), isLesson('mill-ford')]).toEqual([true, false]);
  });
});

describe('a lesson', () => {
  it('waits as long as something else is done', () => {
    const place = at('fire');
    expect(goOn(place, known({ chosen: true, tab: 'forces', zooms: 3 }))).toBe(place);
  });

  it('is done when its last act is', () => {
    expect(goOn(at('fire'), known({ fired: true }))).toEqual(next(at('fire')));
  });

  it('has its acts one after the other', () => {
    // The tool is away at the beginning: that is not yet putting it away.
    expect(goOn(at('sight'), known({ los: 'away' }))).toEqual(at('sight'));
    expect(goOn(at('sight'), known({ los: 'open' }))).toEqual(at('sight', 1));
    expect(goOn(at('sight', 1), known({ los: 'answered' }))).toEqual(at('sight', 2));
    expect(goOn(at('sight', 2), known({ los: 'away' }))).toEqual(next(at('sight')));
  });

  it('counts what was done by another way: who has moved has seen where to', () => {
    expect(goOn(at('move', 1), known({ moved: true }))).toEqual(next(at('move')));
  });

  it('asks for the question before it asks for the answer', () => {
    expect(goOn(at('reaction'), known({}))).toEqual(at('reaction'));
    expect(goOn(at('reaction'), known({ reaction: true }))).toEqual(at('reaction', 1));
    expect(goOn(at('reaction', 1), known({ asked: false }))).toEqual(next(at('reaction')));
  });

  it('leads to the end and not beyond', () => {
    const end = next(at('replay'));
    expect([lessonAt(end), actAt(end)]).toEqual([null, null]);
    expect(next(end)).toEqual(end);
    expect(goOn(end, known({ fired: true }))).toBe(end);
    expect(back(end)).toEqual(at('replay'));
    expect(back({ lesson: 0, act: 1 })).toEqual({ lesson: 0, act: 0 });
  });
});

describe('what is remembered', () => {
  it.each([at('prompt'), at('move', 2), next(at('replay'))])('leads back to the same place: %o', (place) => {
    expect(placeOf(keptOf('g', place, 'on'))).toEqual(place);
  });

  it('survives lessons that have become shorter, or are no more', () => {
    expect(placeOf({ game: 'g', lesson: 'fire', act: 7, state: 'left' })).toEqual(at('fire'));
    expect(placeOf({ game: 'g', lesson: 'gone' as 'fire', act: 1, state: 'on' })).toEqual({
      lesson: 0,
      act: 0,
    });
  });
});
