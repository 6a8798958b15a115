import { describe, expect, it } from 'vitest';
import type { CounterLooks } from '../../protocol';
import { detailOf, LEAST_PX, letteringOf, magnified } from './face';

const looks: CounterLooks = {
  figures: {
    attack: { title: 'attack', at: 'top-left', tone: 'large' },
    weapon: { title: 'class', at: 'top', tone: 'small' },
    range: { title: 'range', at: 'top-right', tone: 'large' },
    defence: { title: 'defense', at: 'foot', tone: 'large' },
    movement: { title: 'movement', at: 'foot', tone: 'large' },
  },
  markers: {},
  liveries: {},
  badges: {},
  short: {},
};
const figures = Object.entries({ attack: '14', weapon: 'A', range: '16', defence: '9', movement: '8' }).map(
  ([kind, text]) => ({ kind, text }),
);

describe('a stand', () => {
  it('is drawn true to size near by, and large enough to be seen far out', () => {
    expect(magnified(64)).toBe(1);
    expect(magnified(10) * 10).toBe(LEAST_PX);
  });

  it('shows less where there is no room to read', () => {
    expect([64, 45, 30].map(detailOf)).toEqual(['full', 'brief', 'sign']);
  });
});

describe('the figures on a stand', () => {
  it('all lie within its disc, each in a place of its own', () => {
    const found = letteringOf(figures, looks, 'full');
    expect(found.map((f) => f.text)).toEqual(['14', 'A', '16', '9', '8']);
    for (const { x, y } of found) expect(Math.hypot(x, y)).toBeLessThan(46);
    expect(new Set(found.map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
  });

  it('lie above the name on a square', () => {
    const square = letteringOf(figures, { ...looks, base: 'square' }, 'full');
    for (const { x, y } of square) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(32);
    expect(new Set(square.map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
  });

  it('are the strength and its class where there is little room, and none far out', () => {
    expect(letteringOf(figures, looks, 'brief').map((f) => f.text)).toEqual(['14 A']);
    expect(letteringOf(figures, looks, 'sign')).toEqual([]);
  });
});
