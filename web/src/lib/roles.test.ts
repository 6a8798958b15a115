import { describe, expect, it } from 'vitest';
import { click } from './narrow';
import type { Choice } from './protocol';
import { inRows, isGroup, isStack, leaders, roleOf } from './roles';

const choice = (kind: string, action: Record<string, unknown>, units: string[], places: string[] = []) =>
  ({ kind, action, units, places, label: '', cost: null, confirm: false }) as unknown as Choice;

const alone = (unit: string, role: string) => choice('activate', { type: 'Activate', unit, role }, [unit]);
const leader = (unit: string) => choice('activate', { type: 'ActivateLeader', unit }, [unit]);
const stack = (hex: string, units: string[]) =>
  choice('activate', { type: 'ActivateStack', hex }, units, [hex]);
const designate = (unit: string, role: string) =>
  choice('designate', { type: 'Designate', unit, role }, [unit]);
const all = (role: string) => choice('designate', { type: 'DesignateAll', role }, []);

const entries = (...choices: Choice[]) => choices.map((c, index) => ({ choice: c, index }));

describe('what an activation may be', () => {
  const choices = [stack('1-D6', ['inf', 'lt']), alone('inf', 'move'), alone('inf', 'fire'), leader('lt')];

  it('is a row for each unit, and leaders before stacks', () => {
    const found = inRows(entries(...choices));
    expect(found.rows.map((r) => [r.unit, r.entries.map((e) => roleOf(e.choice))])).toEqual([
      ['inf', ['move', 'fire']],
    ]);
    expect(found.groups.map((e) => e.index)).toEqual([3, 0]);
    expect(found.all).toEqual([]);
  });

  it('has no stack of one', () => {
    const found = inRows(entries(stack('1-L2', []), alone('gun', 'fire'), ...choices));
    expect(found.groups.map((e) => e.index)).toEqual([5, 2]);
  });

  it('tells a leader from a stack, and both from one alone', () => {
    expect(choices.map((c) => [isGroup(c), isStack(c)])).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [true, false],
    ]);
    expect(leaders(choices)).toEqual(['lt']);
  });

  it('never begins with a click on the map alone', () => {
    const around = { placeOf: () => '1-A1', unitsAt: () => ['gun'] };
    const found = click([alone('gun', 'fire'), alone('inf', 'fire')], [], { unit: 'gun' }, around);
    expect(found.kind).toBe('offer');
  });
});

describe('a designation', () => {
  it('has one word for all, and a row for each', () => {
    const found = inRows(
      entries(designate('inf', 'move'), designate('hmg', 'fire'), all('move'), all('fire')),
    );
    expect(found.all.map((e) => roleOf(e.choice))).toEqual(['move', 'fire']);
    expect(found.rows.map((r) => r.unit)).toEqual(['inf', 'hmg']);
    expect(found.groups).toEqual([]);
  });
});
