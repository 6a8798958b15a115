import { expect, test } from 'vitest';
import { inSight } from './sight';

const sees = { places: ['2-N8'], bridges: ['2-V6'], from_bridge: { places: ['2-N8', '2-P7'], bridges: [] } };

test('in sight is what a unit in the gully sees, or one on the bridge', () => {
  expect(inSight({ sees, high: false })?.places).toEqual(['2-N8']);
  expect(inSight({ sees, high: true })?.places).toEqual(['2-N8', '2-P7']);
});

test('without a bridge, or without an answer, there is one level or none', () => {
  expect(inSight({ sees: { places: ['2-N8'], from_bridge: null }, high: true })?.places).toEqual(['2-N8']);
  expect(inSight({ sees: null, high: true })).toBeNull();
  expect(inSight(null)).toBeNull();
});
