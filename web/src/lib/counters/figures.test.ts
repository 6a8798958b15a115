import { describe, expect, it } from 'vitest';
import type { CounterLooks } from '../protocol';
import { figuresInWords, placeFigures } from './figures';
import { PLAIN_LOOKS } from './looks.svelte';

const LOOKS: CounterLooks = {
  ...PLAIN_LOOKS,
  figures: {
    movement: { title: 'movement', at: 'top-right', tone: 'plain' },
    morale: { title: 'morale', at: 'centre', tone: 'huge' },
    direct: { title: 'direct fire', at: 'foot', tone: 'plain' },
    bombardment: { title: 'bombardment', at: 'foot', tone: 'white' },
    at: { title: 'anti-tank fire', at: 'foot', tone: 'red' },
  },
};

describe('figures of a counter', () => {
  it('puts three fire values side by side, and movement at the top right', () => {
    const placed = placeFigures(
      [
        { kind: 'movement', text: '8' },
        { kind: 'direct', text: '6-4' },
        { kind: 'bombardment', text: '8-12' },
        { kind: 'at', text: '5-6' },
      ],
      LOOKS,
    );
    expect(placed[0]).toMatchObject({ anchor: 'end', tone: 'plain' });
    const foot = placed.slice(1).map((f) => f.x);
    expect(foot).toEqual([...foot].sort((a, b) => a - b));
    expect(new Set(foot).size).toBe(3);
    expect(placed.map((f) => f.tone)).toEqual(['plain', 'plain', 'white', 'red']);
  });

  it('shows the morale of a leader large in the middle', () => {
    const [morale] = placeFigures([{ kind: 'morale', text: '9' }], LOOKS);
    expect(morale).toMatchObject({ text: '9', tone: 'huge', x: 50 });
  });

  it('says them in words', () => {
    const figures = [{ kind: 'at', text: '6-8' }];
    expect(figuresInWords(figures, LOOKS, {})).toBe('anti-tank fire 6-8');
    expect(figuresInWords(figures, LOOKS, { at: 'Panzerabwehr' })).toBe('Panzerabwehr 6-8');
  });
});
