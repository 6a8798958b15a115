/** Where the figures of a counter stand, as its ruleset describes them. */
import { widthOf } from './letters';
import type { CounterLooks, Figure, FigureTone } from '../protocol';

export interface PlacedFigure {
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  tone: FigureTone;
  /** Half the width of the field behind it, where it has one. */
  half: number;
  /** The size of its letters, where they are smaller than others of their tone. */
  em: number | null;
}

type Spot = Pick<PlacedFigure, 'x' | 'y' | 'anchor'>;

const SPOTS: Record<string, Spot> = {
  'top-left': { x: 8, y: 25, anchor: 'start' },
  top: { x: 50, y: 19, anchor: 'middle' },
  'top-right': { x: 92, y: 25, anchor: 'end' },
  left: { x: 19, y: 51, anchor: 'middle' },
  centre: { x: 50, y: 60, anchor: 'middle' },
};

/** The foot of a counter between its edges, and the room between two figures there. */
const [FOOT_LEFT, FOOT_RIGHT, FOOT_GAP] = [6, 94, 5];

/** The letters of a tone, from afar and from near by. */
const EMS: Record<'far' | 'near', Partial<Record<FigureTone, number>> & { plain: number }> = {
  far: { plain: 20, large: 25, small: 15 },
  near: { plain: 14, large: 16, small: 11 },
};

/** The figures along the foot share it: one at each corner, a third between them; together they fit. */
function along(texts: readonly string[], ems: readonly number[]): (Spot & { part: number })[] {
  const room = FOOT_RIGHT - FOOT_LEFT - FOOT_GAP * (texts.length - 1);
  const wide = texts.map((text, i) => widthOf(text) * ems[i]!);
  const part = Math.min(1, room / wide.reduce((sum, w) => sum + w, 0));
  const gap = (FOOT_RIGHT - FOOT_LEFT - wide.reduce((sum, w) => sum + w * part, 0)) / (texts.length - 1);
  return texts.map((_, i) => {
    if (i === 0) return { x: 8, y: 94, anchor: 'start', part };
    if (i === texts.length - 1) return { x: 92, y: 94, anchor: 'end', part };
    const before = wide.slice(0, i).reduce((sum, w) => sum + w * part + gap, FOOT_LEFT);
    return { x: before + (wide[i]! * part) / 2, y: 94, anchor: 'middle', part };
  });
}

/** Spots of a counter that is seen from near by, whose letters need not be as large. */
const NEAR_SPOTS: Record<string, Spot> = {
  'top-left': { x: 8, y: 19, anchor: 'start' },
  top: { x: 50, y: 15, anchor: 'middle' },
  'top-right': { x: 92, y: 19, anchor: 'end' },
  left: { x: 16, y: 44, anchor: 'middle' },
  centre: { x: 50, y: 54, anchor: 'middle' },
};

/** The same figures on a counter that is seen from near by. */
export function placeNear(figures: readonly Figure[], looks: CounterLooks): PlacedFigure[] {
  return placed(figures, looks, 'near').map((f, i) => {
    const spot = NEAR_SPOTS[looks.figures[figures[i]!.kind]?.at ?? 'foot'] ?? { ...f, y: 95 };
    return { ...f, x: spot.x, y: spot.y };
  });
}

export const placeFigures = (figures: readonly Figure[], looks: CounterLooks): PlacedFigure[] =>
  placed(figures, looks, 'far');

function placed(figures: readonly Figure[], looks: CounterLooks, from: 'far' | 'near'): PlacedFigure[] {
  const spotOf = (f: Figure) => looks.figures[f.kind]?.at ?? 'foot';
  const toneOf = (f: Figure) => looks.figures[f.kind]?.tone ?? 'plain';
  const emOf = (f: Figure) => EMS[from][toneOf(f)] ?? EMS[from].plain;
  const foot = figures.filter((f) => SPOTS[spotOf(f)] === undefined);
  const spots = along(
    foot.map(({ text }) => text),
    foot.map(emOf),
  );
  const all = figures.map((f): PlacedFigure => {
    const { part, ...spot } = SPOTS[spotOf(f)] ? { ...SPOTS[spotOf(f)]!, part: 1 } : spots[foot.indexOf(f)]!;
    return {
      ...spot,
      text: f.text,
      tone: toneOf(f),
      half: part * (from === 'far' ? 5 + f.text.length * 4.6 : 4 + f.text.length * 3.4),
      em: part < 1 ? part * emOf(f) : null,
    };
  });
  const head = ['top-left', 'top', 'top-right'].map((spot) => figures.findIndex((f) => spotOf(f) === spot));
  return head.includes(-1) ? all : sharingHead(all, head, figures.map(emOf));
}

/** The head of a counter between its edges, but for the gaps between three figures there. */
const HEAD_ROOM = 81;

/** Three figures along the head share it: the one in the middle lies between the others, whatever their width. */
function sharingHead(all: PlacedFigure[], head: readonly number[], ems: readonly number[]): PlacedFigure[] {
  const wide = head.map((i) => widthOf(all[i]!.text) * ems[i]!);
  const part = Math.min(1, HEAD_ROOM / wide.reduce((sum, w) => sum + w, 0));
  const [left, middle, right] = head.map((i) => all[i]!) as [PlacedFigure, PlacedFigure, PlacedFigure];
  const between = (left.x + wide[0]! * part + right.x - wide[2]! * part) / 2;
  return all.map((f, i) => ({
    ...f,
    x: f === middle ? between : f.x,
    em: part < 1 && head.includes(i) ? part * ems[i]! : f.em,
  }));
}

/** The figures in words, for labels and the text view; `names` has the words of the language. */
export function figuresInWords(
  figures: readonly Figure[],
  looks: CounterLooks,
  names: Record<string, string>,
): string {
  return figures
    .map((f) => `${names[f.kind] ?? looks.figures[f.kind]?.title ?? f.kind} ${f.text}`)
    .join(', ');
}
