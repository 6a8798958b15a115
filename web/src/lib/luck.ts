/** What the dice did to each side against what was to be expected, from the calculations in the log. Pure. */
import { isNothing, isOwn, isWorst } from './chances';
import { sortOf } from './logbook';
import { chanceValue } from './narrow';
import type { Calculation, GameEvent, Side, Unit } from './protocol';

/** A count of results with its expectation; at least 95 of 100 fair games have `low` to `high`, reckoned exactly. */
export interface Luck {
  rolls: number;
  had: number;
  expected: number;
  low: number;
  high: number;
}

export interface SideLuck {
  /** Attacks that did something. */
  effects: Luck;
  kills: Luck;
  /** Checks of morale, cohesion and the like that were passed. */
  checks: Luck;
}

/** The results by which a check is passed. */
const PASSED = new Set([
  ...['passes', 'holds', 'success', 'good order', 'recovering', 'recovers', 'rallies', 'gets away', 'unhurt'],
]);

const passed = (result: string) => PASSED.has(result);
const effect = (result: string) => !isNothing(result) && !isOwn(result);
const isCheck = ({ calculation }: GameEvent) => calculation!.chances.some(({ result }) => passed(result));
const isAttack = (event: GameEvent) => sortOf(event) === 'fight' && !isCheck(event);
/** A tail of the chances that is not usual any more. */
const RARE = 0.025;

function chanceOf(calculation: Calculation, counts: (result: string) => boolean): number {
  return calculation.chances
    .filter((c) => counts(c.result))
    .reduce((sum, c) => sum + chanceValue(c.chance), 0);
}

/** One roll may have several subjects: they stand in the log one after the other with the same dice. */
function sameRoll(a: GameEvent, b: GameEvent): boolean {
  return b.n === a.n + 1 && a.side === b.side && String(a.dice) === String(b.dice);
}

/** The chances of 0, 1, 2… results that count among the subjects of one roll: the likelier ones have them first. */
function ofRoll(chances: readonly number[]): number[] {
  const reached = [1, ...[...chances].sort((a, b) => b - a), 0];
  return reached.slice(0, -1).map((chance, many) => chance - reached[many + 1]!);
}

/** The chances of 0, 1, 2… results in two sets of rolls together. */
function together(one: readonly number[], other: readonly number[]): number[] {
  const sum = Array.from({ length: one.length + other.length - 1 }, () => 0);
  one.forEach((a, i) => other.forEach((b, j) => (sum[i + j]! += a * b)));
  return sum;
}

/** The fewest and the most results that are usual: fewer, and more, come in at most 2.5 of 100 games each. */
function usual(chances: readonly number[]): { low: number; high: number } {
  const rare = (list: readonly number[]) => {
    let below = 0;
    return list.findIndex((chance) => (below += chance) > RARE);
  };
  return { low: rare(chances), high: chances.length - 1 - rare([...chances].reverse()) };
}

function luckOf(events: GameEvent[], counts: (result: string) => boolean): Luck {
  const rolls: number[][] = [];
  events.forEach((event, i) => {
    const before = events[i - 1];
    const chance = chanceOf(event.calculation!, counts);
    if (before && sameRoll(before, event)) rolls.at(-1)!.push(chance);
    else rolls.push([chance]);
  });
  return {
    rolls: events.length,
    had: events.filter((event) => counts(event.calculation!.result ?? '')).length,
    expected: rolls.flat().reduce((sum, chance) => sum + chance, 0),
    ...usual(rolls.map(ofRoll).reduce(together, [1])),
  };
}

export function luckBySide(log: GameEvent[]): Map<Side, SideLuck> {
  const rolled = log.filter((e) => e.side !== null && e.calculation?.rolled && e.dice.length > 0);
  const sides = [...new Set(rolled.map((e) => e.side!))];
  return new Map(
    sides.map((side) => {
      const own = rolled.filter((e) => e.side === side);
      const attacks = own.filter(isAttack);
      const checks = luckOf(own.filter(isCheck), passed);
      return [side, { effects: luckOf(attacks, effect), kills: luckOf(attacks, isWorst), checks }];
    }),
  );
}

export type Verdict = 'luckier' | 'unluckier' | 'usual';

export function verdict(luck: Luck): Verdict {
  if (luck.had > luck.high) return 'luckier';
  return luck.had < luck.low ? 'unluckier' : 'usual';
}

/** All kinds of rolls together: as usual only if each of them is. */
export function overall(kinds: readonly Luck[]): Verdict | 'mixed' {
  const [first, ...others] = new Set(kinds.map(verdict).filter((each) => each !== 'usual'));
  if (first === undefined) return 'usual';
  return others.length > 0 ? 'mixed' : first;
}

/** How many units each side lost in each turn in which anybody lost one. */
export function lossesByTurn(log: GameEvent[], units: Map<string, Unit>): Map<number, Map<Side, number>> {
  const found = new Map<number, Map<Side, number>>();
  for (const event of log) {
    if (event.kind !== 'eliminated') continue;
    for (const id of event.units) {
      const side = units.get(id)?.side;
      if (side === undefined) continue;
      const turn = found.get(event.turn) ?? new Map<Side, number>();
      turn.set(side, (turn.get(side) ?? 0) + 1);
      found.set(event.turn, turn);
    }
  }
  return found;
}
