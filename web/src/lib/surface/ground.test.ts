import { describe, expect, it } from 'vitest';
import { areaOf } from './ground';

describe('a place in words', () => {
  it('has the name of its area, not of the roads that meet there', () => {
    const lie = { name: '12.5,15″', terrain: [], level: 0, label: 'Zelenka, the Highroad, the North Track' };
    expect(areaOf(lie)).toBe('Zelenka');
    expect(areaOf(null)).toBe('');
  });
});
