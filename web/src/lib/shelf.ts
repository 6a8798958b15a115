/** The scenarios on offer: in which order they stand, and which of them a player wants to see. Pure. */
import type { ScenarioInfo, Side } from './protocol';

export const LENGTHS = ['short', 'evening', 'long'] as const;
export const SIZES = ['small', 'medium', 'large'] as const;
export type Length = (typeof LENGTHS)[number];
export type Size = (typeof SIZES)[number];

/** What a player looks for; an empty word is any. */
export interface Wish {
  ruleset: string;
  length: Length | '';
  size: Size | '';
  side: Side;
  theme: string;
}

export const ANY: Wish = { ruleset: '', length: '', size: '', side: '', theme: '' };

/** Up to so many turns of a unit a game is short, or takes an evening. */
const SHORT = 220;
const EVENING = 600;
/** Up to so many units a game is small, or of medium size. */
const SMALL = 24;
const MEDIUM = 50;

export const unitsIn = (scenario: ScenarioInfo) => scenario.sides.reduce((sum, side) => sum + side.units, 0);

/** How much there is to do: turns of single units. */
const work = (scenario: ScenarioInfo) => scenario.turns * unitsIn(scenario);

export function lengthOf(scenario: ScenarioInfo): Length {
  const turns = work(scenario);
  if (turns <= SHORT) return 'short';
  return turns <= EVENING ? 'evening' : 'long';
}

export function sizeOf(scenario: ScenarioInfo): Size {
  const units = unitsIn(scenario);
  if (units <= SMALL) return 'small';
  return units <= MEDIUM ? 'medium' : 'large';
}

/** The easiest first, and of those the shortest. */
export function sorted(scenarios: readonly ScenarioInfo[]): ScenarioInfo[] {
  return [...scenarios].sort((a, b) => a.difficulty - b.difficulty || work(a) - work(b));
}

const fits = (wanted: string, found: string) => wanted === '' || wanted === found;

export function wanted(scenario: ScenarioInfo, wish: Wish): boolean {
  return (
    fits(wish.ruleset, scenario.ruleset) &&
    fits(wish.length, lengthOf(scenario)) &&
    fits(wish.size, sizeOf(scenario)) &&
    (wish.side === '' || scenario.sides.some((side) => side.id === wish.side)) &&
    (wish.theme === '' || scenario.themes.includes(wish.theme))
  );
}

/** The scenario of each rulebook with which to begin, whatever is looked for. */
export function firstSteps(scenarios: readonly ScenarioInfo[]): Set<string> {
  const found = new Map<string, string>();
  for (const { ruleset, id } of sorted(scenarios)) if (!found.has(ruleset)) found.set(ruleset, id);
  return new Set(found.values());
}

/** What games between equal computer players have shown of the fairness of a scenario. */
export interface Balance {
  games: number;
  draws: number;
  /** The share of the games that each side has won, and their number. */
  sides: { id: Side; name: string; share: number; won: number }[];
}

/** The balance of a scenario; null where it has not been measured for each of its sides. */
export function balanceOf({ sides, balance }: ScenarioInfo): Balance | null {
  const measured = balance?.measured;
  if (!balance || !measured) return null;
  const { games, draws } = measured;
  const found = sides.flatMap(({ id, name }) => {
    const percent = balance[id];
    if (typeof percent !== 'number') return [];
    return [{ id, name, share: percent / 100, won: Math.round((percent * games) / 100) }];
  });
  return found.length === sides.length ? { games, draws, sides: found } : null;
}

/** The titles of the rulebooks by their ids; of one without a title, the id. */
export type Titles = ReadonlyMap<string, string>;
export const titleOfBook = (titles: Titles, ruleset: string) => titles.get(ruleset) ?? ruleset;

/** An id, and its name in the reader's language. */
export type Named = [id: string, name: string];

/** In the order of their names, as a language has it. */
export function byName(ids: Iterable<string>, nameOf: (id: string) => string, language: string): Named[] {
  const { compare } = new Intl.Collator(language);
  return [...new Set(ids)]
    .map((id): Named => [id, nameOf(id)])
    .sort(([, one], [, other]) => compare(one, other));
}

/** The names of the sides of scenarios, by their ids. */
export const sidesOf = (scenarios: readonly ScenarioInfo[]): Map<Side, string> =>
  new Map(scenarios.flatMap((s) => s.sides.map((side): [Side, string] => [side.id, side.name])));
