import { describe, expect, it } from 'vitest';
import type { TableFeature } from '../../protocol';
import { makeTable, paces, within } from './model';
import { lettering, namesOf, sizeAt } from './names';
import { heights, rasterOf, shades } from './relief';
import { noise } from '../noise';
import { scattered } from './scatter';

const ring = [
  { x: 0, y: 0 },
  { x: 640, y: 0 },
  { x: 640, y: 640 },
  { x: 0, y: 640 },
];

const contour = (name: string, level: number, from: number, to: number): TableFeature => ({
  id: `${name}-${level}`,
  kind: 'slope',
  name,
  called: name,
  shape: 'contour',
  look: 'slope',
  level,
  polygons: [
    [
      [
        [from, from],
        [to, from],
        [to, to],
        [from, to],
      ],
    ],
  ],
});

const hill = makeTable({
  space: 'table',
  id: 'h',
  title: 'H',
  size: [30000, 30000],
  base: 1000,
  terrain: [
    contour('Hill 30', 1, 8000, 22000),
    contour('Hill 30', 2, 12000, 18000),
    { ...contour('Slope', 1, 1000, 2000), called: undefined },
  ],
});

describe('scattered points', () => {
  it('are the same every time, and others for another seed', () => {
    expect(scattered([ring], 40, 10, 'a')).toEqual(scattered([ring], 40, 10, 'a'));
    expect(scattered([ring], 40, 10, 'a')).not.toEqual(scattered([ring], 40, 10, 'b'));
  });

  it('keep their distance from the edge and from what is built', () => {
    const found = scattered([ring], 40, 20, 'a', ({ x }) => x > 300);
    expect(found.length).toBeGreaterThan(40);
    for (const p of found) {
      expect(within(p, [ring])).toBe(true);
      expect(Math.min(p.x, p.y, 640 - p.x, 640 - p.y)).toBeGreaterThanOrEqual(20);
      expect(p.x).toBeGreaterThan(300);
    }
  });
});

describe('paces along a way', () => {
  it('are evenly spaced round its corners', () => {
    const way = [ring[0]!, ring[1]!, ring[2]!];
    const found = paces(way, 100);
    expect(found).toHaveLength(13);
    expect(found[0]).toMatchObject({ y: 0, angle: 0 });
    expect(found.at(-1)!.x).toBe(640);
    expect(found.at(-1)!.angle).toBeCloseTo(Math.PI / 2);
  });
});

describe('the light', () => {
  const raster = rasterOf(hill.box);
  const shade = shades(heights(hill, raster), raster);
  const at = (x: number, y: number) => {
    const [i, j] = [x, y].map((inch) => Math.round((inch * 64) / raster.step)) as [number, number];
    return shade[j * raster.width + i]!;
  };

  it('falls on slopes to the north-west and leaves those to the south-east in shade', () => {
    expect(at(8, 15)).toBeGreaterThan(0.05);
    expect(at(15, 8)).toBeGreaterThan(0.05);
    expect(at(22, 15)).toBeLessThan(-0.05);
    expect(at(15, 22)).toBeLessThan(-0.05);
    expect(at(26, 4)).toBeCloseTo(0);
  });

  it('rises by a level at each contour', () => {
    const found = heights(hill, raster);
    const height = (x: number) =>
      found[Math.round((15 * 64) / raster.step) * raster.width + Math.round((x * 64) / raster.step)]!;
    expect(height(3)).toBe(0);
    expect(height(11)).toBeGreaterThan(0.9);
    expect(height(15)).toBeGreaterThan(1.9);
  });

  it('is of noise that is smooth and fixed', () => {
    expect(noise(3.2, 4.7, 1)).toBe(noise(3.2, 4.7, 1));
    expect(Math.abs(noise(3.2, 4.7, 1) - noise(3.21, 4.7, 1))).toBeLessThan(0.1);
  });
});

describe('names', () => {
  it('stand once for a hill, and not for what has only that of its kind', () => {
    expect(namesOf(hill).map((name) => name.text)).toEqual(['Hill 30']);
  });

  it('can be read at every scale', () => {
    for (const scale of [0.1, 0.3, 1, 3]) expect(sizeAt(scale, false) * scale).toBeGreaterThan(13);
  });

  it('never lie on one another', () => {
    const [name] = namesOf(hill);
    const crowd = Array.from({ length: 8 }, (_, i) => ({ ...name!, text: `Hill ${i}` }));
    const placed = lettering(crowd, 0.3, hill.box);
    expect(placed.length).toBeGreaterThan(2);
    placed.forEach((a, i) =>
      placed.slice(i + 1).forEach((b) => {
        const apart = a.box.y + a.box.height <= b.box.y || b.box.y + b.box.height <= a.box.y;
        expect(apart).toBe(true);
      }),
    );
  });
});
