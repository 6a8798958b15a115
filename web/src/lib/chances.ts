/** Chances of a calculation, made ready to be shown. */
import { looks } from './counters/looks.svelte';
import { t } from './i18n';
import { chanceValue } from './narrow';
import type { Calculation } from './protocol';

/** A failed check does nothing either. */
const NOTHING = new Set(['', '-', '–', 'none', 'no effect', 'miss', 'ne', '0', 'failure', 'no change']);

export function isNothing(result: string | null): boolean {
  return NOTHING.has((result ?? '').trim().toLowerCase());
}

/** The worst that can happen to a target: it is lost, or a part of it. */
export function isWorst(result: string): boolean {
  return /^(\d?X|E$|K|ELIM|BREW|DESTR)/i.test(result.trim());
}

/** A result in words: what the book's code of it means. */
export function wordOf(result: string): string {
  return looks.results[result] ?? (isNothing(result) ? t.play.none : result);
}

/** The sum of two chances such as 1/6, in lowest terms. */
function sumOf(a: string, b: string): string {
  const [p = 0, q = 1] = a.split('/').map(Number);
  const [r = 0, s = 1] = b.split('/').map(Number);
  const [upper, lower] = [p * s + r * q, q * s];
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  const common = divisor(upper, lower);
  return lower === common ? String(upper / common) : `${upper / common}/${lower / common}`;
}

export interface Bar {
  result: string;
  chance: string;
  percent: number;
  weight: 'x' | 'dd' | 'd' | 'none';
}

function weightOf(result: string): Bar['weight'] {
  if (isNothing(result)) return 'none';
  if (isWorst(result)) return 'x';
  return result.toUpperCase().startsWith('DD') ? 'dd' : 'd';
}

const ORDER = { x: 0, dd: 1, d: 2, none: 3 };

/** The worst for the target first; results that mean the same are one. */
export function barsOf(calculation: Calculation): Bar[] {
  const bars = new Map<string, Bar>();
  for (const { result, chance } of calculation.chances) {
    const word = wordOf(result);
    const before = bars.get(word);
    const sum = before ? sumOf(before.chance, chance) : chance;
    const weight =
      before && ORDER[before.weight] < ORDER[weightOf(result)] ? before.weight : weightOf(result);
    bars.set(word, { result: word, chance: sum, percent: chanceValue(sum) * 100, weight });
  }
  return [...bars.values()]
    .filter((bar) => bar.percent > 0)
    .sort((a, b) => ORDER[a.weight] - ORDER[b.weight]);
}

/** The chances of each result, in words. */
export const chancesOf = (calculation: Calculation): string[] =>
  barsOf(calculation).map(({ result, percent }) => `${result} ${Math.round(percent)} %`);

/** The chance of any effect, in whole per cent. */
export function anyEffect(calculation: Calculation): number {
  const effect = barsOf(calculation).filter((b) => b.weight !== 'none');
  return Math.round(effect.reduce((sum, b) => sum + b.percent, 0));
}
