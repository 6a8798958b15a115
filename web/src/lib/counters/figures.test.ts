import { describe, expect, it } from 'vitest';
import { figuresInWords, placeFigures } from './figures';

describe('figures of a counter', () => {
  it('puts three fire values side by side, and movement at the top right', () => {
    const placed = placeFigures([
      { kind: 'movement', text: '8' },
      { kind: 'direct', text: '6-4' },
      { kind: 'bombardment', text: '8-12' },
      { kind: 'at', text: '5-6' },
    ]);
    expect(placed[0]).toMatchObject({ anchor: 'end', tone: 'plain' });
    const foot = placed.slice(1).map((f) => f.x);
    expect(foot).toEqual([...foot].sort((a, b) => a - b));
    expect(new Set(foot).size).toBe(3);
    expect(placed.map((f) => f.tone)).toEqual(['plain', 'plain', 'white', 'red']);
  });

  it('shows the morale of a leader large in the middle', () => {
    const [morale] = placeFigures([{ kind: 'morale', text: '9' }]);
    expect(morale).toMatchObject({ text: '9', tone: 'big', x: 50 });
  });

  it('says them in words', () => {
    expect(figuresInWords([{ kind: 'at', text: '6-8' }], { at: 'anti-tank' })).toBe('anti-tank 6-8');
  });
});
