/** Hexsides that matter to the rules, each with a mark of its own, told apart by form as well as colour. */
import type { Point } from '../geometry';
import { centre, corners, key, neighbour } from '../hexgeo';
import { loneTrees } from './cover';
import type { Brush, Item, Layer } from './layer';
import type { Chunk, MapModel } from './model';
import { whim } from './noise';
import type { Palette } from './palette';
import type { Spot } from './scatter';

/** A thread lies on the line of the grid and tints it: what it tells is seen in the ground itself. */
type Mark = 'bar' | 'thread' | 'dots' | 'teeth' | 'stones' | 'bushes';

const MARKS: Readonly<Record<string, Mark>> = {
  woods: 'thread',
  town: 'thread',
  broken: 'thread',
  slope: 'thread',
  hilltop: 'thread',
  crest: 'dots',
  wall: 'stones',
  hedgerow: 'bushes',
  cliff: 'teeth',
  escarpment: 'teeth',
};

const PENS: Readonly<Record<Mark, { width: number; alpha: number }>> = {
  bar: { width: 2.6, alpha: 0.8 },
  thread: { width: 1.7, alpha: 0.42 },
  dots: { width: 2.4, alpha: 0.7 },
  teeth: { width: 2, alpha: 1 },
  stones: { width: 3.4, alpha: 1 },
  bushes: { width: 4, alpha: 0.75 },
};

function colourOf(kind: string, colours: Palette): string {
  const known: Record<string, string> = {
    woods: colours.woodsRim,
    town: colours.wall,
    broken: colours.rockShade,
    slope: colours.contour,
    hilltop: colours.shade,
    wall: colours.wall,
    hedgerow: colours.woodsRim,
  };
  return known[kind] ?? colours.cliff;
}

/** A side that bears something, from corner to corner, and the way down from it. */
interface Edge {
  a: Point;
  b: Point;
  downhill: Point;
}

/** Each side is found once, by its upper hex, or by its only one. */
function edgesOf(model: MapModel, chunk: Chunk): Map<string, Edge[]> {
  const found = new Map<string, Edge[]>();
  for (const hex of chunk.hexes) {
    const points = corners(hex);
    const c = centre(hex);
    for (let d = 0; d < 6; d++) {
      const { q, r } = neighbour(hex, d);
      const beyond = model.byPlace.get(key(q, r));
      if (d >= 3 && beyond) continue;
      const [here, there] = [hex.sides[d] ?? [], beyond?.sides[(d + 3) % 6] ?? []];
      if (here.length + there.length === 0) continue;
      const kinds = new Set([...here, ...there]);
      const [a, b] = [points[d]!, points[(d + 1) % 6]!];
      const m = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      const far = Math.hypot(m.x - c.x, m.y - c.y) * ((beyond?.level ?? hex.level) <= hex.level ? 1 : -1);
      const downhill = { x: (m.x - c.x) / far, y: (m.y - c.y) / far };
      for (const kind of kinds) {
        const edges = found.get(kind);
        if (edges) edges.push({ a, b, downhill });
        else found.set(kind, [{ a, b, downhill }]);
      }
    }
  }
  return found;
}

export function sides(model: MapModel, colours: Palette): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const draws = [...edgesOf(model, chunk)].map(([kind, edges]) => drawEdges(kind, edges, colours));
    return draws.length === 0
      ? []
      : [{ box: chunk.box, draw: (brush) => draws.forEach((draw) => draw(brush)) }];
  });
}

function drawEdges(kind: string, edges: readonly Edge[], colours: Palette): Item['draw'] {
  const form = MARKS[kind] ?? 'bar';
  const path = new Path2D();
  for (const edge of edges) mark(path, form, edge);
  const line = ({ ctx }: Brush) => {
    const { width, alpha } = PENS[form];
    ctx.lineCap = form === 'thread' ? 'butt' : 'round';
    ctx.strokeStyle = colourOf(kind, colours);
    ctx.globalAlpha = alpha;
    ctx.lineWidth = width;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  };
  if (form === 'stones') return (brush) => (line(brush), stones(brush, path, colours));
  if (form !== 'bushes') return line;
  const hedge = loneTrees(edges.flatMap(bushesOf), 3, colours);
  return (brush) => (line(brush), hedge(brush));
}

/** The light tops of a wall's stones. */
function stones({ ctx, scale }: Brush, path: Path2D, colours: Palette): void {
  if (scale < 0.4) return;
  ctx.strokeStyle = colours.rockLit;
  ctx.lineWidth = 1.9;
  ctx.setLineDash([0.1, 3.6]);
  ctx.stroke(path);
  ctx.setLineDash([]);
}

const BUSHES = 12;

/** The bushes of a hedge along its side. */
function bushesOf({ a, b }: Edge): Spot[] {
  return Array.from({ length: BUSHES }, (_, i) => {
    const t = i / (BUSHES - 1);
    const [x, y] = [a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t];
    const own = (n: number) => whim(Math.round(x * 4), Math.round(y * 4), 510 + n);
    return { x: x + (own(0) - 0.5) * 3, y: y + (own(1) - 0.5) * 3, whim: own(2), other: own(3) };
  });
}

function mark(path: Path2D, form: Mark, { a, b, downhill }: Edge): void {
  const at = (t: number, out: number): [number, number] => [
    a.x + (b.x - a.x) * t + downhill.x * out,
    a.y + (b.y - a.y) * t + downhill.y * out,
  ];
  const line = (t: number, u: number, out: number) => {
    path.moveTo(...at(t, out));
    path.lineTo(...at(u, out));
  };
  if (form === 'dots') for (let t = 0.08; t < 1; t += 0.14) line(t, t + 0.01, 0);
  else line(0.03, 0.97, 0);
  if (form !== 'teeth') return;
  for (let t = 0.08; t < 1; t += 0.16) {
    path.moveTo(...at(t, 0));
    path.lineTo(...at(t, 7));
  }
}
