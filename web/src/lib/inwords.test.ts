import { describe, expect, it } from 'vitest';
import { announcement, ownUnit } from './inwords';
import type { Choice, GameEvent } from './protocol';

const choice = (...units: string[]) => ({ units }) as Choice;
const event = (kind: string, text: string) => ({ kind, text }) as GameEvent;
const own = (id: string) => id.startsWith('german');

describe('the own unit of a choice', () => {
  it('is the one that acts, wherever it stands among the units', () => {
    expect(ownUnit(choice('german-1', 'soviet-1'), own)).toBe('german-1');
    expect(ownUnit(choice('soviet-1', 'german-2'), own)).toBe('german-2');
  });

  it('is none when only the enemy is in it', () => {
    expect(ownUnit(choice('soviet-1'), own)).toBeNull();
  });
});

describe('an announcement', () => {
  it('tells everything that is new, as sentences', () => {
    expect(
      announcement([event('fired', 'A fires at B: 1 is D'), event('dispersed', 'B is dispersed.')]),
    ).toBe('A fires at B: 1 is D. B is dispersed.');
  });

  it('leaves the steps to the prompt', () => {
    expect(announcement([event('step', 'Direct fire')])).toBe('');
  });

  it('does not read a whole game aloud', () => {
    expect(
      announcement(
        ['a', 'b', 'c'].map((text) => event('moved', text)),
        2,
      ),
    ).toBe('b. c.');
  });
});
