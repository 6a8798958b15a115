import { describe, expect, it } from 'vitest';
import { disturbed, holds, isOfStep, onlyPass, stepOf } from './passing';
import type { Choice, GameEvent, TableMessage } from './protocol';

const event = (side: string, units: string[], dice: number[], kind = 'fired') =>
  ({ side, units, dice, kind }) as unknown as GameEvent;
const isOwn = (unit: string) => unit.startsWith('own');
const table = (turn: number, kinds: string[], whole?: boolean) =>
  ({
    view: { turn },
    result: null,
    whole,
    choices: kinds.map((kind) => ({ kind }) as unknown as Choice),
  }) as unknown as TableMessage;

describe('the order to pass', () => {
  it('ends when the enemy strikes an own unit, or one is lost', () => {
    const shot = event('foe', ['foe-1', 'own-1'], [4]);
    expect(disturbed([event('foe', ['foe-1'], [4]), shot], 'own', isOwn)).toBe(shot);
    expect(disturbed([event('foe', ['own-1'], []), event('own', ['own-1'], [2])], 'own', isOwn)).toBeNull();
    const loss = event('foe', ['own-1'], [], 'eliminated');
    expect(disturbed([loss], 'own', isOwn)).toBe(loss);
  });

  it('holds in its own turn alone', () => {
    const order = { side: 'own', turn: 2, step: 'segment', log: 0 };
    expect(holds(order, table(2, []))).toBe(true);
    expect(holds(order, table(3, []))).toBe(false);
  });
});

describe('a question that can only be passed', () => {
  it('has this choice and no other, and all are known', () => {
    expect(onlyPass(table(1, ['pass']), false)).toBe(true);
    expect(onlyPass(table(1, ['pass', 'fire']), true)).toBe(false);
    expect(onlyPass(table(1, ['pass'], false), true)).toBe(false);
  });

  it('is not answered at once where the pause would tell the other side something', () => {
    expect(onlyPass({ ...table(1, ['pass']), guarded: true }, true)).toBe(false);
    expect(onlyPass({ ...table(1, ['done']), guarded: true }, true)).toBe(false);
    expect(onlyPass({ ...table(1, ['done']), guarded: false }, true)).toBe(true);
  });

  it('may be the end of a step in which nothing could be done from the first', () => {
    expect(onlyPass(table(1, ['done']), true)).toBe(true);
    expect(onlyPass(table(1, ['done']), false)).toBe(false);
    expect(onlyPass(table(1, ['done'], false), true)).toBe(false);
    expect(onlyPass(table(1, ['done', 'fire']), true)).toBe(false);
    expect(onlyPass(table(1, []), true)).toBe(false);
  });

  it('is still the first of its step where only the side that begins it has been chosen', () => {
    expect(isOfStep(table(1, ['done', 'done']))).toBe(false);
    expect(isOfStep(table(1, ['done', 'fire']))).toBe(true);
    expect(isOfStep(table(1, ['done']))).toBe(true);
  });

  it('is another one in the next turn and for the other side', () => {
    expect(stepOf(table(1, []), 'own')).toBe(stepOf(table(1, ['done']), 'own'));
    expect(stepOf(table(2, []), 'own')).not.toBe(stepOf(table(1, []), 'own'));
    expect(stepOf(table(1, []), 'foe')).not.toBe(stepOf(table(1, []), 'own'));
  });
});
