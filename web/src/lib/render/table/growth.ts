/** What grows: woods of single trees, hedges and reeds. Every crown is lit from the north-west. */
import type { Point } from '../../geometry';
import type { Item, Layer, Pen } from '../layer';
import { stream } from '../noise';
import { pathOf } from '../shapes';
import { grown, nearest, paces, piecesOf, sidesOf, type Feature, type TableModel } from './model';
import type { Colours } from './palette';
import { scattered } from './scatter';

/** A crown round (0, 0) with a radius of 1, as paths from the bottom up. */
interface Crown {
  cast: Path2D;
  rim: Path2D;
  body: Path2D;
  clumps: Path2D;
  lights: Path2D;
}

const KINDS = 5;

function lobes(next: () => number, count: number, r: number, size: number, from: Point): Path2D {
  const path = new Path2D();
  for (let i = 0; i < count; i++) {
    const turn = ((i + next() * 0.5) / count) * 2 * Math.PI;
    const far = r * (0.82 + next() * 0.3);
    const [x, y] = [from.x + Math.cos(turn) * far, from.y + Math.sin(turn) * far];
    const s = size * (0.8 + next() * 0.45);
    path.moveTo(x + s, y);
    path.arc(x, y, s, 0, 7);
  }
  path.moveTo(from.x + r, from.y);
  path.arc(from.x, from.y, r, 0, 7);
  return path;
}

function leafy(n: number): Crown {
  const shape = () => stream(`leaf ${n}`);
  const at = (x: number, y: number) => ({ x, y });
  const clumps = new Path2D();
  const lights = new Path2D();
  const next = stream(`clumps ${n}`);
  for (let i = 0; i < 7; i++) {
    const turn = next() * 2 * Math.PI;
    const far = next() * 0.55;
    const [x, y] = [Math.cos(turn) * far - 0.14, Math.sin(turn) * far - 0.14];
    const r = 0.2 + next() * 0.16;
    clumps.moveTo(x + r, y);
    clumps.arc(x, y, r, 0, 7);
    if (x + y < 0) {
      lights.moveTo(x - 0.05 + r * 0.55, y - 0.06);
      lights.arc(x - 0.05, y - 0.06, r * 0.55, 0, 7);
    }
  }
  return {
    cast: lobes(shape(), 9, 0.72, 0.3, at(0.3, 0.34)),
    rim: lobes(shape(), 9, 0.74, 0.3, at(0.03, 0.04)),
    body: lobes(shape(), 9, 0.68, 0.27, at(-0.05, -0.06)),
    clumps,
    lights,
  };
}

function star(next: () => number, points: number, r: number, from: Point): Path2D {
  const path = new Path2D();
  for (let i = 0; i < points * 2; i++) {
    const turn = (i / points) * Math.PI;
    const far = i % 2 === 0 ? r * (0.9 + next() * 0.2) : r * (0.5 + next() * 0.12);
    const [x, y] = [from.x + Math.cos(turn) * far, from.y + Math.sin(turn) * far];
    if (i === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
  return path;
}

function fir(n: number): Crown {
  const shape = () => stream(`fir ${n}`);
  const points = 8 + (n % 3);
  return {
    cast: star(shape(), points, 1.02, { x: 0.3, y: 0.34 }),
    rim: star(shape(), points, 1.06, { x: 0.02, y: 0.03 }),
    body: star(shape(), points, 0.94, { x: -0.02, y: -0.03 }),
    clumps: star(shape(), points, 0.64, { x: -0.07, y: -0.09 }),
    lights: star(shape(), points, 0.32, { x: -0.11, y: -0.13 }),
  };
}

interface Tints {
  rim: string;
  body: readonly string[];
  clumps: string;
  lights: string;
}

interface Tree extends Point {
  r: number;
  crown: Crown;
  tint: number;
}

/** Draws crowns: first what they all cast on the ground, then one after the other from north to south. */
function plant(ctx: Pen, trees: readonly Tree[], tints: Tints, cast: string, scale: number): void {
  const place = (tree: Tree, draw: () => void) => {
    ctx.save();
    ctx.translate(tree.x, tree.y);
    ctx.scale(tree.r, tree.r);
    draw();
    ctx.restore();
  };
  ctx.fillStyle = cast;
  ctx.globalAlpha = 0.34;
  for (const tree of trees) place(tree, () => ctx.fill(tree.crown.cast));
  ctx.globalAlpha = 1;
  for (const tree of trees) {
    place(tree, () => {
      ctx.fillStyle = tints.rim;
      ctx.fill(tree.crown.rim);
      ctx.fillStyle = tints.body[tree.tint % tints.body.length]!;
      ctx.fill(tree.crown.body);
      if (tree.r * scale < 4) return;
      ctx.fillStyle = tints.clumps;
      ctx.globalAlpha = 0.5;
      ctx.fill(tree.crown.clumps);
      ctx.fillStyle = tints.lights;
      ctx.globalAlpha = 0.7;
      ctx.fill(tree.crown.lights);
      ctx.globalAlpha = 1;
    });
  }
}

const LEAVES = Array.from({ length: KINDS }, (_, n) => n);
let crowns: { leafy: Crown[]; fir: Crown[] } | null = null;

const grownCrowns = () => (crowns ??= { leafy: LEAVES.map(leafy), fir: LEAVES.map(fir) });

const leafTints = (c: Colours): Tints => ({
  rim: c.leafShade,
  body: [c.leaf, c.leafAlt],
  clumps: c.leafLit,
  lights: c.leafLit,
});

const firTints = (c: Colours): Tints => ({
  rim: c.firShade,
  body: [c.fir, c.firAlt],
  clumps: c.firLit,
  lights: c.firLit,
});

/** Whether trees can stand at a point: nothing is built there, no road leads over it and no stream flows. */
export type Free = (p: Point, room: number) => boolean;

export function freeOf({ features }: TableModel): Free {
  const built = features.flatMap((f) => {
    if (f.width > 0) return [{ box: grown(f.box, 60), pieces: piecesOf(f.way), half: f.width / 2 }];
    return f.shape === 'building' ? [{ box: grown(f.box, 60), pieces: sidesOf(f.rings), half: 6 }] : [];
  });
  return (p, room) =>
    built.every(
      ({ box, pieces, half }) =>
        p.x < box.x ||
        p.y < box.y ||
        p.x > box.x + box.width ||
        p.y > box.y + box.height ||
        nearest(p, pieces) >= half + room,
    );
}

/** The floor of woods: dark, with a soft rim, and a line where the rules see their edge. */
export function woodFloors({ features }: TableModel, colours: Colours): Layer {
  return features
    .filter((f) => f.look === 'woods' || f.look === 'heavy-woods')
    .map(({ look, rings, box }): Item => {
      const path = pathOf(rings);
      const heavy = look === 'heavy-woods';
      const [floor, rim] = heavy ? [colours.heavy, colours.heavyRim] : [colours.woods, colours.woodsRim];
      return {
        box: grown(box, 24),
        draw: ({ ctx, scale }) => {
          ctx.lineJoin = 'round';
          ctx.strokeStyle = rim;
          for (const [width, alpha] of [
            [40, 0.07],
            [26, 0.09],
            [13, 0.12],
          ] as const) {
            ctx.globalAlpha = alpha;
            ctx.lineWidth = width;
            ctx.stroke(path);
          }
          ctx.globalAlpha = heavy ? 0.92 : 0.8;
          ctx.fillStyle = floor;
          ctx.fill(path, 'evenodd');
          ctx.globalAlpha = 0.85;
          ctx.lineWidth = Math.max(heavy ? 4 : 2.6, 1.2 / scale);
          if (!heavy) ctx.setLineDash([9, 6]);
          ctx.stroke(path);
          ctx.setLineDash([]);
          ctx.globalAlpha = 1;
        },
      };
    });
}

/** The trees of woods: round crowns with room between in light woods, close firs in heavy ones. */
export function woods({ features }: TableModel, free: Free, colours: Colours): Layer {
  const { leafy: leaves, fir: firs } = grownCrowns();
  return features.flatMap((feature): Layer => {
    const { id, look, rings, box } = feature;
    if (look === 'woods') {
      const room = (p: Point) => free(p, 16);
      const trees = scattered(rings, 47, 15, id, room).map((p) => tree(p, 17 + p.whim * 9, leaves));
      return [copse(box, trees, leafTints(colours), colours)];
    }
    if (look !== 'heavy-woods') return [];
    const room = (p: Point) => free(p, 15);
    const trees = scattered(rings, 33, 13, id, room).map((p) => tree(p, 17 + p.whim * 8, firs));
    return [copse(box, trees, firTints(colours), colours)];
  });
}

function tree(at: Point & { whim: number }, r: number, kinds: Crown[]): Tree {
  const n = Math.floor(at.whim * 9973);
  return { x: at.x, y: at.y, r, crown: kinds[n % kinds.length]!, tint: n >> 3 };
}

function copse(box: Feature['box'], trees: Tree[], tints: Tints, colours: Colours): Item {
  return {
    box: grown(box, 20),
    draw: ({ ctx, scale }) => plant(ctx, trees, tints, colours.cast, scale),
  };
}

/** Hedges: bushes in a close row. */
export function hedges({ features }: TableModel, colours: Colours): Layer {
  return features
    .filter((f) => f.look === 'hedge')
    .map(({ id, way, box }) => {
      const next = stream(id);
      const bushes = paces(way, 11).map(({ x, y }) =>
        tree(
          { x: x + (next() - 0.5) * 4, y: y + (next() - 0.5) * 4, whim: next() },
          8 + next() * 3,
          grownCrowns().leafy,
        ),
      );
      return copse(box, bushes, { ...leafTints(colours), body: [colours.leaf, colours.woodsRim] }, colours);
    });
}

/** Single garden trees. */
export function gardenTrees(
  at: readonly (Point & { whim: number })[],
  box: Feature['box'],
  colours: Colours,
): Item {
  const trees = at.map((p) => tree(p, 9 + p.whim * 5, grownCrowns().leafy));
  return copse(box, trees, leafTints(colours), colours);
}

/** Reeds of a swamp. */
export function reeds({ features }: TableModel, free: Free, colours: Colours): Layer {
  return features
    .filter((f) => f.look === 'swamp')
    .map(({ id, rings, box }) => {
      const blades = new Path2D();
      for (const { x, y, whim } of scattered(rings, 36, 8, id, (p) => free(p, 4))) {
        [-6, -2, 2, 6].forEach((aside, i) => {
          blades.moveTo(x + aside, y + 7);
          blades.lineTo(x + aside * 1.7, y - 5 - ((i * 7 + Math.floor(whim * 9)) % 9));
        });
      }
      return {
        box: grown(box, 10),
        draw: ({ ctx }) => {
          ctx.strokeStyle = colours.reed;
          ctx.lineCap = 'round';
          ctx.lineWidth = 2.4;
          ctx.stroke(blades);
          ctx.lineCap = 'butt';
        },
      };
    });
}
