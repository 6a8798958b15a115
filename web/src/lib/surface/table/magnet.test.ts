import { describe, expect, it } from 'vitest';
import type { Feature } from '../../render/table/model';
import { drawn, type Iron } from './magnet';

const feature = (kind: string, shape: string, way: [number, number][], ring: [number, number][] = []) =>
  ({
    kind,
    shape,
    way: way.map(([x, y]) => ({ x, y })),
    rings: ring.length > 0 ? [ring.map(([x, y]) => ({ x, y }))] : [],
    box: { x: 0, y: 0, width: 1000, height: 1000 },
  }) as unknown as Feature;
const none: Iron = { features: [], stands: [], foes: [], ranges: [], base: 64 };

describe('the magnet', () => {
  it('draws to the middle of a road and to the edge of a field, but not from afar', () => {
    const road = feature('road', 'line', [
      [0, 500],
      [1000, 500],
    ]);
    const iron = { ...none, features: [road] };
    expect(drawn({ x: 300, y: 506 }, 10, iron)).toEqual({ x: 300, y: 500, by: 'road' });
    expect(drawn({ x: 300, y: 520 }, 10, iron)).toBeNull();
    const field = feature(
      'field',
      'area',
      [],
      [
        [100, 100],
        [400, 100],
        [400, 400],
        [100, 400],
      ],
    );
    expect(drawn({ x: 107, y: 200 }, 10, { ...none, features: [field] })).toMatchObject({
      x: 100,
      by: 'edge',
    });
  });

  it('brings stands into contact without an overlap', () => {
    const found = drawn({ x: 560, y: 500 }, 10, { ...none, stands: [{ x: 500, y: 500 }] });
    expect(found?.by).toBe('contact');
    expect(found!.x).toBeGreaterThan(564);
    expect(found!.x).toBeLessThan(565);
  });

  it('keeps within the range of an enemy', () => {
    const found = drawn({ x: 905, y: 500 }, 10, { ...none, foes: [{ x: 100, y: 500 }], ranges: [800] });
    expect(found?.by).toBe('range');
    expect(found!.x).toBeLessThan(900);
  });
});
