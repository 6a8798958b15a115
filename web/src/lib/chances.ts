/** Chances of a calculation, made ready to be shown. */
import { looks } from './counters/looks.svelte';
import { t } from './i18n';
import { chanceValue } from './narrow';
import type { Calculation } from './protocol';

/** A failed check does nothing either. */
const NOTHING = new Set([
  '',
  '-',
  '–',
  'none',
  'no effect',
  'miss',
  'ne',
  '0',
  'failure',
  'no change',
  'does not fire',
]);

export function isNothing(result: string | null): boolean {
  return NOTHING.has((result ?? '').trim().toLowerCase());
}

/** The worst that can happen to a target: it is lost, or a part of it. */
export function isWorst(result: string): boolean {
  return /^(\d?X|E$|K|ELIM|BREW|DESTR)/i.test(result.trim());
}

/** It strikes those who attacked: `own D` of *Case Orange*, `AD` and `AM+1` of *Panzer Blitz for Miniatures*. */
export function isOwn(result: string): boolean {
  return /^(own .*|A(X|DD?|M(\+\d)?))$/.test(result.trim());
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
  weight: 'x' | 'dd' | 'd' | 's' | 'none' | 'own';
}

function weightOf(result: string): Bar['weight'] {
  if (isNothing(result)) return 'none';
  if (isOwn(result)) return 'own';
  if (isWorst(result)) return 'x';
  // Suppressed is less than disorganized.
  if (/^(S|\(S\))$/.test(result)) return 's';
  return result.toUpperCase().startsWith('DD') ? 'dd' : 'd';
}

const ORDER = { x: 0, dd: 1, d: 2, s: 3, none: 4, own: 5 };

/** The worst for the target first, for the attackers last; results that mean the same are one. */
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

/** The part of a bar that each letter of its word takes, in per cent: in a panel, and in the film's small card. */
const LETTER = { wide: 2.4, small: 3.4 };

/** The word on a part of the bar, where there is room for it. */
export const wordOn = ({ result, percent }: Bar, bar: keyof typeof LETTER): string =>
  percent >= Math.max(12, result.length * LETTER[bar]) ? result : '';

const inWords = ({ result, percent }: Bar) => `${result} ${Math.round(percent)} %`;

/** The chances of each result, in words. */
export const chancesOf = (calculation: Calculation): string[] => barsOf(calculation).map(inWords);

/** The chances of each result that changes something, in words: a small bar has no room for them. */
export const effectsOf = (calculation: Calculation): string[] =>
  barsOf(calculation)
    .filter(({ weight }) => weight !== 'none')
    .map(inWords);

/** The chance of any effect on the target, in whole per cent. */
export function anyEffect(calculation: Calculation): number {
  const effect = barsOf(calculation).filter((b) => b.weight !== 'none' && b.weight !== 'own');
  return Math.round(effect.reduce((sum, b) => sum + b.percent, 0));
}
