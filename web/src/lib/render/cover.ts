/** What covers the ground: woods, brush, broken ground, sand, swamp and water. Floors lie below the light, growth above. */
import type { Point } from '../geometry';
import { hexAt, key } from '../hexgeo';
import { fills, type Item, type Layer, type Pen } from './layer';
import type { Share } from './land';
import { has, nearestWay, type MapModel } from './model';
import { whim } from './noise';
import type { Palette } from './palette';
import { inBlocks, type Spot } from './scatter';
import { boxOf, smooth } from './shapes';

const shareOf = (model: MapModel, terrain: string): Share =>
  model.land.share(terrain, (hex) => has(hex, terrain));

const anywhere = (model: MapModel, terrain: string): boolean =>
  model.data.hexes.some((hex) => has(hex, terrain));

/** The ground of one kind, border by border. */
function region(
  model: MapModel,
  terrain: string,
  margin: number,
  draw: (ctx: Pen, path: Path2D) => void,
  least = 0.5,
): Layer {
  if (!anywhere(model, terrain)) return [];
  const loops = model.land.borders(shareOf(model, terrain), least);
  if (loops.length === 0) return [];
  const path = smooth(loops);
  return [{ box: boxOf(loops.flat(), margin), draw: ({ ctx }) => draw(ctx, path) }];
}

interface Sown {
  terrain: string;
  apart: number;
  seed: number;
  least?: number;
}

function sown(
  model: MapModel,
  { terrain, apart, seed, least = 0.5 }: Sown,
  make: (spots: Spot[]) => Item['draw'],
): Layer {
  return anywhere(model, terrain) ? inBlocks(model, shareOf(model, terrain), apart, seed, make, least) : [];
}

/** How far the nearest road, track or stream lies from a place. */
export function roomAt(model: MapModel, p: Point): number {
  const { q, r } = hexAt(p);
  const hex = model.byPlace.get(key(q, r));
  return hex ? nearestWay(model, hex, p).distance : Infinity;
}

function dot(path: Path2D, x: number, y: number, r: number): void {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 7);
}

/** How dense the trees of a kind stand, in map units from one to the next; groves have no floor of their own. */
const STANDS: readonly { terrain: string; apart: number; floor: number; least: number; seed: number }[] = [
  { terrain: 'light grove', apart: 21, floor: 0, least: 0.5, seed: 210 },
  { terrain: 'medium grove', apart: 15.5, floor: 0, least: 0.5, seed: 220 },
  { terrain: 'light woods', apart: 13.5, floor: 0.5, least: 0.46, seed: 230 },
  { terrain: 'woods', apart: 10.4, floor: 1, least: 0.46, seed: 240 },
  { terrain: 'heavy woods', apart: 8.6, floor: 1, least: 0.46, seed: 250 },
];

/** The floor of woods, dark at the edge where the undergrowth is. */
export function woodsFloors(model: MapModel, colours: Palette): Layer {
  return STANDS.filter(({ floor }) => floor > 0).flatMap(({ terrain, floor, least }) =>
    region(
      model,
      terrain,
      10,
      (ctx, path) => {
        ctx.lineJoin = 'round';
        ctx.strokeStyle = colours.woodsRim;
        for (const [width, alpha] of [
          [16, 0.1],
          [8, 0.16],
        ] as const) {
          ctx.globalAlpha = alpha * floor;
          ctx.lineWidth = width;
          ctx.stroke(path);
        }
        ctx.globalAlpha = floor;
        ctx.fillStyle = colours.woods;
        ctx.fill(path);
        ctx.globalAlpha = 1;
      },
      least,
    ),
  );
}

interface Crowns {
  cast: Path2D;
  rim: Path2D;
  bodies: readonly [Path2D, Path2D, Path2D];
  lights: Path2D;
}

const bare = (): Crowns => ({
  cast: new Path2D(),
  rim: new Path2D(),
  bodies: [new Path2D(), new Path2D(), new Path2D()],
  lights: new Path2D(),
});

/** A crown of a few boughs, lit from the north-west. */
function crown(to: Crowns, p: Point, r: number, own: number): void {
  const body = to.bodies[Math.floor(own * 3)]!;
  const turn = own * 40;
  dot(to.cast, p.x + r * 0.42, p.y + r * 0.5, r * 1.02);
  dot(to.rim, p.x, p.y, r);
  dot(body, p.x - r * 0.06, p.y - r * 0.08, r * 0.86);
  for (let i = 0; i < 3; i++) {
    const at = turn + i * 2.1;
    const [x, y] = [p.x + Math.cos(at) * r * 0.6, p.y + Math.sin(at) * r * 0.6];
    dot(to.rim, x, y, r * 0.55);
    dot(body, x - r * 0.05, y - r * 0.06, r * 0.44);
  }
  dot(to.lights, p.x - r * 0.3, p.y - r * 0.34, r * 0.36);
}

function drawCrowns(crowns: Crowns, colours: Palette): Item['draw'] {
  const tints = [colours.canopy, colours.canopyAlt, colours.canopyDark];
  return ({ ctx, scale }) => {
    ctx.globalAlpha = 0.42;
    fills(ctx, [crowns.cast, colours.canopyShade]);
    ctx.globalAlpha = 1;
    if (scale > 0.4) fills(ctx, [crowns.rim, colours.woodsRim]);
    crowns.bodies.forEach((path, i) => fills(ctx, [path, tints[i]!]));
    if (scale > 0.4) {
      ctx.globalAlpha = 0.5;
      fills(ctx, [crowns.lights, colours.canopyLit]);
      ctx.globalAlpha = 1;
    }
  };
}

export function woods(model: MapModel, colours: Palette): Layer {
  return STANDS.flatMap(({ terrain, apart, seed, least }) =>
    sown(model, { terrain, apart, seed, least }, (spots) => {
      const crowns = bare();
      for (const p of spots) {
        const r = 4 + p.whim * 2.7;
        if (roomAt(model, p) >= 8.5 + r * 0.6) crown(crowns, p, r, p.other);
      }
      return drawCrowns(crowns, colours);
    }),
  );
}

/** Trees that stand alone: in gardens and hedges. */
export function loneTrees(at: readonly Spot[], r: number, colours: Palette): Item['draw'] {
  const crowns = bare();
  for (const p of at) crown(crowns, p, r * (0.8 + p.whim * 0.5), p.other);
  return drawCrowns(crowns, colours);
}

/** Brush, and scrub, which is thinner. */
export function bushes(model: MapModel, colours: Palette): Layer {
  const kinds = [
    { terrain: 'scrub', apart: 14, seed: 310 },
    { terrain: 'brush', apart: 9.5, seed: 320 },
  ];
  return kinds.flatMap((kind) =>
    sown(model, kind, (spots) => {
      const [cast, low, lit] = [new Path2D(), new Path2D(), new Path2D()];
      for (const p of spots) {
        const r = 1.7 + p.whim * 1.9;
        if (roomAt(model, p) < 8) continue;
        dot(cast, p.x + 0.9, p.y + 1.1, r);
        dot(low, p.x, p.y, r);
        dot(low, p.x + r * 0.8 * (p.other - 0.5), p.y + r * 0.7, r * 0.7);
        dot(lit, p.x - r * 0.3, p.y - r * 0.3, r * 0.45);
      }
      return ({ ctx }) => {
        ctx.globalAlpha = 0.3;
        fills(ctx, [cast, colours.canopyShade]);
        ctx.globalAlpha = 1;
        fills(ctx, [low, colours.bush], [lit, colours.canopyLit]);
      };
    }),
  );
}

/** Ground torn up by shells. */
export function craters(model: MapModel, colours: Palette): Layer {
  return sown(model, { terrain: 'shellholes', apart: 19, seed: 330 }, (spots) => {
    const [holes, rims] = [new Path2D(), new Path2D()];
    for (const p of spots) {
      dot(holes, p.x, p.y, 3 + p.whim * 3);
      dot(rims, p.x, p.y, 4.6 + p.whim * 3);
    }
    return ({ ctx }) => fills(ctx, [rims, colours.broken], [holes, colours.rockShade]);
  });
}

export function brokenFloor(model: MapModel, colours: Palette): Layer {
  return region(model, 'broken', 4, (ctx, path) => {
    ctx.globalAlpha = 0.72;
    ctx.fillStyle = colours.broken;
    ctx.fill(path);
    ctx.globalAlpha = 0.5;
    ctx.setLineDash([2, 4]);
    ctx.strokeStyle = colours.rockShade;
    ctx.lineWidth = 1.2;
    ctx.stroke(path);
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  });
}

/** Stones of broken ground: most small, some boulders, with shrubs between. */
export function broken(model: MapModel, colours: Palette): Layer {
  return sown(model, { terrain: 'broken', apart: 12, seed: 340 }, (spots) => {
    const [shadow, body, lit, shrub] = [new Path2D(), new Path2D(), new Path2D(), new Path2D()];
    for (const p of spots) {
      const r = 1.2 + p.whim * p.whim * 5;
      if (roomAt(model, p) < 9 + r) continue;
      if (p.other < 0.3) dot(shrub, p.x, p.y, 1.3 + p.whim * 1.6);
      else stone(p, r, shadow, body, lit);
    }
    return ({ ctx }) => {
      ctx.globalAlpha = 0.5;
      fills(ctx, [shadow, colours.rockShade]);
      ctx.globalAlpha = 0.8;
      fills(ctx, [shrub, colours.bush]);
      ctx.globalAlpha = 1;
      fills(ctx, [body, colours.rock], [lit, colours.rockLit]);
    };
  });
}

function stone(p: Spot, r: number, shadow: Path2D, body: Path2D, lit: Path2D): void {
  const n = 5 + Math.floor(p.other * 3);
  for (let i = 0; i < n; i++) {
    const angle = p.whim * 6 + (i / n) * Math.PI * 2;
    const length = r * (0.75 + 0.5 * whim(i, Math.round(p.x * 10), 341));
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length * 0.8];
    const line = (path: Path2D, x: number, y: number) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y));
    line(body, p.x + dx, p.y + dy);
    line(shadow, p.x + dx + 1.2, p.y + dy + 1.6);
    line(lit, p.x + dx * 0.5 - r * 0.2, p.y + dy * 0.5 - r * 0.25);
  }
  for (const path of [body, shadow, lit]) path.closePath();
}

export function sandFloor(model: MapModel, colours: Palette): Layer {
  return region(model, 'sand', 4, (ctx, path) => {
    ctx.fillStyle = colours.sand;
    ctx.fill(path);
  });
}

export function sand(model: MapModel, colours: Palette): Layer {
  return sown(model, { terrain: 'sand', apart: 6, seed: 350, least: 0.42 }, (spots) => {
    const path = new Path2D();
    for (const p of spots) dot(path, p.x, p.y, 0.5 + p.whim * 0.5);
    return ({ ctx, scale }) => {
      if (scale > 0.4) fills(ctx, [path, colours.sandDot]);
    };
  });
}

export function swampFloor(model: MapModel, colours: Palette): Layer {
  return region(model, 'swamp', 6, (ctx, path) => {
    ctx.lineJoin = 'round';
    ctx.strokeStyle = colours.swamp;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = 9;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colours.swamp;
    ctx.fill(path);
  });
}

/** Pools and reeds. */
export function swamp(model: MapModel, colours: Palette): Layer {
  return sown(model, { terrain: 'swamp', apart: 15, seed: 360, least: 0.54 }, (spots) => {
    const [pools, edges, reed] = [new Path2D(), new Path2D(), new Path2D()];
    for (const p of spots) {
      const w = 3 + p.whim * 6;
      if (p.other < 0.45) {
        pools.moveTo(p.x + w, p.y);
        pools.ellipse(p.x, p.y, w, 1.8 + p.whim * 1.9, 0, 0, 7);
      } else {
        edges.moveTo(p.x - w, p.y);
        edges.lineTo(p.x + w, p.y);
      }
      for (let i = -1; i <= 1; i++) {
        const x = p.x + i * 2.4 + (p.other - 0.5) * 8;
        reed.moveTo(x, p.y);
        reed.lineTo(x + i * 1.5, p.y - 4.5 - p.whim * 2.5);
      }
    }
    return ({ ctx }) => {
      fills(ctx, [pools, colours.water]);
      ctx.lineWidth = 0.9;
      ctx.strokeStyle = colours.waterEdge;
      ctx.stroke(edges);
      ctx.strokeStyle = colours.reed;
      ctx.lineWidth = 1;
      ctx.stroke(reed);
    };
  });
}

export function water(model: MapModel, colours: Palette): Layer {
  const body = region(model, 'water', 12, (ctx, path) => {
    ctx.lineJoin = 'round';
    ctx.strokeStyle = colours.bank;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = 9;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colours.waterDeep;
    ctx.fill(path);
    ctx.save();
    ctx.clip(path);
    ctx.strokeStyle = colours.waterLit;
    for (const [width, alpha] of [
      [34, 0.18],
      [21, 0.22],
      [9, 0.4],
    ] as const) {
      ctx.globalAlpha = alpha;
      ctx.lineWidth = width;
      ctx.stroke(path);
    }
    ctx.restore();
    ctx.strokeStyle = colours.waterEdge;
    ctx.lineWidth = 1.6;
    ctx.stroke(path);
  });
  const ripples = sown(model, { terrain: 'water', apart: 22, seed: 370, least: 0.75 }, (spots) => {
    const path = new Path2D();
    for (const p of spots) {
      const w = 4 + p.whim * 4;
      path.moveTo(p.x - w, p.y);
      path.quadraticCurveTo(p.x - w / 2, p.y - 2, p.x, p.y);
      path.quadraticCurveTo(p.x + w / 2, p.y + 2, p.x + w, p.y);
    }
    return ({ ctx }) => {
      ctx.globalAlpha = 0.7;
      ctx.strokeStyle = colours.waterLit;
      ctx.lineWidth = 1;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
    };
  });
  return [...body, ...ripples];
}
