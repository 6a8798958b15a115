/** Which units belong together, as far as the view tells it, and the colour and the letter by which one sees that. */
import type { Side, Unit, UnitId } from '../protocol';

/** The sign of a formation: never its colour alone. */
export interface FormationMark {
  side: Side;
  name: string;
  colour: string;
  /** Of the letter, on the colour. */
  ink: string;
  letter: string;
}

const [DARK, PALE] = ['#14120d', '#ffffff'];

/** Colours that all eyes tell apart as well as eight can be told apart, with the ink that is read on each. */
export const COLOURS: readonly (readonly [colour: string, ink: string])[] = [
  ['#0a5fa3', PALE],
  ['#9c4500', PALE],
  ['#00785a', PALE],
  ['#e79ac6', DARK],
  ['#e9e6da', DARK],
  ['#5a2d82', PALE],
  ['#74c4f0', DARK],
  ['#23211c', PALE],
];

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The formation of a unit, or the player who has it where a side is divided among several. */
const nameOf = ({ formation, player }: Unit): string => formation || player || '';

const keyOf = (unit: Unit): string => `${unit.side}\n${nameOf(unit)}`;

/** Allots a place to each formation of its side, in the order of their names; those that had one keep it. */
export function allotted(units: readonly Unit[], before: ReadonlyMap<string, number>): Map<string, number> {
  const slots = new Map(before);
  const found = [...new Map(units.map((unit) => [keyOf(unit), unit]))];
  const order = new Intl.Collator('en', { numeric: true });
  for (const [key, unit] of found.sort(([a], [b]) => order.compare(a, b))) {
    if (nameOf(unit) === '' || slots.has(key)) continue;
    const taken = [...slots.keys()].filter((other) => other.startsWith(`${unit.side}\n`)).length;
    slots.set(key, taken);
  }
  return slots;
}

function markOf(unit: Unit, slot: number): FormationMark {
  const [colour, ink] = COLOURS[slot % COLOURS.length]!;
  const letter = LETTERS[slot % LETTERS.length]!;
  return { side: unit.side, name: nameOf(unit), colour, ink, letter };
}

/** The marks of units; none on a side all of whose units are in one formation, or in none. */
export function marks(
  units: readonly Unit[],
  slots: ReadonlyMap<string, number>,
): Map<UnitId, FormationMark> {
  const kinds = new Map<Side, Set<string>>();
  for (const unit of units) kinds.set(unit.side, (kinds.get(unit.side) ?? new Set()).add(nameOf(unit)));
  const found = new Map<UnitId, FormationMark>();
  for (const unit of units) {
    const slot = slots.get(keyOf(unit));
    if (slot !== undefined && kinds.get(unit.side)!.size > 1) found.set(unit.id, markOf(unit, slot));
  }
  return found;
}

/** Every formation of a side once, in the order of its letters. */
export function formationsOf(side: Side, found: Iterable<FormationMark>): FormationMark[] {
  const own = [...found].filter((mark) => mark.side === side);
  return [...new Map(own.map((mark) => [mark.name, mark])).values()].sort((a, b) =>
    a.letter < b.letter ? -1 : 1,
  );
}
