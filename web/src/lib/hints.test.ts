import { describe, expect, it } from 'vitest';
import type { Known } from './facts';
import { HINTS, hintFor, isOver } from './hints';
import { en } from './i18n/en';

const known = (what: Partial<Known>) =>
  ({
    step: 'direct',
    asked: true,
    reaction: false,
    refused: false,
    canUndo: false,
    danger: false,
    ...what,
  }) as Known;
const NONE = new Set<string>();

describe('a hint', () => {
  it('fits the segment that is being played', () => {
    expect(hintFor(known({}), NONE)).toBe('direct');
    expect(hintFor(known({ step: 'vehicle' }), NONE)).toBe('vehicle');
    expect(hintFor(known({ asked: false }), NONE)).toBeNull();
  });

  it('gives way to what has just happened', () => {
    expect(hintFor(known({ canUndo: true, plays: 1 }), NONE)).toBe('undo');
    // What the table did by itself is not the player's to take back.
    expect(hintFor(known({ canUndo: true, plays: 0 }), NONE)).toBe('direct');
    expect(hintFor(known({ canUndo: true, plays: 1, refused: true }), NONE)).toBe('why');
    expect(hintFor(known({ reaction: true, refused: true }), NONE)).toBe('reaction');
  });

  it('speaks of the rules that are played', () => {
    const assault = known({ step: 'assault', segments: true });
    expect(hintFor(assault, NONE)).toBeNull();
    expect(hintFor(known({ step: 'assault' }), NONE)).toBe('assault');
    expect(hintFor(known({ step: 'segment', segments: true }), NONE)).toBe('activate');
    expect(hintFor(known({ step: 'designate', segments: true }), NONE)).toBe('designate');
    // Who fires is turned over in one game, and may not be activated in the other.
    expect(hintFor(known({ reaction: true, segments: true }), NONE)).toBe('opportunity');
    expect(hintFor(known({ reaction: true, segments: true }), new Set(['opportunity']))).toBeNull();
  });

  it('speaks of placing units only where units are placed', () => {
    expect(hintFor(known({ step: 'set-up', places: true, waiting: true }), NONE)).toBe('set-up');
    expect(hintFor(known({ step: 'set-up', places: false }), NONE)).toBeNull();
  });

  it('says how the set-up ends once all units stand', () => {
    const stand = known({ step: 'set-up', places: true, waiting: false });
    expect(hintFor(stand, NONE)).toBe('placed');
    expect(isOver('set-up', stand)).toBe(true);
    expect(hintFor(known({ step: 'arrivals', places: true, waiting: false }), NONE)).toBeNull();
  });

  it('is not shown twice', () => {
    expect(hintFor(known({ reaction: true }), new Set(['reaction', 'direct']))).toBeNull();
    expect(hintFor(known({ refused: true }), new Set(['why']))).toBe('direct');
  });

  it('is over with its occasion', () => {
    expect(isOver('reaction', known({ reaction: true }))).toBe(false);
    expect(isOver('reaction', known({}))).toBe(true);
  });

  it('has words, and no words lie idle', () => {
    expect(HINTS.map((h) => h.id).sort()).toEqual(Object.keys(en.hints.once).sort());
  });
});
