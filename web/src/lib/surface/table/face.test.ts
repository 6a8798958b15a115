import { describe, expect, it } from 'vitest';
import { briefer } from '../../counters/brief';
import { LEAST_LETTER_PX, widthOf } from '../../counters/letters';
import type { CounterLooks } from '../../protocol';
import { detailOf, laidOut, LEAST_PX, magnified, type Laid, type Lettering, type Told } from './face';

const looks: CounterLooks = {
  figures: {
    attack: { title: 'attack', at: 'top-left', tone: 'large' },
    weapon: { title: 'class', at: 'top', tone: 'small' },
    range: { title: 'range', at: 'top-right', tone: 'large' },
    defence: { title: 'defense', at: 'foot', tone: 'large' },
    movement: { title: 'movement', at: 'foot', tone: 'large' },
  },
  markers: {},
  liveries: {},
  badges: {},
  short: {},
};
const figures = Object.entries({ attack: '14', weapon: 'A', range: '16', defence: '9', movement: '8' }).map(
  ([kind, text]) => ({ kind, text }),
);

describe('a stand', () => {
  it('is drawn true to size near by, and large enough to be seen far out', () => {
    expect(magnified(64)).toBe(1);
    expect(magnified(10) * 10).toBe(LEAST_PX);
  });

  it('shows less where there is no room to read', () => {
    expect([64, 45, 30].map(detailOf)).toEqual(['full', 'brief', 'sign']);
  });
});

/** What is drawn, as boxes: [left, top, right, bottom]. Letters are taken as wide as they may be. */
type Box = readonly [number, number, number, number];

const told = (what: Partial<Told> = {}): Told => ({
  figures,
  looks,
  name: 'PzKw IV H 1',
  whole: 'PzKw IV H 1',
  details: ['tank', '14 points'],
  word: undefined,
  badges: [],
  marked: false,
  laden: false,
  ...what,
});

const lettersOf = ({ text, x, y, size }: Lettering): Box => {
  const half = (widthOf(text) * size) / 2;
  return [x - half, y - 0.73 * size, x + half, y];
};

const boxesOf = (laid: Laid, what: Told): Box[] => {
  const badges = laid.badges.map(({ x, y, scale }, i): Box => {
    const half = scale * (6 + 4.5 * what.badges[i]!);
    return [x - half, y - 11 * scale, x + half, y + 11 * scale];
  });
  const tab: Box = [-46, -46, -46 + 2 * laid.tab, -46 + 1.72 * laid.tab];
  const letters = [...laid.figures, ...laid.lines, ...(laid.word ? [laid.word] : [])].map(lettersOf);
  return [...letters, ...badges, ...(what.marked ? [tab] : [])];
};

const meet = (a: Box, b: Box) =>
  Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 0.5 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 0.5;

const NAMES = [
  'FO 1',
  'M3 Lee, Hull 75mm 4',
  "Infantry Support/MMG '42 1",
  'Daimler-Steyr Lt Truck 3',
  "Infanterie-Unterstützung/sMG '42 1",
];
const DETAILS = ['close support artillery', '45 points'];
const SQUARE: CounterLooks = {
  ...looks,
  base: 'square',
  figures: {
    attack: { title: 'AP', at: 'top-left', tone: 'large' },
    range: { title: 'HE', at: 'top-right', tone: 'large' },
    weapon: { title: 'range', at: 'top', tone: 'small' },
    defence: { title: 'defence', at: 'foot', tone: 'large' },
    movement: { title: 'movement', at: 'foot', tone: 'large' },
  },
};
const WIDEST = Object.entries({
  attack: '10',
  weapon: '89',
  range: '24',
  defence: '[10]',
  movement: '20T',
}).map(([kind, text]) => ({ kind, text }));

describe('what is written on a stand', () => {
  const cases = [looks, SQUARE].flatMap((of) =>
    NAMES.flatMap((whole) =>
      [53, 60, 75, 95, 120, 132, 180, 250].map((px) => ({ of, base: of.base ?? 'disc', whole, px })),
    ),
  );

  it.each(cases)('on a $base of $px: $whole, and nothing lies on anything', ({ of, whole, px }) => {
    for (const [word, badges] of [
      ['moving', [3]],
      ['fire + move', [2, 1, 1]],
    ] as const) {
      const what = told({ looks: of, figures: WIDEST, name: whole, whole, details: DETAILS });
      const busy = { ...what, word, badges, marked: true };
      const laid = laidOut(busy, detailOf(px), px);
      const boxes = boxesOf(laid, busy);
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) expect(meet(a, b), `${a} ${b}`).toBe(false);
      });
      for (const { size } of [
        ...laid.lines.filter((line) => !line.detail),
        ...(laid.word ? [laid.word] : []),
      ])
        expect((size * px) / 100).toBeGreaterThanOrEqual(LEAST_LETTER_PX - 0.01);
    }
  });

  it.each(cases.filter(({ px }) => px < 132))(
    'is a name on a $base of $px: $whole, if a short form of it, with its number and nothing cut off',
    ({ of, whole, px }) => {
      for (const laden of [false, true]) {
        const { lines } = laidOut(told({ looks: of, name: whole, whole, laden }), 'full', px);
        const read = lines
          .map(({ text }) => (/[-/]$/.test(text) ? text : `${text} `))
          .join('')
          .trim();
        if (!laden || px >= 75) expect(read).not.toBe('');
        if (read) expect(briefer(whole)).toContain(read);
        for (const line of lines) {
          expect((line.size * px) / 100).toBeGreaterThanOrEqual(LEAST_LETTER_PX - 0.01);
          expect(widthOf(line.text) * line.size).toBeLessThanOrEqual(104.01);
        }
      }
    },
  );

  it('is the whole name from near by, in lines, and never part of it', () => {
    for (const whole of NAMES) {
      for (const of of [looks, SQUARE]) {
        const lines = laidOut(told({ looks: of, whole }), 'near', 132).lines.filter((line) => !line.detail);
        const read = lines.map(({ text }) => (/[-/]$/.test(text) ? text : `${text} `)).join('');
        expect(read.trim()).toBe(whole);
      }
    }
  });

  it('leaves the corner to a stand that is carried', () => {
    const { figures: lettered, lines } = laidOut(told({ looks: SQUARE, laden: true }), 'near', 140);
    const load: Box = [-72, 20, -28, 64];
    for (const one of [...lettered, ...lines]) expect(meet(lettersOf(one), load), one.text).toBe(false);
  });
});

describe('the figures on a stand', () => {
  it('all lie within its disc, each in a place of its own', () => {
    const found = laidOut(told(), 'full', 64).figures;
    expect(found.map((f) => f.text).sort()).toEqual(['14', '16', '8', '9', 'A']);
    for (const { x, y } of found) expect(Math.hypot(x, y)).toBeLessThan(46);
  });

  it('are the strength and its class where there is little room, and none far out', () => {
    expect(laidOut(told(), 'brief', 45).figures.map((f) => f.text)).toEqual(['14 A']);
    expect(laidOut(told(), 'sign', 30).figures).toEqual([]);
  });
});
