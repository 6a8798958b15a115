/** The reach of a stand as the server measured it: what each point costs, between its points too. */
import type { ReachNode } from '../../protocol';
import type { Spot } from '../places';

/** How far apart the points of a reach are, in 1/1000 inch. */
export const STEP = 500;
/** How much dearer than a straight line the lattice may be, in its own units: costs may be rounded up by half a point. */
const SLACK = 0.6;
const SHARE = 0.04;
/** No way through a reach has more corners. */
const MOST = 400;

export interface Contour {
  cost: number;
  /** Pieces of the line, each from a point to a point, in 1/1000 inch. */
  pieces: [Spot, Spot][];
}

const key = (x: number, y: number): number => y * 4096 + x;

export class Lattice {
  private readonly costs = new Map<number, number>();
  private readonly numbers = new Map<number, number>();

  constructor(private readonly nodes: readonly ReachNode[]) {
    nodes.forEach(([x, y, cost], n) => {
      if (x % STEP !== 0 || y % STEP !== 0) return;
      this.costs.set(key(x / STEP, y / STEP), cost / 1000);
      this.numbers.set(key(x / STEP, y / STEP), n);
    });
  }

  get empty(): boolean {
    return this.costs.size === 0;
  }

  /** What a point costs, between the points around it; null outside the reach. */
  costAt([x, y]: Spot): number | null {
    const [i, j] = [Math.floor(x / STEP), Math.floor(y / STEP)];
    const [u, v] = [x / STEP - i, y / STEP - j];
    const corners = [
      [i, j, (1 - u) * (1 - v)],
      [i + 1, j, u * (1 - v)],
      [i, j + 1, (1 - u) * v],
      [i + 1, j + 1, u * v],
    ] as const;
    let [sum, weight] = [0, 0];
    for (const [a, b, part] of corners) {
      const cost = this.costs.get(key(a, b));
      if (cost === undefined || part === 0) continue;
      sum += cost * part;
      weight += part;
    }
    return weight > 0.5 ? sum / weight : null;
  }

  /** Lines of equal cost, one for each cost asked for. */
  contours(costs: readonly number[]): Contour[] {
    return costs
      .map((cost) => ({ cost, pieces: [...this.pieces(cost)] }))
      .filter(({ pieces }) => pieces.length > 0);
  }

  private *pieces(cost: number): Iterable<[Spot, Spot]> {
    for (const at of this.costs.keys()) {
      const [i, j] = [at % 4096, Math.floor(at / 4096)];
      const corners: [number, number][] = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const values = corners.map(([a, b]) => this.costs.get(key(a, b)));
      if (values.some((value) => value === undefined)) continue;
      const cuts = corners.flatMap((corner, n): Spot[] => {
        const [a, b] = [values[n]!, values[(n + 1) % 4]!];
        if (a < cost === b < cost) return [];
        const t = (cost - a) / (b - a);
        const next = corners[(n + 1) % 4]!;
        return [
          [(corner[0] + (next[0] - corner[0]) * t) * STEP, (corner[1] + (next[1] - corner[1]) * t) * STEP],
        ];
      });
      if (cuts.length >= 2) yield [cuts[0]!, cuts[1]!];
      if (cuts.length === 4) yield [cuts[2]!, cuts[3]!];
    }
  }

  /** The point in reach that lies nearest to a place; null where nothing is in reach. */
  nearest([x, y]: Spot): Spot | null {
    const far = ([a, b]: ReachNode) => (a - x) ** 2 + (b - y) ** 2;
    if (this.nodes.length < 2) return null;
    const [a, b] = this.nodes.reduce((best, node) => (far(node) < far(best) ? node : best));
    return [a, b];
  }

  /** The corners of a way to a point, the point itself not among them; null where none is known. */
  wayTo([x, y]: Spot): Spot[] | null {
    const number = this.numbers.get(key(Math.round(x / STEP), Math.round(y / STEP)));
    if (number === undefined) return null;
    const way = [number];
    while (way.at(-1) !== 0 && way.length < MOST) way.push(this.nodes[way.at(-1)!]![3]);
    return this.pulled(way.reverse()).slice(1, -1);
  }

  /** A way with as few corners as the costs allow: a straight piece must cost what the way itself does. */
  private pulled(way: readonly number[]): Spot[] {
    const corners: Spot[] = [];
    for (let from = 0; from < way.length;) {
      corners.push(this.spot(way[from]!));
      let to = way.length - 1;
      while (to > from + 1 && !this.straight(way[from]!, way[to]!)) to--;
      from = to > from ? to : from + 1;
    }
    return corners;
  }

  private spot(number: number): Spot {
    const [x, y] = this.nodes[number]!;
    return [x, y];
  }

  private straight(from: number, to: number): boolean {
    const [a, b] = [this.nodes[from]!, this.nodes[to]!];
    const far = Math.hypot(a[0] - b[0], a[1] - b[1]);
    const pieces = Math.ceil(far / (STEP / 2));
    for (let n = 1; n < pieces; n++) {
      const t = n / pieces;
      const cost = this.costAt([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
      const even = (a[2] + (b[2] - a[2]) * t) / 1000;
      if (cost === null || Math.abs(cost - even) > SLACK + SHARE * even) return false;
    }
    return true;
  }
}

/** The costs at which lines are drawn: about six of them, at round numbers. */
export function stepsOf(left: number): number[] {
  const every = [0.5, 1, 2, 3, 5, 10].find((n) => left / n <= 6) ?? 20;
  return Array.from({ length: Math.ceil(left / every) - 1 }, (_, i) => (i + 1) * every);
}
