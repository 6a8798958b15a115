import { describe, expect, it } from 'vitest';
import { contrast } from '../colour';
import type { Unit } from '../protocol';
import { allotted, COLOURS, formationsOf, marks } from './formations';

const unit = (id: string, side: string, formation?: string, player?: string) =>
  ({ id, side, formation, player }) as unknown as Unit;

const marksOf = (units: Unit[]) => marks(units, allotted(units, new Map()));

describe('the marks of formations', () => {
  it('differ in letter and colour within a side', () => {
    const found = marksOf([
      unit('r2', 'red', '2nd company'),
      unit('r10', 'red', '10th company'),
      unit('r0', 'red'),
    ]);
    expect([found.get('r2')!.letter, found.get('r10')!.letter]).toEqual(['A', 'B']);
    expect(found.get('r2')!.colour).not.toBe(found.get('r10')!.colour);
    // One that is in none bears none.
    expect(found.has('r0')).toBe(false);
  });

  it('are those of the players where a side is divided', () => {
    const found = marksOf([unit('r1', 'red', undefined, 'Orlov'), unit('r2', 'red', undefined, 'Belov')]);
    expect(formationsOf('red', found.values()).map(({ letter, name }) => `${letter} ${name}`)).toEqual([
      'A Belov',
      'B Orlov',
    ]);
  });

  it('are not there where they would tell nothing', () => {
    expect(marksOf([unit('r1', 'red', '1st'), unit('r2', 'red', '1st'), unit('b1', 'blue')]).size).toBe(0);
  });

  it('stay what they were when another formation is seen', () => {
    const first = allotted([unit('b2', 'blue', '2nd'), unit('b3', 'blue', '3rd')], new Map());
    const then = [unit('b1', 'blue', '1st'), unit('b2', 'blue', '2nd'), unit('b3', 'blue', '3rd')];
    const found = marks(then, allotted(then, first));
    expect(['b1', 'b2', 'b3'].map((id) => found.get(id)!.letter)).toEqual(['C', 'A', 'B']);
  });

  it('bear letters that are read on every colour, and no colour twice', () => {
    for (const [colour, ink] of COLOURS) expect(contrast(colour, ink)).toBeGreaterThanOrEqual(4.5);
    expect(new Set(COLOURS.map(([colour]) => colour)).size).toBe(COLOURS.length);
  });
});
