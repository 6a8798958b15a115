/** What a stand shows at the size that it has on the screen, in a disc with a radius of 50 or a square with sides of 100. */
import { briefer } from '../../counters/brief';
import { fitted, leastAt, widthOf } from '../../counters/letters';
import { downFrom, linesOf, topOf, upFrom, type Line } from '../../counters/lines';
import { NEAR_PX } from '../../counters/near';
import type { CounterLooks, Figure, FigureTone } from '../../protocol';
import { baseOf, type Base } from './base';

export type Detail = 'near' | 'full' | 'brief' | 'sign';

/** No stand is smaller on the screen, however far out one looks. */
export const LEAST_PX = 30;

/** As large as this it bears its figures and its name. */
const FULL_PX = 52;

/** How much larger than true a stand is drawn; `px` is its true diameter on the screen. */
export function magnified(px: number): number {
  return Math.max(1, LEAST_PX / px);
}

/** What can be read on a stand of so many pixels. */
export function detailOf(px: number): Detail {
  if (px >= NEAR_PX) return 'near';
  if (px >= FULL_PX) return 'full';
  return px >= 38 ? 'brief' : 'sign';
}

type Spot = readonly [number, number];
type Lettered = 'full' | 'near';

const SPOTS: Record<Base, Record<Lettered, Record<string, Spot>>> = {
  disc: {
    full: { 'top-left': [-23, -13], top: [0, -31], 'top-right': [23, -13], left: [-35, 6], centre: [0, 10] },
    near: { 'top-left': [-23, -22], top: [0, -22], 'top-right': [23, -22], left: [-35, 6], centre: [0, 10] },
  },
  // Above the figures of a square lies its posture.
  square: {
    full: { 'top-left': [-27, -15], top: [0, -15], 'top-right': [27, -15], left: [-40, 6], centre: [0, 10] },
    near: { 'top-left': [-24, -20], top: [0, -20], 'top-right': [24, -20], left: [-35, 6], centre: [0, 10] },
  },
};

/** The figures at the foot stand so far apart, on this line. */
const FEET: Record<Base, Record<Lettered, { apart: number; y: number }>> = {
  disc: { full: { apart: 30, y: 36 }, near: { apart: 33, y: 41 } },
  square: { full: { apart: 39, y: 27 }, near: { apart: 33, y: 43 } },
};

/** The letters of a tone. */
const SIZES: Record<Lettered, Partial<Record<FigureTone, number>> & { plain: number }> = {
  full: { plain: 17, large: 19, small: 14 },
  near: { plain: 12, large: 13, small: 12 },
};

export interface Lettering {
  text: string;
  x: number;
  y: number;
  size: number;
}

/** Figures in one row, small enough that none runs into the next. */
function eased(row: readonly Lettering[]): Lettering[] {
  const sorted = [...row].sort((a, b) => a.x - b.x);
  const parts = sorted.slice(1).map((b, i) => {
    const a = sorted[i]!;
    return (b.x - a.x - 2) / ((widthOf(a.text) * a.size + widthOf(b.text) * b.size) / 2);
  });
  const part = Math.min(1, ...parts);
  return row.map((figure) => ({ ...figure, size: figure.size * part }));
}

/** Where the figures of a stand are lettered. */
function figuresOn(told: Told, detail: Lettered, px: number): Lettering[] {
  const { figures, looks } = told;
  const base = baseOf(looks);
  const spots = SPOTS[base][detail];
  const feet = FEET[base][detail];
  const sized = ({ kind, text }: Figure) => {
    const size = SIZES[detail][looks.figures[kind]?.tone ?? 'plain'] ?? SIZES[detail].plain;
    return { text, size: Math.max(size, leastAt(px)) };
  };
  const spotOf = ({ kind }: Figure) => spots[looks.figures[kind]?.at ?? 'foot'];
  const foot = figures.filter((f) => !spotOf(f));
  const placed = figures.map((f) => {
    const along = feet.apart * (foot.indexOf(f) - (foot.length - 1) / 2);
    const [x, y] = spotOf(f) ?? [along + (told.laden && detail === 'full' ? BESIDE_LOAD / 2 : 0), feet.y];
    return { ...sized(f), x, y };
  });
  const rows = new Map(placed.map(({ y }) => [y, placed.filter((other) => other.y === y)]));
  return [...rows.values()].flatMap(eased);
}

/** What a stand strikes with is what one looks for first. */
function strength({ figures, looks }: Told, px: number): Lettering[] {
  const above = figures.filter((f) => ['top-left', 'top'].includes(looks.figures[f.kind]?.at ?? ''));
  const text = (above.length > 0 ? above : figures.slice(0, 1)).map((f) => f.text).join(' ');
  return [{ text, x: 0, y: 36, size: Math.min(Math.max(19, leastAt(px)), 84 / widthOf(text)) }];
}

/** What there is to show on a stand. */
export interface Told {
  figures: readonly Figure[];
  looks: CounterLooks;
  /** As it is short, and whole. */
  name: string;
  whole: string;
  /** Its kind and its other values. */
  details: readonly string[];
  /** Its posture in a word. */
  word: string | undefined;
  /** How many letters each of its badges has. */
  badges: readonly number[];
  /** It bears the sign of a formation. */
  marked: boolean;
  /** Another stand lies on its lower left corner. */
  laden: boolean;
}

export interface Laid {
  symbol: { scale: number; rise: number };
  figures: Lettering[];
  lines: (Lettering & { detail: boolean })[];
  word: Lettering | null;
  badges: { x: number; y: number; scale: number }[];
  /** Half the width of the sign of its formation. */
  tab: number;
}

/** What is written on a laden stand lies so far to the right. */
const BESIDE_LOAD = 12;

const TABS: Record<Detail, number> = { sign: 19, brief: 15, full: 9.5, near: 8 };
const BADGES: Record<Detail, number> = { sign: 1.15, brief: 1.15, full: 0.75, near: 0.6 };

/** The rim of a disc: to the north-east, then on to the south. */
function badgesOnRim(count: number, scale: number): Laid['badges'] {
  return Array.from({ length: count }, (_, i) => {
    const turn = ((-50 + i * 38) * Math.PI) / 180;
    return { x: Math.cos(turn) * 53, y: Math.sin(turn) * 53, scale };
  });
}

/** The corner of a square, then the middle of its sides: between two rows of figures. */
const CORNERS: readonly Spot[] = [
  [40, -40],
  [44, -4],
  [-44, -4],
];

const badgesAt = (base: Base, count: number, scale: number): Laid['badges'] =>
  base === 'disc' ? badgesOnRim(count, scale) : CORNERS.slice(0, count).map(([x, y]) => ({ x, y, scale }));

/** The word for the posture: above a disc, or on a square between the sign of its formation and its first badge; none
 *  where it could not be read. */
function wordOn({ word, looks, marked, badges }: Told, detail: Lettered, px: number): Lettering | null {
  if (!word) return null;
  let [left, right, y] = [-46, 46, -56];
  if (baseOf(looks) === 'square') {
    y = -35;
    if (marked) left = -45 + 2 * TABS[detail];
    if (badges[0] !== undefined) right = 39 - BADGES[detail] * Math.max(17, 6 + 4.5 * badges[0]);
  }
  const size = Math.min(Math.max(10, leastAt(px)), 14, (right - left) / widthOf(word));
  return size < leastAt(px) ? null : { text: word, x: (left + right) / 2, y, size };
}

/** No name is larger for being read on the smallest stand that bears one. */
const MOST_GROWN = leastAt(FULL_PX);

/** The lines of a name, with what else there is to tell from near by. */
function linesOn(told: Told, detail: Lettered, px: number): (Line & { y: number })[] {
  const least = leastAt(px);
  const grown = (size: number) => Math.max(size, Math.min(MOST_GROWN, least));
  const square = baseOf(told.looks) === 'square';
  if (detail === 'near') {
    const width = told.laden ? 76 : square ? 92 : 112;
    const rooms = { name: { width, sizes: [8, 7.6, 7], least }, detail: { width, sizes: [6.6], least: 6 } };
    const lines = linesOf(told.whole, told.details, rooms);
    return square ? upFrom(lines, 31.5) : downFrom(lines, 60);
  }
  const width = told.laden ? 72 : square ? 92 : 104;
  const sizes = square ? [grown(12), 9] : [grown(14), grown(12)];
  const room = { width, sizes, least };
  // A name that could not be read gives way to the fullest of its shorter forms.
  const name = briefer(told.name).find((form) => fitted(form, room)) ?? '';
  const lines = name ? linesOf(name, [], { name: room, detail: room }) : [];
  return square ? upFrom(lines, lines.length > 1 ? 46 : 44) : downFrom(lines, 66);
}

/** The sign of a formation leaves room to the symbol. */
const symbolFarOut = (marked: boolean) => (marked ? { scale: 0.98, rise: 9 } : { scale: 1.14, rise: 0 });

/** The symbol of a stand fills what its writing leaves. */
function symbolOn(base: Base, detail: Lettered, lines: readonly (Line & { y: number })[]) {
  if (base === 'disc') return detail === 'near' ? { scale: 0.94, rise: 3 } : { scale: 0.74, rise: 3 };
  if (detail === 'full') return { scale: 0.64, rise: -1 };
  const [head, foot] = [-18, topOf(lines, 30)];
  const scale = Math.min(0.9, (foot - head) / 36);
  return { scale, rise: (head + foot) / 2 };
}

/** All that is drawn on a stand, each thing in a place of its own. */
export function laidOut(told: Told, detail: Detail, px: number): Laid {
  const base = baseOf(told.looks);
  const rest = { badges: badgesAt(base, told.badges.length, BADGES[detail]), tab: TABS[detail] };
  const none = { figures: [], lines: [], word: null, ...rest };
  if (detail === 'sign') return { ...none, symbol: symbolFarOut(told.marked) };
  if (detail === 'brief') return { ...none, figures: strength(told, px), symbol: { scale: 0.96, rise: -6 } };
  const lines = linesOn(told, detail, px);
  return {
    ...rest,
    symbol: symbolOn(base, detail, lines),
    figures: figuresOn(told, detail, px),
    lines: lines.map((line) => ({ ...line, x: told.laden ? BESIDE_LOAD : 0 })),
    word: wordOn(told, detail, px),
  };
}
