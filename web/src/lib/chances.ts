/** Chances of a calculation, made ready to be shown. */
import { t } from './i18n';
import { chanceValue } from './narrow';
import type { Calculation } from './protocol';

const NOTHING = new Set(['', '-', '–', 'none', 'no effect', 'miss', 'ne', '0']);

export function isNothing(result: string | null): boolean {
  return NOTHING.has((result ?? '').trim().toLowerCase());
}

export interface Bar {
  result: string;
  chance: string;
  percent: number;
  weight: 'x' | 'dd' | 'd' | 'none';
}

function weightOf(result: string): Bar['weight'] {
  if (isNothing(result)) return 'none';
  const r = result.toUpperCase();
  if (r.startsWith('X') || r.startsWith('ELIM') || r.startsWith('K') || r.startsWith('BREW')) return 'x';
  return r.startsWith('DD') ? 'dd' : 'd';
}

const ORDER = { x: 0, dd: 1, d: 2, none: 3 };

/** The worst for the target first. */
export function barsOf(calculation: Calculation): Bar[] {
  return calculation.chances
    .map(({ result, chance }) => ({
      result: isNothing(result) ? t.play.none : result,
      chance,
      percent: chanceValue(chance) * 100,
      weight: weightOf(result),
    }))
    .filter((bar) => bar.percent > 0)
    .sort((a, b) => ORDER[a.weight] - ORDER[b.weight]);
}

/** The chance of any effect, in whole per cent. */
export function anyEffect(calculation: Calculation): number {
  const effect = barsOf(calculation).filter((b) => b.weight !== 'none');
  return Math.round(effect.reduce((sum, b) => sum + b.percent, 0));
}
