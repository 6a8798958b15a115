import { expect, it } from 'vitest';
import { Twice } from './twice';

it('two presses count within the time, whenever they come', () => {
  const key = new Twice(2500);
  expect([0, 1000].map((at) => key.press(at))).toEqual([false, true]);
  // The time of an earlier pair does not cut this one short.
  expect([2000, 3900].map((at) => key.press(at))).toEqual([false, true]);
});

it('a press that comes late is a first one', () => {
  const key = new Twice(2500);
  expect([0, 2600, 4000].map((at) => key.press(at))).toEqual([false, false, true]);
});

it('a third press is a first one', () => {
  const key = new Twice(2500);
  expect([0, 10, 20].map((at) => key.press(at))).toEqual([false, true, false]);
});
