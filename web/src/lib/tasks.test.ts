import { describe, expect, it } from 'vitest';
import { de } from './i18n/de';
import { en } from './i18n/en';
import type { VictoryLine } from './protocol';
import { taskOf } from './tasks';

const line = (given: Partial<VictoryLine>): VictoryLine => ({
  side: 'red',
  text: '',
  have: 0,
  want: null,
  points: 0,
  ...given,
});

const labelOf = (place: string) => (place === 'A2' ? 'Hill 9' : '');
const LINES = [
  line({ kind: 'control', places: ['A1', 'A2'], each: 3 }),
  line({ kind: 'control', places: ['A1', 'A2', 'A3', 'A4'], each: 1 }),
  line({ kind: 'exit', places: ['north'], each: 2, unit: 'stand', only: ['tank'] }),
  line({ kind: 'eliminate', each: 1, unit: 'step', except: ['truck', 'wagon'] }),
  line({ side: 'blue', kind: 'decision', text: 'decisive: hold Stonne' }),
];

describe('what a side has to do', () => {
  it('is one sentence of all its conditions', () => {
    expect(taskOf(LINES, 'red', labelOf, en.tasks)).toBe(
      'Hold A1, Hill 9 (A2) to the end (3 points each); hold 4 places (Hill 9) to the end (1 point each); ' +
        'leave by the north edge (2 points a stand), counting only tank; destroy the enemy (1 point a step), not counting truck, wagon.',
    );
  });

  it('is told in German too', () => {
    expect(taskOf(LINES.slice(0, 1), 'red', labelOf, de.tasks)).toBe(
      'A1, Hill 9 (A2) bis zum Ende halten (je 3 Punkte).',
    );
  });

  it('is the decision of a scenario without points, in its own words', () => {
    expect(taskOf(LINES, 'blue', labelOf, en.tasks)).toBe('Decisive: hold Stonne.');
  });

  it('is nothing for a side without conditions', () => {
    expect(taskOf(LINES, 'green', labelOf, en.tasks)).toBe('');
  });
});
