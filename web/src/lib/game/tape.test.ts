import { expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import { TapeMeasure, type TapeEnd } from './tape.svelte';

const end = (x: number, y: number, unit: string | null = null): TapeEnd => ({ at: [x, y], unit });
const measure = (measures = true) =>
  new TapeMeasure({ ground: { measures }, los: { tool: {} } } as unknown as Game);

it('two ends lay a tape, and the next one begins anew', () => {
  const tape = measure();
  tape.toggle();
  tape.measure(end(0, 0));
  expect(tape.laid).toEqual([]);
  expect(tape.inHand?.from).toEqual(end(0, 0));
  tape.measure(end(3000, 4000, 'a'));
  expect(tape.laid).toEqual([{ from: end(0, 0), to: end(3000, 4000, 'a') }]);
  expect(tape.inHand).toEqual({ from: null });
});

it('no tape lies between a point and itself', () => {
  const tape = measure();
  tape.measure(end(5, 5));
  tape.measure(end(5, 5, 'a'));
  expect(tape.laid).toEqual([]);
});

it('is put away where it was taken up, and is not there where nothing is measured', () => {
  const tape = measure();
  tape.toggle();
  tape.toggle();
  expect(tape.inHand).toBeNull();
  const onHexes = measure(false);
  onHexes.toggle();
  expect(onHexes.inHand).toBeNull();
});
