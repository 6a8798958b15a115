import { describe, expect, it } from 'vitest';
import { linkToMoment, momentOfEvent, momentOfHash, turnBeside, turnStarts } from './past';
import type { MomentInfo } from './protocol';

const at = (turn: number, side: string, log: number): MomentInfo => ({ turn, side, step: '', log });
const moments = [at(0, 'red', 0), at(1, 'red', 2), at(1, 'red', 2), at(1, 'blue', 5), at(2, 'red', 9)];

describe('moments', () => {
  it('begin a turn where turn or side changes', () => {
    expect(turnStarts(moments).map((s) => s.n)).toEqual([0, 1, 3, 4]);
    expect(turnStarts([])).toEqual([]);
  });

  it('tell apart the parts that a side has of one turn', () => {
    const segments = [at(1, 'red', 0), at(1, 'blue', 2), at(1, 'red', 4), at(1, 'red', 5), at(2, 'red', 7)];
    expect(turnStarts(segments).map((s) => [s.n, s.part])).toEqual([
      [0, 1],
      [1, 0],
      [2, 2],
      [4, 0],
    ]);
  });

  it('follow the log entry that is meant, by as little as can be', () => {
    expect([1, 2, 3, 5, 6, 9].map((n) => momentOfEvent(moments, n))).toEqual([1, 1, 3, 3, 4, 4]);
    expect(momentOfEvent(moments, 12)).toBe(4);
  });

  it('lead to the turn before and the turn after', () => {
    expect([turnBeside(moments, 2, 1), turnBeside(moments, 2, -1)]).toEqual([3, 1]);
    expect([turnBeside(moments, 4, 1), turnBeside(moments, 0, -1)]).toEqual([null, null]);
  });

  it('are named in an address, and found again there', () => {
    const link = linkToMoment('http://here', 'a b', 12);
    expect(link).toBe('http://here/play/a%20b#moment=12');
    expect(momentOfHash(new URL(link).hash)).toBe(12);
    expect(['', '#moment=', '#moment=-1', '#seat=a:b', '#moment=1x'].map(momentOfHash)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
