/** What the dice did to each side against what was to be expected, from the calculations in the log. Pure. */
import { isNothing, isWorst } from './chances';
import { sortOf } from './logbook';
import { chanceValue } from './narrow';
import type { Calculation, GameEvent, Side, Unit } from './protocol';

/** A count of results with its expectation; 95 of 100 fair games fall between `low` and `high`. */
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
const effect = (result: string) => !isNothing(result);
const isCheck = ({ calculation }: GameEvent) => calculation!.chances.some(({ result }) => passed(result));
const isAttack = (event: GameEvent) => sortOf(event) === 'fight' && !isCheck(event);
const Z = 1.96;

function chanceOf(calculation: Calculation, counts: (result: string) => boolean): number {
  return calculation.chances
    .filter((c) => counts(c.result))
    .reduce((sum, c) => sum + chanceValue(c.chance), 0);
}

/** One roll may have several subjects: they stand in the log one after the other with the same dice. */
function sameRoll(a: GameEvent, b: GameEvent): boolean {
  return b.n === a.n + 1 && a.side === b.side && String(a.dice) === String(b.dice);
}

function luckOf(events: GameEvent[], counts: (result: string) => boolean): Luck {
  let expected = 0;
  let had = 0;
  let variance = 0;
  let spread = 0;
  events.forEach((event, i) => {
    const p = chanceOf(event.calculation!, counts);
    expected += p;
    had += counts(event.calculation!.result ?? '') ? 1 : 0;
    // Subjects of one roll stand and fall together: their spreads add up before they are squared.
    spread = (i > 0 && sameRoll(events[i - 1]!, event) ? spread : 0) + Math.sqrt(p * (1 - p));
    const next = events[i + 1];
    if (!next || !sameRoll(event, next)) variance += spread * spread;
  });
  const half = Z * Math.sqrt(variance);
  const rolls = events.length;
  return { rolls, had, expected, low: Math.max(0, expected - half), high: Math.min(rolls, expected + half) };
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
