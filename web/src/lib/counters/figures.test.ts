import { describe, expect, it } from 'vitest';
import type { CounterLooks } from '../protocol';
import { widthOf } from './letters';
import { figuresInWords, placeFigures, placeNear } from './figures';
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

  it('makes three that are wide smaller, so that none lies over another', () => {
    const texts = ['14-10', '12-28', '10-12'];
    const kinds = ['direct', 'bombardment', 'at'];
    for (const place of [placeFigures, placeNear]) {
      const placed = place(
        texts.map((text, i) => ({ kind: kinds[i]!, text })),
        LOOKS,
      );
      const spans = placed.map(({ x, anchor, em }) => {
        // No letter of a common font is wider than it is high: four digits and a hyphen.
        const wide = (4 * 0.7 + 0.42) * em!;
        const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
        return [from, from + wide] as const;
      });
      expect(spans[0]![0]).toBeGreaterThanOrEqual(6);
      expect(spans[1]![0]).toBeGreaterThan(spans[0]![1]);
      expect(spans[2]![0]).toBeGreaterThan(spans[1]![1]);
      expect(spans[2]![1]).toBeLessThanOrEqual(94);
    }
  });

  it('lets three figures at the head share it, however wide they are', () => {
    const looks: CounterLooks = {
      ...PLAIN_LOOKS,
      figures: {
        attack: { title: 'attack', at: 'top-left', tone: 'large' },
        weapon: { title: 'class', at: 'top', tone: 'small' },
        range: { title: 'range', at: 'top-right', tone: 'large' },
      },
    };
    for (const texts of [
      ['14', '(H)', '20'],
      ['40', '(H)', '8*'],
      ['6', 'I', '5'],
    ]) {
      const kinds = ['attack', 'weapon', 'range'];
      const [left, middle, right] = placeFigures(
        texts.map((text, i) => ({ kind: kinds[i]!, text })),
        looks,
      ).map((f) => ({ ...f, wide: widthOf(f.text) * (f.em ?? { large: 25, small: 15 }[f.tone as 'large']) }));
      expect(left!.x + left!.wide).toBeLessThan(middle!.x - middle!.wide / 2);
      expect(middle!.x + middle!.wide / 2).toBeLessThan(right!.x - right!.wide);
    }
  });

  it('leaves figures that fit as large as they are', () => {
    const placed = placeFigures(
      [
        { kind: 'direct', text: '7-4' },
        { kind: 'at', text: '6-8' },
      ],
      LOOKS,
    );
    expect(placed.map(({ em }) => em)).toEqual([null, null]);
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
