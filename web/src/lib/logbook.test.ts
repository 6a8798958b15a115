import { describe, expect, it } from 'vitest';
import { ALL, chaptersOf, chosenOf, entriesOf, marchOf, unitsOf, type Chapter, type Wanted } from './logbook';
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

  it('tells the turns of a unit with its move, and turns on the spot once', () => {
    const turned = (n: number, unit: string) => ({ ...moved(n, unit, 'x'), kind: 'turned' });
    const [entry, ...more] = entriesOf([
      turned(1, 'a'),
      turned(2, 'a'),
      moved(3, 'a', 'x', 'y'),
      turned(4, 'a'),
      moved(5, 'a', 'y', 'z'),
    ]);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ first: 1, places: ['x', 'y', 'z'], event: { n: 5 } });
    expect(entriesOf([turned(1, 'a'), turned(2, 'b')])).toHaveLength(2);
  });

  it('leaves the events as they are', () => {
    const first = moved(1, 'a', 'x', 'y');
    entriesOf([first, moved(2, 'a', 'y', 'z')]);
    expect(first.places).toEqual(['x', 'y']);
  });
});

const event = (n: number, kind: string, more: object = {}) =>
  ({
    n,
    turn: 1,
    side: 'german',
    kind,
    text: '',
    units: [],
    places: [],
    calculation: null,
    ...more,
  }) as unknown as GameEvent;
const shot = event(1, 'fired', { units: ['a', 'x'], places: ['9'], text: 'A 1 fires at X' });
const loss = event(2, 'eliminated', { units: ['x'], places: ['9'], text: 'X is eliminated' });
const wreck = event(3, 'wreck', { places: ['9'], text: 'A wreck lies in 9' });
const step = event(4, 'step', { text: 'German player turn 1' });
const told = (...events: GameEvent[]) => chaptersOf(entriesOf(events));
const shape = (chapters: Chapter[]) =>
  chapters.map(({ kind, entries }) => [kind, ...entries.map(({ event: { n } }) => n)]);

describe('the story', () => {
  it('keeps a fight and all that came of it together', () => {
    expect(shape(told(shot, loss, wreck, step))).toEqual([
      ['fight', 1, 2, 3],
      ['heading', 4],
    ]);
  });

  it('begins anew with the next shot, and with what has nothing to do with the fight', () => {
    const next = event(2, 'fired', { units: ['b', 'x'], places: ['9'] });
    const elsewhere = event(3, 'result', { units: ['c'], places: ['7'] });
    expect(shape(told(shot, next, elsewhere))).toEqual([
      ['fight', 1],
      ['fight', 2],
      ['single', 3],
    ]);
  });

  it('does not count a recovery as the result of the fight before', () => {
    const recovered = event(2, 'recovered', { units: ['x'], places: ['9'] });
    expect(shape(told(shot, recovered))).toEqual([
      ['fight', 1],
      ['single', 2],
    ]);
  });

  it('folds moves and spotting of one side, whoever moves', () => {
    const seen = event(3, 'spotted', { units: ['b'] });
    const theirs = event(4, 'moved', { units: ['x'], places: ['8', '9'], side: 'soviet' });
    const one = event(1, 'moved', { units: ['a'], places: ['1', '2'] });
    const two = event(2, 'moved', { units: ['b'], places: ['3', '4'] });
    const chapters = told(one, two, seen, theirs);
    expect(shape(chapters)).toEqual([
      ['march', 1, 2, 3],
      ['march', 4],
    ]);
    const march = marchOf(chapters[0]!);
    expect([unitsOf(march.moves), unitsOf(march.spotting)]).toEqual([['a', 'b'], ['b']]);
  });

  it('has numbers that stay as it grows', () => {
    const walk = [event(1, 'moved', { units: ['a'], places: ['1', '2'] })];
    const on = [...walk, event(2, 'moved', { units: ['a'], places: ['2', '3'] })];
    expect(told(...walk)[0]!.n).toBe(told(...on)[0]!.n);
  });
});

describe('the filter', () => {
  const name = (unit: string) => ({ a: 'Tiger 1', x: 'T-34 1', y: 'T-34 10' })[unit] ?? unit;
  const other = event(5, 'fired', { units: ['a', 'y'], places: ['1-A1'], text: 'Tiger 1 at T-34 10' });
  const walk = event(6, 'moved', { units: ['y'], places: ['1-A1', '1-A10'], text: 'T-34 10 moves to 1-A10' });
  const story = told(shot, loss, step, other, walk);
  const left = (wanted: Partial<Wanted>) => shape(chosenOf(story, { ...ALL, ...wanted }, name));

  it('leaves everything where nothing is wanted', () => {
    expect(left({})).toEqual(shape(story));
  });

  it('finds a unit by its whole name', () => {
    expect(left({ words: 'T-34 1' })).toEqual([['fight', 1, 2]]);
    expect(left({ words: 't-34 10' })).toEqual([
      ['heading', 4],
      ['fight', 5],
      ['march', 6],
    ]);
  });

  it('finds a hex', () => {
    expect(left({ words: '1-A10' })).toEqual([
      ['heading', 4],
      ['march', 6],
    ]);
    expect(left({ words: '9' })).toEqual([['fight', 1, 2]]);
  });

  it('finds a kind, a loss with the fight that brought it', () => {
    expect(left({ sort: 'loss' })).toEqual([['fight', 1, 2]]);
    expect(left({ sort: 'move' })).toEqual([
      ['heading', 4],
      ['march', 6],
    ]);
  });

  it('shows no heading over nothing', () => {
    expect(left({ words: 'nobody' })).toEqual([]);
  });
});
