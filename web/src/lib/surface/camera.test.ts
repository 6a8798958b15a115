import { expect, test } from 'vitest';
import { busiest } from './camera';

const crowd = [0, 10, 20].map((x) => ({ x, y: 0 }));

test('the window goes where it holds the most points', () => {
  const alone = { x: 500, y: 0 };
  expect(busiest([alone, ...crowd], 45, 10)).toEqual({ x: 0, y: 0 });
  expect(busiest([alone, ...crowd], 30, 10)).toEqual({ x: 10, y: 0 });
});

test('a window is as high as it is said to be', () => {
  const column = [0, 30, 60].map((y) => ({ x: 900, y }));
  expect(busiest([...crowd.slice(0, 2), ...column], 50, 100)).toEqual({ x: 900, y: 0 + 30 });
});

test('a place that is named a thousand times is looked at once for each time', () => {
  let reads = 0;
  const points = Array.from({ length: 20_000 }, (_, i) => ({
    get x() {
      reads += 1;
      return i % 20;
    },
    y: 0,
  }));
  expect(busiest(points, 1000, 1000)).toEqual({ x: 0, y: 0 });
  expect(reads).toBeLessThanOrEqual(2 * points.length);
});
