/** Where the figures of a counter stand, as its ruleset describes them. */
import type { CounterLooks, Figure, FigureTone } from '../protocol';

export interface PlacedFigure {
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  tone: FigureTone;
  /** Half the width of the field behind it, where it has one. */
  half: number;
}

type Spot = Pick<PlacedFigure, 'x' | 'y' | 'anchor'>;

const SPOTS: Record<string, Spot> = {
  'top-left': { x: 8, y: 25, anchor: 'start' },
  top: { x: 50, y: 19, anchor: 'middle' },
  'top-right': { x: 92, y: 25, anchor: 'end' },
  left: { x: 19, y: 51, anchor: 'middle' },
  centre: { x: 50, y: 66, anchor: 'middle' },
};

/** The figures along the foot share it: one at each corner, a third between them. */
function atFoot(i: number, count: number): Spot {
  if (count === 3) return { x: [18, 50, 82][i]!, y: 93, anchor: 'middle' };
  return i === 0 ? { x: 8, y: 94, anchor: 'start' } : { x: 92, y: 94, anchor: 'end' };
}

/** Spots of a counter that is seen from near by, whose letters need not be as large. */
const NEAR_SPOTS: Record<string, Spot> = {
  'top-left': { x: 8, y: 18, anchor: 'start' },
  top: { x: 50, y: 15, anchor: 'middle' },
  'top-right': { x: 92, y: 18, anchor: 'end' },
  left: { x: 16, y: 44, anchor: 'middle' },
  centre: { x: 50, y: 54, anchor: 'middle' },
};

/** The same figures on a counter that is seen from near by. */
export function placeNear(figures: readonly Figure[], looks: CounterLooks): PlacedFigure[] {
  return placeFigures(figures, looks).map((f, i) => {
    const spot = NEAR_SPOTS[looks.figures[figures[i]!.kind]?.at ?? 'foot'] ?? { ...f, y: 95 };
    return { ...f, x: spot.x, y: spot.y, half: 4 + f.text.length * 3.4 };
  });
}

export function placeFigures(figures: readonly Figure[], looks: CounterLooks): PlacedFigure[] {
  const spotOf = (f: Figure) => looks.figures[f.kind]?.at ?? 'foot';
  const foot = figures.filter((f) => spotOf(f) === 'foot');
  return figures.map((f) => ({
    ...(SPOTS[spotOf(f)] ?? atFoot(foot.indexOf(f), foot.length)),
    text: f.text,
    tone: looks.figures[f.kind]?.tone ?? 'plain',
    half: 5 + f.text.length * 4.6,
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
