import { describe, expect, it } from 'vitest';
import { restOf, stepped, tapped } from './detents';

const heights = { closed: 0, half: 300, full: 700 };

describe('where the sheet comes to rest', () => {
  it('is the nearest height when the finger stops first', () => {
    expect(restOf(140, 0, heights)).toBe('closed');
    expect(restOf(160, 0.1, heights)).toBe('half');
    expect(restOf(510, -0.1, heights)).toBe('full');
  });

  it('is the next one in the direction of a throw', () => {
    expect(restOf(40, 1, heights)).toBe('half');
    expect(restOf(310, 1, heights)).toBe('full');
    expect(restOf(290, -1, heights)).toBe('closed');
    expect(restOf(690, -1, heights)).toBe('half');
    expect(restOf(700, 1, heights)).toBe('full');
  });
});

describe('a tap and the arrow keys', () => {
  it('open and close', () => {
    expect(tapped('closed')).toBe('half');
    expect(tapped('full')).toBe('closed');
    expect(stepped('half', 1)).toBe('full');
    expect(stepped('full', 1)).toBe('full');
    expect(stepped('closed', -1)).toBe('closed');
  });
});
