/** How a game went: the lead as a curve, the moments at which it turned, the losses as bars. Pure. */
import type { CoursePoint, GameEvent, MomentInfo, Side } from './protocol';

/** A moment at which the expected lead changed much: who gained by it, how much, and what happened. */
export interface Turning {
  n: number;
  turn: number;
  side: Side;
  gain: number;
  event: GameEvent;
}

type Sides = readonly [Side, Side];

/** The lead of the first side in the score, and the one that it could expect. */
export const scoreLead = (point: CoursePoint, [one, two]: Sides) =>
  (point.scores[one] ?? 0) - (point.scores[two] ?? 0);
export const expectedLead = (point: CoursePoint, [one, two]: Sides) =>
  ((point.worth[one] ?? 0) - (point.worth[two] ?? 0)) / 2;

/** The entries of the log that tell what happened between two moments. */
function between(
  log: readonly GameEvent[],
  moments: readonly MomentInfo[],
  from: number,
  to: number,
): GameEvent[] {
  return log.slice(moments[from]?.log ?? 0, moments[to]?.log ?? 0);
}

/** What a change is put down to: the last roll before the last loss, or else that loss; without one the last roll. */
function cause(events: readonly GameEvent[]): GameEvent | null {
  const lost = events.findLastIndex((e) => e.kind === 'eliminated');
  const rolled = (lost < 0 ? events : events.slice(0, lost + 1)).findLast((e) => e.dice.length > 0);
  return rolled ?? events[lost] ?? null;
}

/** The largest changes that dice or losses made, in the order of the game; a new turn is nothing that happened. */
export function turningPoints(
  points: readonly CoursePoint[],
  sides: Sides,
  moments: readonly MomentInfo[],
  log: readonly GameEvent[],
  most = 5,
): Turning[] {
  const found = points.slice(1).flatMap((point, i): Turning[] => {
    const before = points[i]!;
    const swing = expectedLead(point, sides) - expectedLead(before, sides);
    const event = cause(between(log, moments, before.n, point.n));
    if (swing === 0 || event === null || before.turn !== point.turn) return [];
    const side = swing > 0 ? sides[0] : sides[1];
    return [{ n: point.n, turn: point.turn, side, gain: Math.abs(swing), event }];
  });
  return found
    .sort((a, b) => b.gain - a.gain)
    .slice(0, most)
    .sort((a, b) => a.n - b.n);
}

/** A drawing of the lead over the game, within a width and a height. */
export interface Chart {
  /** The height at which nobody leads. */
  zero: number;
  /** The expected lead as an area from there, and the lead in the score as a line of steps. */
  area: string;
  line: string;
  /** Where each turn begins. */
  turns: { turn: number; x: number }[];
  /** The lead at the upper edge. */
  top: number;
  /** Where the marker of a moment lies, which stays within the drawing. */
  at: (n: number) => { x: number; y: number };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** `mark` is the radius of the markers, with their line. */
export function chartOf(
  points: readonly CoursePoint[],
  sides: Sides,
  width: number,
  height: number,
  mark: number,
): Chart {
  const last = Math.max(1, points.at(-1)?.n ?? 1);
  const leads = points.flatMap((point) => [scoreLead(point, sides), expectedLead(point, sides)]);
  const top = Math.max(1, ...leads.map(Math.abs)) * 1.1;
  const zero = height / 2;
  const x = (n: number) => round((n / last) * width);
  const y = (lead: number) => round(zero - (lead / top) * zero);
  const within = (value: number, most: number) => Math.min(Math.max(value, mark), most - mark);
  const edge = points.map((point) => `L${x(point.n)} ${y(expectedLead(point, sides))}`).join('');
  const steps = points.map((point) => `H${x(point.n)}V${y(scoreLead(point, sides))}`).join('');
  return {
    zero,
    top,
    area: `M0 ${zero}${edge}L${width} ${zero}Z`,
    line: `M0 ${zero}${steps}H${width}`,
    turns: points.flatMap((point, i) =>
      point.turn > 0 && points[i - 1]?.turn !== point.turn ? [{ turn: point.turn, x: x(point.n) }] : [],
    ),
    at: (n) => {
      const point = points.findLast((each) => each.n <= n) ?? points[0];
      return { x: within(x(n), width), y: within(y(point ? expectedLead(point, sides) : 0), height) };
    },
  };
}

/** The moment of the curve that is nearest to a part of its width, 0 at the left and 1 at the right. */
export function momentAt(points: readonly CoursePoint[], part: number): number {
  const last = points.at(-1)?.n ?? 0;
  const wanted = part * last;
  const [first = 0] = points.map((point) => point.n);
  return points.reduce((best, { n }) => (Math.abs(n - wanted) < Math.abs(best - wanted) ? n : best), first);
}

export interface Bar {
  turn: number;
  side: Side;
  lost: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Losses by turn as bars: those of the first side upwards from the middle, those of the second downwards. */
export function barsOf(
  losses: ReadonlyMap<number, ReadonlyMap<Side, number>>,
  sides: Sides,
  turns: number,
  width: number,
  height: number,
): Bar[] {
  const most = Math.max(1, ...[...losses.values()].flatMap((lost) => [...lost.values()]));
  const column = width / Math.max(1, turns);
  const middle = height / 2;
  return [...losses].flatMap(([turn, lost]) =>
    sides.flatMap((side, i): Bar[] => {
      const many = lost.get(side) ?? 0;
      if (many === 0) return [];
      const tall = (many / most) * (middle - 12);
      const x = (Math.max(1, turn) - 1) * column + column * 0.15;
      const y = i === 0 ? middle - tall : middle;
      return [
        { turn, side, lost: many, x: round(x), y: round(y), width: round(column * 0.7), height: round(tall) },
      ];
    }),
  );
}
