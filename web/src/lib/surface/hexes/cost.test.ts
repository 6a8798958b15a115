import { describe, expect, it } from 'vitest';
import { corners, HEX_HEIGHT } from '../../hexgeo';
import type { MapHex } from '../../protocol';
import { costSpot } from './cost';

const COUNTER = 62;
const NUMBER_HALF = 13;
const FIGURE = { half: 13, tall: 7.5 };
const hex = (label: string): MapHex => ({
  name: 'A1',
  q: 0,
  r: 0,
  board: '1',
  playable: true,
  terrain: ['clear'],
  level: 0,
  label,
  sides: [],
  links: [],
  gully: [],
  bridge: '',
  ford: false,
});

describe('what a hex costs', () => {
  it('stands at the foot of the hex, its figure below the counter', () => {
    const { x, y } = costSpot(hex(''));
    expect(x).toBe(0);
    expect(y).toBeGreaterThan(COUNTER / 2);
    expect(y + FIGURE.tall).toBeLessThanOrEqual(HEX_HEIGHT / 2 + 0.1);
  });

  it('leaves the foot to a name, and stands beside the number', () => {
    const { x, y } = costSpot(hex('Krasny Yar'));
    expect(y).toBeLessThan(-COUNTER / 2);
    expect(x - FIGURE.half).toBeGreaterThanOrEqual(NUMBER_HALF);
    const right = Math.max(...corners({ q: 0, r: 0 }).map((p) => p.x));
    expect(x + FIGURE.half).toBeLessThan(right);
  });
});
