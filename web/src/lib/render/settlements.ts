/** Villages and towns: houses along the roads, yards behind them, a church where the board's drawing has one. */
import type { Point } from '../geometry';
import { centre, hexAt, key } from '../hexgeo';
import type { MapHex } from '../protocol';
import { loneTrees, roomAt } from './cover';
import { fills, type Item, type Layer } from './layer';
import { has, nearestWay, pointOn, type MapModel, type Way } from './model';
import { stream, whim } from './noise';
import type { Palette } from './palette';
import type { Parcel } from './parcels';
import { strewn, type Spot } from './scatter';
import { boxOf, smooth, turnedRect } from './shapes';

interface House {
  x: number;
  y: number;
  w: number;
  h: number;
  angle: number;
  roof: number;
  /** A second roof across the first. */
  wing: boolean;
}

interface Yard {
  x: number;
  y: number;
  w: number;
  h: number;
  angle: number;
}

export interface Church extends Point {
  angle: number;
}

interface Kind {
  terrain: string;
  /** From one house to the next along a road. */
  pace: number;
  /** How deep the houses stand behind the road, in rows. */
  deep: number;
  /** How many of the places behind the road are built on. */
  filled: number;
  seed: number;
}

const TOWN: Kind = { terrain: 'town', pace: 11, deep: 10.5, filled: 0.2, seed: 410 };
const VILLAGE: Kind = { terrain: 'village', pace: 15.5, deep: 13, filled: 0.34, seed: 420 };
/** Half a road and the ditch beside it. */
const VERGE = 6.2;

const ROADS: readonly Way['kind'][] = ['highway', 'road', 'track'];

const settled = (hex: MapHex): boolean => has(hex, 'town') || has(hex, 'village');

/** What the houses of a place must leave free. */
class Ground {
  private readonly taken = new Map<string, { at: Point; r: number }[]>();

  constructor(
    private readonly model: MapModel,
    private readonly terrain: string,
  ) {}

  take(at: Point, r: number): void {
    const id = this.cell(at);
    this.taken.set(id, [...(this.taken.get(id) ?? []), { at, r }]);
  }

  isFree(at: Point, r: number, least = 0.52): boolean {
    const { land } = this.model;
    const share = land.share(this.terrain, (hex) => has(hex, this.terrain));
    if (land.at(share, at) < least || roomAt(this.model, at) < VERGE + r * 0.62) return false;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const near = this.taken.get(this.cell({ x: at.x + dx * 30, y: at.y + dy * 30 })) ?? [];
        if (near.some((other) => Math.hypot(other.at.x - at.x, other.at.y - at.y) < other.r + r))
          return false;
      }
    }
    return true;
  }

  private cell({ x, y }: Point): string {
    return `${Math.floor(x / 30)},${Math.floor(y / 30)}`;
  }
}

interface Place {
  houses: House[];
  yards: Yard[];
  trees: Spot[];
}

/** Stone houses have grey roofs, those of brick red ones; where it is not said, there are all kinds. */
function roofOf(hex: MapHex | undefined, chance: number): number {
  if (hex?.terrain.includes('stone building')) return 2;
  return Math.floor(chance * (hex?.terrain.includes('brick building') ? 2 : 2.6));
}

function built(
  model: MapModel,
  kind: Kind,
  hexes: MapHex[],
  parcels: readonly Parcel[],
  churches: readonly Church[],
): Place {
  const ground = new Ground(model, kind.terrain);
  for (const church of churches) ground.take(church, 15);
  const place: Place = { houses: [], yards: [], trees: [] };
  for (const hex of hexes) alongRoads(model, kind, hex, ground, place);
  const share = model.land.share(kind.terrain, (hex) => has(hex, kind.terrain));
  const box = boxOf(hexes.map(centre), 70);
  for (const block of blocksIn(model, kind, hexes, parcels)) alongBlock(model, block, ground, place);
  for (const p of strewn(model, box, share, kind.pace * 0.82, kind.seed)) {
    const lie = lieAt(model, p);
    const long = 5.5 + p.whim * 5;
    if (p.other < kind.filled && ground.isFree(p, long * 0.56)) {
      const { x, y } = p;
      const angle = lie + (p.whim < 0.3 ? Math.PI / 2 : 0) + (p.other - 0.5) * 0.1;
      const roof = roofOf(hexOf(model, p), p.whim);
      ground.take(p, long * 0.56);
      place.houses.push({ x, y, w: long, h: 4.6 + p.other * 1.6, angle, roof, wing: false });
    } else if (p.other > 0.72 && ground.isFree(p, 3)) {
      ground.take(p, 3);
      place.trees.push(p);
    }
  }
  return place;
}

/** The blocks of a town between its lanes: villages have none. */
function blocksIn(
  model: MapModel,
  kind: Kind,
  hexes: readonly MapHex[],
  parcels: readonly Parcel[],
): readonly Parcel[] {
  if (kind !== TOWN) return [];
  const mine = new Set(hexes);
  return parcels.filter(({ middle }) => mine.has(hexOf(model, middle)!));
}

/** Half a lane and half a house. */
const LANE = 5.4;

/** Houses with their eaves to the lanes round a block. */
function alongBlock(model: MapModel, { corners, middle }: Parcel, ground: Ground, place: Place): void {
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
    const inner = (middle.x - a.x) * -along.y + (middle.y - a.y) * along.x > 0 ? 1 : -1;
    for (let far = LANE + 1; far < length - LANE;) {
      const own = whim(Math.round(a.x + far), Math.round(a.y - far), 440);
      const long = 6 + own * 4.5;
      const off = (LANE + own * 0.8) * inner;
      const on = far + long / 2;
      const at = { x: a.x + along.x * on - along.y * off, y: a.y + along.y * on + along.x * off };
      far += long + 0.6;
      if (!ground.isFree(at, long * 0.42)) continue;
      ground.take(at, long * 0.42);
      const roof = roofOf(hexOf(model, at), (own * 7) % 1);
      place.houses.push({ ...at, w: long, h: 5.4, angle: Math.atan2(along.y, along.x), roof, wing: false });
    }
  });
}

function hexOf(model: MapModel, p: Point): MapHex | undefined {
  const { q, r } = hexAt(p);
  return model.byPlace.get(key(q, r));
}

function lieAt(model: MapModel, p: Point): number {
  const hex = hexOf(model, p);
  if (!hex) return 0.2;
  const near = [hex, ...model.around(hex)].map((h) => nearestWay(model, h, p));
  const way = near.reduce((best, found) => (found.distance < best.distance ? found : best));
  return way.distance < 140 ? way.angle : 0.2;
}

/** Houses with their gable or their eaves to the road, and a yard behind each. */
function alongRoads(model: MapModel, kind: Kind, hex: MapHex, ground: Ground, place: Place): void {
  const next = stream(`${kind.terrain} ${hex.name}`);
  const roads = (model.ways.get(hex.name) ?? []).filter(({ kind: is }) => ROADS.includes(is));
  for (const curve of roads.flatMap((way) => way.curves)) {
    const [a, , , d] = curve;
    const steps = Math.max(2, Math.round((Math.hypot(a.x - d.x, a.y - d.y) * 1.06) / kind.pace));
    for (let i = 0; i < steps; i++) {
      const t = (i + 0.5 + (next() - 0.5) * 0.3) / steps;
      const [p, q] = [pointOn(curve, t), pointOn(curve, Math.min(1, t + 0.02))];
      const angle = Math.atan2(q.y - p.y, q.x - p.x);
      for (const side of [-1, 1]) {
        const gable = next() < 0.35;
        const [w, h] = [7.4 + next() * 3.4, 5.2 + next() * 1.2];
        const off = side * (VERGE + (gable ? w : h) / 2 + 1 + next() * 1.5);
        const at = { x: p.x - Math.sin(angle) * off, y: p.y + Math.cos(angle) * off };
        if (!ground.isFree(at, w * 0.48)) continue;
        ground.take(at, w * 0.48);
        const turn = angle + (gable ? Math.PI / 2 : 0) + (next() - 0.5) * 0.08;
        const wing = next() < 0.26;
        place.houses.push({ ...at, w, h, angle: turn, roof: roofOf(hex, next()), wing });
        const back = off + side * (kind.deep * 0.5 + (gable ? w : h) / 2);
        const yard = { x: p.x - Math.sin(angle) * back, y: p.y + Math.cos(angle) * back };
        place.yards.push({ ...yard, w: kind.pace - 1.5, h: kind.deep, angle });
      }
    }
  }
}

/** Where a church stands: beside the road of its hex, its choir to the east. */
export function churchesOf(model: MapModel): Church[] {
  return model.data.hexes
    .filter((hex) => model.drawing.churches.has(hex.name) && settled(hex))
    .map((hex) => {
      const c = centre(hex);
      const spots = Array.from({ length: 48 }, (_, i) => {
        const [turn, far] = [i * 2.4, 4 + i * 0.55];
        return { x: c.x + Math.cos(turn) * far, y: c.y + Math.sin(turn) * far };
      });
      const best = spots.find((p) => roomAt(model, p) > 17) ?? c;
      return { ...best, angle: (whim(hex.q, hex.r, 430) - 0.5) * 0.4 };
    });
}

/** The pavement of towns. */
export function townFloors(model: MapModel, colours: Palette): Layer {
  const share = model.land.share('town', (hex) => has(hex, 'town'));
  const loops = model.land.borders(share);
  if (loops.length === 0) return [];
  const path = smooth(loops);
  return [
    {
      box: boxOf(loops.flat(), 4),
      draw: ({ ctx }) => {
        ctx.fillStyle = colours.town;
        ctx.fill(path);
        ctx.strokeStyle = colours.wall;
        ctx.globalAlpha = 0.4;
        ctx.lineWidth = 1.2;
        ctx.stroke(path);
        ctx.globalAlpha = 1;
      },
    },
  ];
}

export function settlements(model: MapModel, parcels: readonly Parcel[], colours: Palette): Layer {
  const churches = churchesOf(model);
  const places = [TOWN, VILLAGE].flatMap((kind) =>
    model.chunks.flatMap((chunk): Item[] => {
      const hexes = chunk.hexes.filter((hex) => has(hex, kind.terrain));
      if (hexes.length === 0) return [];
      return [{ box: chunk.box, draw: drawPlace(built(model, kind, hexes, parcels, churches), colours) }];
    }),
  );
  return [...places, ...churches.map((church) => churchItem(church, colours))];
}

function drawPlace({ houses, yards, trees }: Place, colours: Palette): Item['draw'] {
  const [gardens, beds] = [new Path2D(), new Path2D()];
  for (const { x, y, w, h, angle } of yards) {
    turnedRect(gardens, x, y, w, h, angle);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let row = -h / 2 + 2; row < h / 2 - 1; row += 2.4) {
      beds.moveTo(x - (c * w) / 2 - s * row, y - (s * w) / 2 + c * row);
      beds.lineTo(x + (c * w) / 2 - s * row, y + (s * w) / 2 + c * row);
    }
  }
  const roofs = drawHouses(houses, colours);
  const orchard = loneTrees(trees, 3.6, colours);
  return (brush) => {
    const { ctx, scale } = brush;
    ctx.globalAlpha = 0.8;
    fills(ctx, [gardens, colours.garden]);
    ctx.strokeStyle = colours.bush;
    ctx.lineWidth = 0.8;
    if (scale > 0.45) {
      ctx.globalAlpha = 0.5;
      ctx.stroke(beds);
      ctx.stroke(gardens);
    }
    ctx.globalAlpha = 1;
    orchard(brush);
    roofs(brush);
  };
}

function drawHouses(houses: readonly House[], colours: Palette): Item['draw'] {
  const roofs = [new Path2D(), new Path2D(), new Path2D()];
  const [shadow, lit, ridge] = [new Path2D(), new Path2D(), new Path2D()];
  const put = (x: number, y: number, w: number, h: number, angle: number, roof: number) => {
    turnedRect(shadow, x + 1.6, y + 2.1, w + 0.4, h + 0.4, angle);
    turnedRect(roofs[roof]!, x, y, w, h, angle);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    // The half of the roof that looks north-west is lit.
    const side = s * -0.62 - c * -0.78 > 0 ? 1 : -1;
    turnedRect(lit, x + s * side * h * 0.25, y - c * side * h * 0.25, w, h / 2, angle);
    ridge.moveTo(x - (c * w) / 2, y - (s * w) / 2);
    ridge.lineTo(x + (c * w) / 2, y + (s * w) / 2);
  };
  for (const { x, y, w, h, angle, roof, wing } of houses) {
    put(x, y, w, h, angle, roof);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    if (wing)
      put(
        x + c * w * 0.32 - s * h * 0.6,
        y + s * w * 0.32 + c * h * 0.6,
        h * 0.9,
        h * 0.7,
        angle + Math.PI / 2,
        roof,
      );
  }
  const walls = roofs.reduce((all, path) => (all.addPath(path), all), new Path2D());
  return ({ ctx, scale }) => {
    ctx.globalAlpha = 0.4;
    fills(ctx, [shadow, colours.wall]);
    ctx.globalAlpha = 1;
    fills(ctx, [roofs[0]!, colours.roofA], [roofs[1]!, colours.roofB], [roofs[2]!, colours.roofC]);
    if (scale < 0.45) return;
    ctx.globalAlpha = 0.45;
    fills(ctx, [lit, colours.roofLit]);
    ctx.strokeStyle = colours.wall;
    ctx.lineWidth = 0.6;
    ctx.globalAlpha = 0.75;
    ctx.stroke(walls);
    ctx.lineWidth = 0.5;
    ctx.stroke(ridge);
    ctx.globalAlpha = 1;
  };
}

/** A nave with a choir and a tower with a cross, in a walled churchyard with trees. */
function churchItem({ x, y, angle }: Church, colours: Palette): Item {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const at = (u: number, v: number): [number, number] => [x + u * c - v * s, y + u * s + v * c];
  const [yard, shadow, nave, lit, tower, spire, cross] = Array.from({ length: 7 }, () => new Path2D()) as [
    Path2D,
    Path2D,
    Path2D,
    Path2D,
    Path2D,
    Path2D,
    Path2D,
  ];
  turnedRect(yard, x, y, 29, 21, angle);
  const body = (to: Path2D, off: number) => {
    turnedRect(to, at(1, 0)[0] + off, at(1, 0)[1] + off * 1.3, 15, 7.4, angle);
    const [ax, ay] = at(8.4, 0);
    to.moveTo(ax + off + 3.4, ay + off * 1.3);
    to.arc(ax + off, ay + off * 1.3, 3.4, 0, 7);
  };
  body(shadow, 2);
  turnedRect(shadow, at(-8, 0)[0] + 3.4, at(-8, 0)[1] + 4.4, 7.6, 7.6, angle);
  body(nave, 0);
  turnedRect(lit, ...at(1, -1.85), 15, 3.7, angle);
  turnedRect(tower, ...at(-8, 0), 7.6, 7.6, angle);
  spire.moveTo(...at(-11.8, -3.8));
  spire.lineTo(...at(-8, 0));
  spire.lineTo(...at(-4.2, -3.8));
  spire.closePath();
  const [tx, ty] = at(-8, 0);
  cross.moveTo(tx, ty - 5);
  cross.lineTo(tx, ty + 4);
  cross.moveTo(tx - 3, ty - 2);
  cross.lineTo(tx + 3, ty - 2);
  const spots = [
    [-12, -7.5],
    [-3, -8],
    [5, -8],
    [12, -7],
    [12, 7.4],
    [3, 8],
  ].map(([u, v], i) => ({ x: at(u!, v!)[0], y: at(u!, v!)[1], whim: i / 6, other: (i * 0.37) % 1 }));
  const trees = loneTrees(spots, 2.7, colours);
  return {
    box: boxOf([{ x, y }], 26),
    draw: (brush) => {
      const { ctx } = brush;
      fills(ctx, [yard, colours.garden]);
      ctx.strokeStyle = colours.wall;
      ctx.lineWidth = 0.9;
      ctx.stroke(yard);
      ctx.globalAlpha = 0.45;
      fills(ctx, [shadow, colours.wall]);
      ctx.globalAlpha = 1;
      trees(brush);
      fills(ctx, [nave, colours.roofC]);
      ctx.globalAlpha = 0.5;
      fills(ctx, [lit, colours.roofLit]);
      ctx.globalAlpha = 1;
      fills(ctx, [tower, colours.wall]);
      ctx.globalAlpha = 0.4;
      fills(ctx, [spire, colours.roofLit]);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colours.wall;
      ctx.lineWidth = 0.8;
      ctx.stroke(nave);
      ctx.strokeStyle = colours.nameHalo;
      ctx.lineWidth = 1.5;
      ctx.stroke(cross);
    },
  };
}
