import { describe, expect, it } from 'vitest';
import { exitsOf, namedPlaces, objectivesOf, sourcesOf } from './goals';
import type { GameEvent, Unit, VictoryLine, View } from './protocol';

const line = (given: Partial<VictoryLine>): VictoryLine => ({
  side: 'german',
  kind: 'control',
  text: '',
  have: 0,
  want: null,
  points: 0,
  ...given,
});

const view = (victory: VictoryLine[], more: Partial<View> = {}) =>
  ({ victory, units: [], ...more }) as unknown as View;

describe('objectives', () => {
  it('are worth what each side gets for them, and belong to whoever holds them', () => {
    const found = objectivesOf(
      view(
        [
          line({ places: ['A1', 'A2'], each: 3 }),
          line({ side: 'soviet', places: ['A1'], each: 1, near: 2000 }),
        ],
        { control: { A1: 'soviet' } },
      ),
    );
    expect(found).toEqual([
      {
        place: 'A1',
        holder: 'soviet',
        worth: [
          { side: 'german', points: 3 },
          { side: 'soviet', points: 1 },
        ],
        near: 2000,
      },
      { place: 'A2', holder: null, worth: [{ side: 'german', points: 3 }], near: 0 },
    ]);
  });

  it('of a decision are worth no points', () => {
    expect(objectivesOf(view([line({ kind: 'decision', places: ['A1'], each: 0 })]))[0]?.worth).toEqual([]);
  });

  it('are neither exits nor losses', () => {
    const lines = [line({ kind: 'exit', places: ['north'], each: 2 }), line({ kind: 'eliminate', each: 1 })];
    expect(objectivesOf(view(lines))).toEqual([]);
    expect(exitsOf(view(lines))).toEqual([{ place: 'north', side: 'german', points: 2 }]);
  });
});

describe('sources of points', () => {
  const lost = { n: 4, units: ['soviet-1'], places: ['B2', 'B3'] } as unknown as GameEvent;
  const alive = { id: 'soviet-2', place: 'C3' } as Unit;

  it('are places that are held, and units where they were last', () => {
    const given = view(
      [
        line({ counted: [{ what: 'A1', points: 3 }] }),
        line({
          kind: 'eliminate',
          counted: [
            { what: 'soviet-1', points: 2 },
            { what: 'soviet-2', points: 1 },
            { what: 'soviet-3', points: 1 },
          ],
        }),
      ],
      { units: [alive] },
    );
    expect(sourcesOf(given, [lost]).map(({ what, place, points }) => [what, place, points])).toEqual([
      ['A1', 'A1', 3],
      ['soviet-1', 'B3', 2],
      ['soviet-2', 'C3', 1],
      ['soviet-3', null, 1],
    ]);
  });
});

it('places of one name stand together', () => {
  const nameOf = (place: string) => (place.startsWith('A') ? 'Hill' : place);
  expect(namedPlaces(['A1', 'B1', 'A2'], nameOf)).toEqual([
    { name: 'Hill', places: ['A1', 'A2'] },
    { name: 'B1', places: ['B1'] },
  ]);
});
