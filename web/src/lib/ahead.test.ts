import { describe, expect, it } from 'vitest';
import { aimed, joiner, kept } from './ahead';

const when = { side: 'german', turn: 2, step: 'vehicle' };

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
