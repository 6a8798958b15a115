/** What covers the ground: woods, fields, brush, broken ground, sand, swamp, water, villages and towns. */
import type { Point } from '../geometry';
import { centre } from '../hexgeo';
import type { MapHex } from '../protocol';
import { fills, type Item, type Layer, type Pen } from './layer';
import { has, nearestWay, regionOutlines, type MapModel } from './model';
import { stream } from './noise';
import type { Palette } from './palette';
import { boxOf, inHex, pathOf, softened, turnedRect } from './shapes';

function region(
  model: MapModel,
  terrain: string,
  wobble: number,
  margin: number,
  draw: (ctx: Pen, path: Path2D) => void,
): Layer {
  const loops = regionOutlines(model, (h) => has(h, terrain)).map((l) => softened(l, wobble));
  if (loops.length === 0) return [];
  const path = pathOf(loops);
  return [{ box: boxOf(loops.flat(), margin), draw: ({ ctx }) => draw(ctx, path) }];
}

function perChunk(model: MapModel, terrain: string, make: (hexes: MapHex[]) => Item['draw']): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const hexes = chunk.hexes.filter((h) => has(h, terrain));
    return hexes.length === 0 ? [] : [{ box: chunk.box, draw: make(hexes) }];
  });
}

/** Places spread evenly over a hex. */
function spread(hex: MapHex, seed: string, spacing: number, margin: number): Point[] {
  const next = stream(`${seed} ${hex.name}`);
  const c = centre(hex);
  const places: Point[] = [];
  let odd = false;
  for (let y = -45; y <= 45; y += spacing * 0.866) {
    odd = !odd;
    for (let x = -52 + (odd ? spacing / 2 : 0); x <= 52; x += spacing) {
      const dx = x + (next() - 0.5) * spacing * 0.62;
      const dy = y + (next() - 0.5) * spacing * 0.62;
      if (inHex(dx, dy, margin)) places.push({ x: c.x + dx, y: c.y + dy });
    }
  }
  return places;
}

function dot(path: Path2D, x: number, y: number, r: number): void {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 7);
}

/** How dense the trees of a kind stand, in map units from one to the next; groves have no floor of their own. */
const STANDS: readonly { terrain: string; spacing: number; floor: number }[] = [
  { terrain: 'light grove', spacing: 23, floor: 0 },
  { terrain: 'medium grove', spacing: 17, floor: 0 },
  { terrain: 'light woods', spacing: 15.5, floor: 0.45 },
  { terrain: 'woods', spacing: 11.5, floor: 1 },
  { terrain: 'heavy woods', spacing: 9, floor: 1 },
];

export function woods(model: MapModel, colours: Palette): Layer {
  return STANDS.flatMap(({ terrain, spacing, floor }) => [
    ...(floor > 0 ? woodsFloor(model, colours, terrain, floor) : []),
    ...trees(model, colours, terrain, spacing),
  ]);
}

function woodsFloor(model: MapModel, colours: Palette, terrain: string, alpha: number): Layer {
  return region(model, terrain, 2.5, 4, (ctx, path) => {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colours.woods;
    ctx.fill(path);
    ctx.strokeStyle = colours.woodsRim;
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = 1.6;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  });
}

function trees(model: MapModel, colours: Palette, terrain: string, spacing: number): Layer {
  return perChunk(model, terrain, (hexes) => {
    const [shadow, dark, light, lit] = [new Path2D(), new Path2D(), new Path2D(), new Path2D()];
    for (const hex of hexes) {
      const next = stream(`tree ${hex.name}`);
      for (const p of spread(hex, 'woods', spacing, 4)) {
        const r = 4.4 + next() * 3;
        const which = next() < 0.5 ? dark : light;
        if (nearestWay(model, hex, p).distance < 8.5 + r * 0.6) continue;
        dot(shadow, p.x + 2, p.y + 2.6, r);
        dot(which, p.x, p.y, r);
        dot(lit, p.x - r * 0.28, p.y - r * 0.34, r * 0.48);
      }
    }
    return ({ ctx, scale }) => {
      ctx.globalAlpha = 0.5;
      fills(ctx, [shadow, colours.canopyShade]);
      ctx.globalAlpha = 1;
      fills(ctx, [dark, colours.canopy], [light, colours.canopyAlt]);
      if (scale > 0.4) {
        ctx.globalAlpha = 0.55;
        fills(ctx, [lit, colours.canopyLit]);
        ctx.globalAlpha = 1;
      }
    };
  });
}

/** Standing crops: a field with furrows, which lie across those of the next hex. */
export function crops(model: MapModel, colours: Palette): Layer {
  const floor = region(model, 'crops', 1, 4, (ctx, path) => {
    ctx.fillStyle = colours.crops;
    ctx.fill(path);
    ctx.globalAlpha = 0.6;
    ctx.strokeStyle = colours.furrow;
    ctx.lineWidth = 1.2;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  });
  const furrows = perChunk(model, 'crops', (hexes) => {
    const path = new Path2D();
    for (const hex of hexes) {
      const c = centre(hex);
      const angle = ((hex.q + 2 * hex.r) % 3) * (Math.PI / 3) + 0.2;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let v = -42; v <= 42; v += 6) {
        for (let u = -45; u < 45; u += 9) {
          const [a, b] = [u, u + 8].map((at) => ({ x: at * cos - v * sin, y: at * sin + v * cos }));
          if (!inHex(a!.x, a!.y, 4) || !inHex(b!.x, b!.y, 4)) continue;
          path.moveTo(c.x + a!.x, c.y + a!.y);
          path.lineTo(c.x + b!.x, c.y + b!.y);
        }
      }
    }
    return ({ ctx }) => {
      ctx.strokeStyle = colours.cropRow;
      ctx.lineWidth = 1.8;
      ctx.stroke(path);
    };
  });
  return [...floor, ...furrows];
}

/** Brush, and scrub, which is thinner. */
export function bushes(model: MapModel, colours: Palette): Layer {
  return [
    { terrain: 'scrub', spacing: 15 },
    { terrain: 'brush', spacing: 11 },
  ].flatMap(({ terrain, spacing }) =>
    perChunk(model, terrain, (hexes) => {
      const [low, lit] = [new Path2D(), new Path2D()];
      for (const hex of hexes) {
        const next = stream(`${terrain} ${hex.name}`);
        for (const p of spread(hex, terrain, spacing, 6)) {
          const r = 1.8 + next() * 1.8;
          if (nearestWay(model, hex, p).distance < 8) continue;
          dot(low, p.x, p.y, r);
          dot(lit, p.x - r * 0.3, p.y - r * 0.3, r * 0.45);
        }
      }
      return ({ ctx }) => fills(ctx, [low, colours.tuft], [lit, colours.canopyLit]);
    }),
  );
}

/** Ground torn up by shells. */
export function craters(model: MapModel, colours: Palette): Layer {
  return perChunk(model, 'shellholes', (hexes) => {
    const [holes, rims] = [new Path2D(), new Path2D()];
    for (const hex of hexes) {
      const next = stream(`shellholes ${hex.name}`);
      for (const p of spread(hex, 'shellholes', 20, 9)) {
        const r = 3 + next() * 3;
        dot(holes, p.x, p.y, r);
        dot(rims, p.x, p.y, r + 1.6);
      }
    }
    return ({ ctx }) => fills(ctx, [rims, colours.broken], [holes, colours.rockShade]);
  });
}

export function broken(model: MapModel, colours: Palette): Layer {
  const floor = region(model, 'broken', 3, 4, (ctx, path) => {
    ctx.globalAlpha = 0.8;
    ctx.fillStyle = colours.broken;
    ctx.fill(path);
    ctx.globalAlpha = 0.5;
    ctx.setLineDash([3, 3]);
    ctx.strokeStyle = colours.rockShade;
    ctx.lineWidth = 1;
    ctx.stroke(path);
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  });
  const rocks = perChunk(model, 'broken', (hexes) => {
    const [shadow, body, lit, shrub] = [new Path2D(), new Path2D(), new Path2D(), new Path2D()];
    for (const hex of hexes) {
      const next = stream(`rock ${hex.name}`);
      for (const p of spread(hex, 'broken', 17, 7)) {
        const r = 2 + next() * 4.4;
        const kind = next();
        if (nearestWay(model, hex, p).distance < 9 + r) continue;
        if (kind < 0.3) {
          dot(shrub, p.x, p.y, r * 0.7);
          continue;
        }
        const n = 5 + Math.floor(next() * 3);
        const turn = next() * 6;
        for (let i = 0; i < n; i++) {
          const angle = turn + (i / n) * Math.PI * 2;
          const length = r * (0.75 + next() * 0.5);
          const [x, y] = [p.x + Math.cos(angle) * length, p.y + Math.sin(angle) * length * 0.8];
          if (i === 0) {
            body.moveTo(x, y);
            shadow.moveTo(x + 1.2, y + 1.8);
            lit.moveTo(x - r * 0.2, y - r * 0.25);
          } else {
            body.lineTo(x, y);
            shadow.lineTo(x + 1.2, y + 1.8);
            lit.lineTo(p.x + (x - p.x) * 0.5 - r * 0.2, p.y + (y - p.y) * 0.5 - r * 0.25);
          }
        }
        body.closePath();
        shadow.closePath();
        lit.closePath();
      }
    }
    return ({ ctx }) => {
      ctx.globalAlpha = 0.55;
      fills(ctx, [shadow, colours.rockShade], [shrub, colours.canopy]);
      ctx.globalAlpha = 1;
      fills(ctx, [body, colours.rock], [lit, colours.rockLit]);
    };
  });
  return [...floor, ...rocks];
}

export function sand(model: MapModel, colours: Palette): Layer {
  const floor = region(model, 'sand', 4, 4, (ctx, path) => {
    ctx.fillStyle = colours.sand;
    ctx.fill(path);
  });
  const dots = perChunk(model, 'sand', (hexes) => {
    const path = new Path2D();
    for (const hex of hexes) {
      const next = stream(`sand ${hex.name}`);
      for (const p of spread(hex, 'sand', 6.5, 3)) dot(path, p.x, p.y, 0.5 + next() * 0.5);
    }
    return ({ ctx, scale }) => {
      if (scale > 0.4) fills(ctx, [path, colours.sandDot]);
    };
  });
  return [...floor, ...dots];
}

export function swamp(model: MapModel, colours: Palette): Layer {
  const floor = region(model, 'swamp', 4, 4, (ctx, path) => {
    ctx.fillStyle = colours.swamp;
    ctx.fill(path);
  });
  const reeds = perChunk(model, 'swamp', (hexes) => {
    const [pools, edges, reed] = [new Path2D(), new Path2D(), new Path2D()];
    for (const hex of hexes) {
      const next = stream(`swamp ${hex.name}`);
      for (const p of spread(hex, 'swamp', 19, 7)) {
        const w = 5 + next() * 6;
        pools.moveTo(p.x + w, p.y);
        pools.ellipse(p.x, p.y, w, 2.2 + next() * 1.6, 0, 0, 7);
        edges.moveTo(p.x - w - 3, p.y + 4.5);
        edges.lineTo(p.x + w - 1, p.y + 4.5);
        for (let i = -1; i <= 1; i++) {
          const x = p.x + i * 2.6 + (next() - 0.5) * 6;
          reed.moveTo(x, p.y);
          reed.lineTo(x + i * 1.5, p.y - 5.5 - next() * 2);
        }
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
  return [...floor, ...reeds];
}

export function water(model: MapModel, colours: Palette): Layer {
  const body = region(model, 'water', 3, 8, (ctx, path) => {
    ctx.fillStyle = colours.waterDeep;
    ctx.fill(path);
    ctx.save();
    ctx.clip(path);
    ctx.strokeStyle = colours.waterLit;
    for (const [width, alpha] of [
      [26, 0.22],
      [15, 0.28],
      [6, 0.4],
    ] as const) {
      ctx.globalAlpha = alpha;
      ctx.lineWidth = width;
      ctx.stroke(path);
    }
    ctx.restore();
    ctx.strokeStyle = colours.waterEdge;
    ctx.lineWidth = 1.4;
    ctx.stroke(path);
  });
  const ripples = perChunk(model, 'water', (hexes) => {
    const path = new Path2D();
    for (const hex of hexes) {
      const next = stream(`water ${hex.name}`);
      for (const p of spread(hex, 'water', 24, 12)) {
        const w = 4 + next() * 4;
        path.moveTo(p.x - w, p.y);
        path.quadraticCurveTo(p.x - w / 2, p.y - 2, p.x, p.y);
        path.quadraticCurveTo(p.x + w / 2, p.y + 2, p.x + w, p.y);
      }
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

interface House {
  x: number;
  y: number;
  w: number;
  h: number;
  angle: number;
  roof: number;
}

function drawHouses(houses: House[], colours: Palette): Item['draw'] {
  const roofs = [new Path2D(), new Path2D(), new Path2D()];
  const [shadow, lit, ridge] = [new Path2D(), new Path2D(), new Path2D()];
  for (const b of houses) {
    turnedRect(shadow, b.x + 1.5, b.y + 2, b.w + 0.6, b.h + 0.6, b.angle);
    turnedRect(roofs[b.roof]!, b.x, b.y, b.w, b.h, b.angle);
    const [c, s] = [Math.cos(b.angle), Math.sin(b.angle)];
    // The half of the roof that looks north-west is lit.
    const side = s * -0.62 - c * -0.78 > 0 ? 1 : -1;
    turnedRect(lit, b.x - -s * (side * b.h) * 0.25, b.y - c * (side * b.h) * 0.25, b.w, b.h / 2, b.angle);
    ridge.moveTo(b.x - (c * b.w) / 2, b.y - (s * b.w) / 2);
    ridge.lineTo(b.x + (c * b.w) / 2, b.y + (s * b.w) / 2);
  }
  return ({ ctx, scale }) => {
    ctx.globalAlpha = 0.45;
    fills(ctx, [shadow, colours.wall]);
    ctx.globalAlpha = 1;
    fills(ctx, [roofs[0]!, colours.roofA], [roofs[1]!, colours.roofB], [roofs[2]!, colours.roofC]);
    if (scale > 0.45) {
      ctx.globalAlpha = 0.45;
      fills(ctx, [lit, colours.roofLit]);
      ctx.globalAlpha = 0.6;
      ctx.strokeStyle = colours.wall;
      ctx.lineWidth = 0.5;
      ctx.stroke(ridge);
      ctx.globalAlpha = 1;
    }
  };
}

/** Stone houses have grey roofs, those of brick red ones; where it is not said, there are all kinds. */
function roofOf(hex: MapHex, chance: number): number {
  if (hex.terrain.includes('stone building')) return 2;
  return Math.floor(chance * (hex.terrain.includes('brick building') ? 2 : 3));
}

export function towns(model: MapModel, colours: Palette): Layer {
  const pavement = region(model, 'town', 1.5, 4, (ctx, path) => {
    ctx.fillStyle = colours.town;
    ctx.fill(path);
    ctx.strokeStyle = colours.wall;
    ctx.globalAlpha = 0.55;
    ctx.lineWidth = 1.3;
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  });
  const blocks = perChunk(model, 'town', (hexes) => {
    const houses: House[] = [];
    for (const hex of hexes) {
      const next = stream(`town ${hex.name}`);
      const c = centre(hex);
      const main = nearestWay(model, hex, c);
      const angle = main.distance < 40 ? main.angle : 0.26;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let v = -42; v <= 42; v += 12.5) {
        for (let u = -48; u <= 48;) {
          const w = 7.5 + next() * 9;
          const h = 7.5 + next() * 2;
          const x = u + w / 2;
          u += w + 1.8 + (next() < 0.18 ? 6 : 0);
          const dx = x * cos - v * sin;
          const dy = x * sin + v * cos;
          const roof = roofOf(hex, next());
          if (!inHex(dx, dy, 9.5)) continue;
          if (nearestWay(model, hex, { x: c.x + dx, y: c.y + dy }).distance < 9) continue;
          houses.push({ x: c.x + dx, y: c.y + dy, w, h, angle, roof });
        }
      }
    }
    return drawHouses(houses, colours);
  });
  return [...pavement, ...blocks];
}

export function villages(model: MapModel, colours: Palette): Layer {
  return perChunk(model, 'village', (hexes) => {
    const houses: House[] = [];
    const [gardens, trees] = [new Path2D(), new Path2D()];
    for (const hex of hexes) {
      const next = stream(`village ${hex.name}`);
      const taken: Point[] = [];
      for (const p of spread(hex, 'village', 12, 9)) {
        const near = nearestWay(model, hex, p);
        const close = near.distance < 26 || near.distance === Infinity;
        if (near.distance < 9.5 || taken.some((t) => Math.hypot(t.x - p.x, t.y - p.y) < 12.5)) continue;
        const draw = next();
        if (close && draw < 0.75) {
          taken.push(p);
          const across = next() < 0.3 ? Math.PI / 2 : 0;
          const angle = (near.distance === Infinity ? 0.3 : near.angle) + across;
          turnedRect(gardens, p.x, p.y, 17, 14, angle);
          houses.push({ x: p.x, y: p.y, w: 9 + next() * 3, h: 6.2, angle, roof: Math.floor(next() * 2.4) });
        } else if (draw > 0.8) dot(trees, p.x, p.y, 3 + next() * 1.6);
      }
    }
    const roofs = drawHouses(houses, colours);
    return (brush) => {
      brush.ctx.globalAlpha = 0.75;
      fills(brush.ctx, [gardens, colours.garden], [trees, colours.canopy]);
      brush.ctx.globalAlpha = 1;
      roofs(brush);
    };
  });
}
