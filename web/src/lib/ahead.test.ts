import { describe, expect, it } from 'vitest';
import { aimed, fateOf, joiner, kept } from './ahead';

const when = { side: 'german', turn: 2, current: 'german', step: 'vehicle' };

describe('clicks made ahead', () => {
  it('are a unit and the last thing that was clicked for it', () => {
    const unit = kept(null, { unit: 'tank' }, true, when);
    const first = kept(unit, { place: '2-S1' }, false, when);
    const last = kept(first, { unit: 'foe' }, false, when);
    expect(last).toEqual({ unit: 'tank', aim: { unit: 'foe' }, when });
    expect(aimed(last)).toEqual({ unit: 'foe' });
  });

  it('begin anew with another own unit', () => {
    const before = { unit: 'tank', aim: { place: '2-S1' }, when };
    expect(kept(before, { unit: 'gun' }, true, when)).toEqual({ unit: 'gun', aim: null, when });
  });

  it('aim at a unit that cannot be chosen', () => {
    expect(aimed({ unit: 'truck', aim: null, when })).toEqual({ unit: 'truck' });
    expect(aimed({ unit: null, aim: null, when })).toBeNull();
  });

  it('join an attack with a unit, and not with a hex', () => {
    expect(joiner({ unit: 'gun', aim: { unit: 'foe' }, when })).toBe('gun');
    expect(joiner({ unit: null, aim: { unit: 'foe' }, when })).toBe('foe');
    expect(joiner({ unit: null, aim: { place: '2-S1' }, when })).toBeNull();
  });
});

describe('clicks made ahead, when a position comes in', () => {
  const clicks = { unit: 'tank', aim: null, when };
  const now = { side: 'german', turn: 2, current: 'german', asked: true, reaction: false };

  it('are taken when their side is asked', () => expect(fateOf(clicks, now)).toBe('take'));

  it('wait while the other side is asked, here or elsewhere', () => {
    expect(fateOf(clicks, { ...now, asked: false })).toBe('wait');
    expect(fateOf(clicks, { ...now, side: 'soviet', reaction: true })).toBe('wait');
  });

  it('are forgotten with the turn, and by a question to their own side', () => {
    expect(fateOf(clicks, { ...now, turn: 3 })).toBe('forget');
    expect(fateOf(clicks, { ...now, current: 'soviet', asked: false })).toBe('forget');
    expect(fateOf(clicks, { ...now, reaction: true })).toBe('forget');
  });

  it('of one side are no part of those of the other', () => {
    const other = { ...when, side: 'soviet' };
    expect(kept(clicks, { place: '2-S1' }, false, other)).toEqual({
      unit: null,
      aim: { place: '2-S1' },
      when: other,
    });
  });
});
