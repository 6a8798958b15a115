import { describe, expect, it } from 'vitest';
import { unforeseen } from './plan';
import type { GameEvent } from './protocol';

const event = (side: string | null, kind: string, dice: number[] = []) =>
  ({ side, kind, dice, text: kind }) as unknown as GameEvent;

describe('a plan', () => {
  it('goes on while only its own side acts', () => {
    expect(
      unforeseen([event('german', 'moved'), event('german', 'fired', [4]), event(null, 'turn')], 'german'),
    ).toBeNull();
    // The other side let a shot pass.
    expect(unforeseen([event('soviet', 'passed')], 'german')).toBeNull();
  });

  it('ends when the other side fires, or a unit is lost', () => {
    const shot = event('soviet', 'fired', [2]);
    expect(unforeseen([event('german', 'moved'), shot], 'german')).toBe(shot);
    const lost = event(null, 'eliminated');
    expect(unforeseen([lost], 'german')).toBe(lost);
  });
});
