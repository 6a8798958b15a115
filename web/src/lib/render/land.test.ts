import { describe, expect, it } from 'vitest';
import { centre, hexAt } from '../hexgeo';
import { BOARDS } from './boards.fixture';
import { sheetOf, traced } from './land';
import { has, makeModel } from './model';
import { furrows, parcels } from './parcels';
import { within } from './table/model';
import { spansOf } from './ways';

describe('soft borders', () => {
  it('close round what passes, with it on their right hand', () => {
    const share = Float32Array.from([0, 0, 0, 0, 1, 0, 0, 0, 0]);
    const [loop, ...others] = traced(share, 3, 3, 0.5);
    expect(others).toEqual([]);
    expect(within({ x: 1, y: 1 }, [loop!])).toBe(true);
    const doubled = loop!.reduce((sum, p, i) => {
      const q = loop![(i + 1) % loop!.length]!;
      return sum + p.x * q.y - q.x * p.y;
    }, 0);
    expect(doubled).toBeGreaterThan(0);
  });

  it('close at the edge of the sheet', () => {
    const [loop] = traced(new Float32Array(4).fill(1), 2, 2, 0.5);
    expect(within({ x: 0.5, y: 0.5 }, [loop!])).toBe(true);
  });
});

describe.each(BOARDS)('the drawing of $id', (data) => {
  const model = makeModel(data);
  const { land } = model;

  it('has every hex with its middle on its own level', () => {
    const levels = [...new Set(data.hexes.map((hex) => hex.level))].filter((level) => level > 0);
    for (const level of levels) {
      const share = land.share(`level ${level}`, (hex) => hex.level >= level);
      const borders = land.borders(share);
      for (const hex of data.hexes) {
        expect([hex.name, level, within(centre(hex), borders)]).toEqual([
          hex.name,
          level,
          hex.level >= level,
        ]);
      }
    }
  });

  it('has every hex with its middle on its own ground', () => {
    for (const terrain of ['woods', 'broken', 'crops', 'town', 'sand', 'swamp', 'water']) {
      const borders = land.borders(land.share(terrain, (hex) => has(hex, terrain)));
      for (const hex of data.hexes) {
        expect([hex.name, terrain, within(centre(hex), borders)]).toEqual([
          hex.name,
          terrain,
          has(hex, terrain),
        ]);
      }
    }
  });

  it('has every road in the hexes that it leads through, on the map', () => {
    for (const hex of data.hexes) {
      for (const { curves, samples, ends, kind } of model.ways.get(hex.name)!) {
        const brook = ['stream', 'ford', 'water'].some((terrain) => has(hex, terrain)) ? 6 : 0;
        const sides = brook + hex.links.filter(Boolean).length + hex.gully.filter(Boolean).length;
        expect(curves.length, `${hex.name} ${kind} ${ends}`).toBeLessThanOrEqual(sides);
        for (const p of samples) {
          // A place on a side may count as the neighbour's: a step towards the middle decides.
          const c = centre(hex);
          const { q, r } = hexAt({ x: p.x + (c.x - p.x) * 0.04, y: p.y + (c.y - p.y) * 0.04 });
          expect([hex.name, q, r]).toEqual([hex.name, hex.q, hex.r]);
        }
      }
    }
  });

  it('has every bridge on its road, over water', () => {
    const spans = spansOf(model);
    expect(spans.map(({ hex }) => hex.name)).toEqual(data.hexes.filter((h) => h.bridge).map((h) => h.name));
    for (const { hex, points } of spans) {
      const ways = model.ways.get(hex.name)!;
      const water = land.share('water', (h) => has(h, 'water'));
      const wet = ways.filter((way) => way.kind === 'gully').flatMap((way) => way.samples);
      const middle = points[Math.floor(points.length / 2)]!;
      const far = Math.min(...wet.map((p) => Math.hypot(p.x - middle.x, p.y - middle.y)));
      expect(far < 12 || land.at(water, middle) > 0.5, `${hex.name} is ${far} off`).toBe(true);
    }
  });
});

describe('the sheet', () => {
  const half = BOARDS.find(({ id }) => id === 'own-1')!;

  it('is cut where half-hexes are, through their middles', () => {
    const whole = sheetOf(half.hexes);
    const edge = (hex: { q: number }) => hex.q === 0 || hex.q === 32;
    const cut = sheetOf(half.hexes.map((hex) => ({ ...hex, playable: !edge(hex) })));
    expect(cut.x - whole.x).toBeCloseTo(50);
    expect(cut.width).toBeCloseTo(whole.width - 100);
    expect(cut.height).toBeCloseTo(whole.height);
  });
});

describe('parcels', () => {
  const all = parcels(
    { x: 0, y: 0, width: 400, height: 300 },
    { size: 2000, lie: () => null, seed: 'a farm' },
  );

  it('leave no gap and do not overlap', () => {
    for (const p of [
      { x: 3, y: 3 },
      { x: 200.5, y: 150.5 },
      { x: 396, y: 20 },
      { x: 77.3, y: 288.8 },
    ]) {
      expect(all.filter(({ corners }) => within(p, [corners]))).toHaveLength(1);
    }
  });

  it('are tilled from end to end, not beyond', () => {
    for (const { corners, angle } of all) {
      for (const [a, b] of furrows(corners, angle, 6)) {
        expect(within({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, [corners])).toBe(true);
      }
    }
  });
});
