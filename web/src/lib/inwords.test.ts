import { describe, expect, it } from 'vitest';
import { anew, announcement, fightersOf, marchText, ownUnit, textOf } from './inwords';
import { chaptersOf, entriesOf, marchOf } from './logbook';
import type { Choice, GameEvent } from './protocol';

const choice = (...units: string[]) => ({ units }) as Choice;
const own = (id: string) => id.startsWith('german');
const names = {
  unit: (id: string) => id.toUpperCase(),
  side: (id: string) => `The ${id} side`,
  sideOf: (id: string) => (id < 'm' ? 'soviet' : 'german'),
};

let n = 0;
const event = (kind: string, text: string, units: string[] = [], places: string[] = []) =>
  ({ n: ++n, turn: 1, side: 'soviet', kind, text, units, places, calculation: null }) as unknown as GameEvent;
const moved = (unit: string, from: string, to: string) => event('moved', '', [unit], [from, to]);

describe('the own unit of a choice', () => {
  it('is the one that acts, wherever it stands among the units', () => {
    expect(ownUnit(choice('german-1', 'soviet-1'), own)).toBe('german-1');
    expect(ownUnit(choice('soviet-1', 'german-2'), own)).toBe('german-2');
  });

  it('is none when only the enemy is in it', () => {
    expect(ownUnit(choice('soviet-1'), own)).toBeNull();
  });
});

describe('an announcement', () => {
  it('tells everything that is new, as sentences', () => {
    expect(
      announcement(
        [event('fired', 'A fires at B: dispersed', ['a', 'b']), event('dispersed', 'B is dispersed.', ['b'])],
        names,
      ),
    ).toBe('A fires at B: dispersed. B is dispersed.');
  });

  it('leaves the steps to the prompt', () => {
    expect(announcement([event('step', 'Direct fire')], names)).toBe('');
  });

  it('tells each move of a whole turn once, however many steps it has, and all who were seen at once', () => {
    const events = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((unit) => [
      moved(unit, '1', '2'),
      event('spotted', `${unit} is spotted`, [unit]),
      moved(unit, '2', '3'),
    ]);
    const said = announcement(events, names);
    expect(said).toMatch(/^The soviet side: A moves 1 → 2\./);
    for (const unit of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'])
      expect(said).toContain(`${unit} moves 2 → 3`);
    expect(said).toContain('spotted: A, B, C, D, E, F, G, H.');
    expect(said.match(/spotted/g)).toHaveLength(1);
  });

  it('tells every shot of a turn and its result', () => {
    const events = Array.from({ length: 9 }, (_, i) => event('fired', `Shot ${i}`, [`u${i}`]));
    for (let i = 0; i < 9; i++) expect(announcement(events, names)).toContain(`Shot ${i}.`);
  });
});

describe('a move in words', () => {
  const [step] = entriesOf([moved('a', '2-X3', '2-X4')]);
  const [drive] = entriesOf([moved('a', '10,10', '7,10'), moved('a', '7,10', '7,12')]);

  it('names both ends of it', () => {
    expect(textOf(step!, names)).toBe('A moves 2-X3 → 2-X4');
  });

  it('says on the free table how far it went, and where to', () => {
    expect(textOf(drive!, names)).toBe('A moves 5″ south-west');
  });
});

describe('a fight in words', () => {
  const shot = (text: string, ...units: string[]) =>
    entriesOf([{ ...event('fired', text, units), calculation: {} } as unknown as GameEvent])[0]!;

  it('names both sides where its text names nobody', () => {
    expect(fightersOf(shot('Direct fire at 2:1', 'a', 'b', 'x'), names)).toBe('A, B → X');
  });

  it('does not repeat names', () => {
    expect(fightersOf(shot('A at X: no effect', 'a', 'x'), names)).toBe('');
  });
});

describe('a march in words', () => {
  const march = (...events: GameEvent[]) => marchOf(chaptersOf(entriesOf(events))[0]!);

  it('tells one move with its path', () => {
    const one = march(moved('a', '1', '2'), event('spotted', '', ['a']));
    expect(marchText(one, names)).toBe('A moves 1 → 2; spotted: A');
  });

  it('names the first of many', () => {
    const many = march(...['a', 'b', 'c', 'd', 'e'].map((unit) => moved(unit, '1', '2')));
    expect(marchText(many, names)).toBe('5 units move: A, B, C and 2 more');
  });

  it('tells those who set up', () => {
    const placed = march(event('placed', '', ['a']), event('placed', '', ['b']));
    expect(marchText(placed, names)).toBe('2 units set up: A, B');
  });
});

describe('what is read out twice', () => {
  it('differs from what stands there, and reads the same', () => {
    expect(anew('No effect.', 'No effect.')).toBe('No effect.\u00a0');
    expect(anew('No effect.', 'No effect.\u00a0')).toBe('No effect.');
  });

  it('stays nothing where there is nothing', () => {
    expect(anew('', '')).toBe('');
  });
});
