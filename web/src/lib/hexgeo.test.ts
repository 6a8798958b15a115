import { describe, expect, it } from 'vitest';
import * as geo from './hexgeo';

describe('hex geometry', () => {
  it('places centres as the protocol says', () => {
    expect(geo.centre({ q: 0, r: 0 })).toEqual({ x: 0, y: 0 });
    expect(geo.centre({ q: 2, r: 0 })).toEqual({ x: 150, y: geo.HEX_HEIGHT });
    expect(geo.centre({ q: 1, r: -1 }).y).toBeCloseTo(-geo.HEX_HEIGHT / 2);
  });

  it('has directions N, NE, SE, S, SW, NW', () => {
    const at = (d: number) => geo.centre(geo.neighbour({ q: 0, r: 0 }, d));
    expect(at(0).x).toBe(0);
    expect(at(0).y).toBeLessThan(0);
    expect(at(1).x).toBe(75);
    expect(at(1).y).toBeLessThan(0);
    expect(at(2).x).toBe(75);
    expect(at(2).y).toBeGreaterThan(0);
    expect(at(3).y).toBeGreaterThan(0);
    expect(at(4).x).toBe(-75);
    expect(at(5).y).toBeLessThan(0);
  });

  it('puts the middle of a side half way to the neighbour', () => {
    for (let d = 0; d < 6; d++) {
      const middle = geo.sideMiddle({ q: 0, r: 0 }, d);
      const beyond = geo.centre(geo.neighbour({ q: 0, r: 0 }, d));
      expect(middle.x).toBeCloseTo(beyond.x / 2);
      expect(middle.y).toBeCloseTo(beyond.y / 2);
    }
  });

  it('finds the hex under a point', () => {
    expect(geo.hexAt({ x: 0, y: 0 })).toEqual({ q: 0, r: 0 });
    expect(geo.hexAt({ x: 49, y: 0 })).toEqual({ q: 0, r: 0 });
    expect(geo.hexAt({ x: 74, y: 40 })).toEqual({ q: 1, r: 0 });
    expect(geo.hexAt(geo.centre({ q: -7, r: 12 }))).toEqual({ q: -7, r: 12 });
  });

  it('measures distance in hexes', () => {
    expect(geo.distance({ q: 0, r: 0 }, { q: 3, r: -1 })).toBe(3);
    expect(geo.distance({ q: 2, r: 2 }, { q: 2, r: 2 })).toBe(0);
    expect(geo.distance({ q: 0, r: 0 }, { q: 2, r: 2 })).toBe(4);
  });

  it('names the direction of neighbours only', () => {
    expect(geo.directionTo({ q: 4, r: 4 }, { q: 4, r: 3 })).toBe(0);
    expect(geo.directionTo({ q: 4, r: 4 }, { q: 3, r: 5 })).toBe(4);
    expect(geo.directionTo({ q: 4, r: 4 }, { q: 6, r: 4 })).toBeNull();
  });

  it('outlines one hex with six corners and a pair with ten', () => {
    const outline = (hexes: geo.Axial[]) =>
      geo.outlines(hexes, (q, r) => hexes.some((h) => h.q === q && h.r === r));
    expect(outline([{ q: 0, r: 0 }]).map((l) => l.length)).toEqual([6]);
    expect(
      outline([
        { q: 0, r: 0 },
        { q: 1, r: 0 },
      ]).map((l) => l.length),
    ).toEqual([10]);
  });

  it('outlines a ring with an outer and an inner loop', () => {
    const ring = geo.STEPS.map((s) => ({ ...s }));
    const loops = geo.outlines(ring, (q, r) => ring.some((h) => h.q === q && h.r === r));
    expect(loops.map((l) => l.length).sort((a, b) => a - b)).toEqual([6, 18]);
  });
});
