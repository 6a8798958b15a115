/** What a stand shows at the size that it has on the screen. */
import { NEAR_PX } from '../../counters/near';
import type { CounterLooks, Figure, FigureTone } from '../../protocol';

export type Detail = 'near' | 'full' | 'brief' | 'sign';

/** No stand is smaller on the screen, however far out one looks. */
export const LEAST_PX = 30;

/** How much larger than true a stand is drawn; `px` is its true diameter on the screen. */
export function magnified(px: number): number {
  return Math.max(1, LEAST_PX / px);
}

/** What can be read on a stand of so many pixels. */
export function detailOf(px: number): Detail {
  if (px >= NEAR_PX) return 'near';
  if (px >= 52) return 'full';
  return px >= 38 ? 'brief' : 'sign';
}

export interface Lettering {
  text: string;
  x: number;
  y: number;
  tone: FigureTone;
}

type Spot = readonly [number, number];

const SPOTS: Record<string, Spot> = {
  'top-left': [-23, -17],
  top: [0, -28],
  'top-right': [23, -17],
  left: [-35, 6],
  centre: [0, 10],
};
const FOOT: Record<number, readonly Spot[]> = {
  1: [[0, 37]],
  2: [
    [-15, 36],
    [15, 36],
  ],
  3: [
    [-25, 32],
    [0, 39],
    [25, 32],
  ],
};

/** Where the figures of a stand are lettered, in a disc with a radius of 50 or a square with sides of 100. */
export function letteringOf(figures: readonly Figure[], looks: CounterLooks, detail: Detail): Lettering[] {
  if (detail === 'sign') return [];
  const placeOf = (f: Figure) => looks.figures[f.kind]?.at ?? 'foot';
  if (detail === 'brief') {
    // What it strikes with is what one looks for first.
    const text = figures.filter((f) => ['top-left', 'top'].includes(placeOf(f))).map((f) => f.text);
    const said = text.length > 0 ? text : figures.slice(0, 1).map((f) => f.text);
    return [{ text: said.join(' '), x: 0, y: 36, tone: 'large' }];
  }
  const foot = figures.filter((f) => SPOTS[placeOf(f)] === undefined);
  return figures.map((f) => {
    const at = SPOTS[placeOf(f)] ?? FOOT[Math.min(3, foot.length)]![Math.min(2, foot.indexOf(f))]!;
    if (detail === 'near')
      return { text: f.text, ...nearAt(at), tone: looks.figures[f.kind]?.tone ?? 'plain' };
    const [x, y] = looks.base === 'square' ? inSquare(at) : at;
    return { text: f.text, x, y, tone: looks.figures[f.kind]?.tone ?? 'plain' };
  });
}

/** The same spot on a stand that is seen from near by, where the figures leave the middle to the symbol. */
function nearAt([x, y]: Spot): { x: number; y: number } {
  if (y >= 30) return { x: x * 1.1, y: 41 };
  return { x, y: y < -10 ? -25 : y };
}

/** The same spot on a square, which has a posture above its figures and its name below them. */
function inSquare([x, y]: Spot): Spot {
  if (y >= 30) return [x * 1.3, 27];
  return y < -20 ? [x, -21] : [x * 1.15, y];
}

/** Where a badge sits on the rim: the first to the north-east, the others on to the south. */
export function badgeAt(i: number, radius = 47): Spot {
  const turn = ((-48 + i * 38) * Math.PI) / 180;
  return [Math.cos(turn) * radius, Math.sin(turn) * radius];
}
