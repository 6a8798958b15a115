import { describe, expect, it } from 'vitest';
import { barOf } from './profile';

describe('what bars a line of sight', () => {
  it('stands on the ground and up to the line', () => {
    const wood = barOf(60, 20);
    expect(wood.y + wood.height).toBe(60);
    expect(wood.y).toBeLessThan(20);
  });

  it('is the ground itself where that rises above the line', () => {
    const hill = barOf(14, 30);
    expect(hill.y).toBe(14);
    expect(hill.y + hill.height).toBeGreaterThan(30);
  });
});
