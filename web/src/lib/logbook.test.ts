import { describe, expect, it } from 'vitest';
import { entriesOf } from './logbook';
import type { GameEvent } from './protocol';

const moved = (n: number, unit: string, ...places: string[]) =>
  ({ n, turn: 1, kind: 'moved', units: [unit], places }) as unknown as GameEvent;

describe('the log', () => {
  it('tells a move of several steps once, with its whole path', () => {
    const [entry, ...more] = entriesOf([
      moved(4, 'a', '2-Z2', '2-Z3'),
      moved(5, 'a', '2-Z3', '2-Y3'),
      moved(6, 'a', '2-Y3', '2-Y4'),
    ]);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ places: ['2-Z2', '2-Z3', '2-Y3', '2-Y4'], steps: 3, event: { n: 6 } });
  });

  it('keeps two units apart, and a unit that was shot at in between', () => {
    const shot = { n: 2, turn: 1, kind: 'fired', units: ['b'], places: [] } as unknown as GameEvent;
    expect(entriesOf([moved(1, 'a', 'x', 'y'), moved(2, 'b', 'y', 'z')])).toHaveLength(2);
    expect(entriesOf([moved(1, 'a', 'x', 'y'), shot, moved(3, 'a', 'y', 'z')])).toHaveLength(3);
  });

  it('keeps two moves of one unit apart when the second begins elsewhere or in another turn', () => {
    expect(entriesOf([moved(1, 'a', 'x', 'y'), moved(2, 'a', 'w', 'z')])).toHaveLength(2);
    const later = { ...moved(2, 'a', 'y', 'z'), turn: 2 };
    expect(entriesOf([moved(1, 'a', 'x', 'y'), later])).toHaveLength(2);
  });

  it('tells of no move that ends where it began', () => {
    const thereAndBack = entriesOf([moved(1, 'a', 'x', 'y'), moved(2, 'a', 'y', 'x')]);
    expect(thereAndBack.map((entry) => [entry.steps, ...entry.places])).toEqual([
      [1, 'x', 'y'],
      [1, 'y', 'x'],
    ]);
    const onTheSpot = entriesOf([moved(1, 'a', 'x'), moved(2, 'a', 'x')]);
    expect(onTheSpot.map((entry) => entry.steps)).toEqual([1, 1]);
  });

  it('keeps what happens on the spot, such as going below works, apart from the way there', () => {
    const entries = entriesOf([moved(1, 'a', 'x', 'y'), moved(2, 'a', 'y')]);
    expect(entries.map((entry) => [entry.event.n, entry.steps])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('goes on from the hex where a unit came onto the map', () => {
    expect(entriesOf([moved(1, 'a', 'x'), moved(2, 'a', 'x', 'y')])).toMatchObject([
      { places: ['x', 'y'], steps: 2 },
    ]);
  });

  it('leaves the events as they are', () => {
    const first = moved(1, 'a', 'x', 'y');
    entriesOf([first, moved(2, 'a', 'y', 'z')]);
    expect(first.places).toEqual(['x', 'y']);
  });
});
