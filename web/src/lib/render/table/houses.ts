/** Towns with yards and small roofs, and the buildings that the rules know, with their floors. */
import type { Point } from '../../geometry';
import type { Item, Layer, Pen } from '../layer';
import { stream } from '../noise';
import { pathOf } from '../shapes';
import { gardenTrees, type Free } from './growth';
import { grown, nearest, paces, sidesOf, within, type Feature, type TableModel } from './model';
import type { Colours } from './palette';
import { scattered } from './scatter';

/** The ground of a town, with its border. */
export function townFloors({ features }: TableModel, c: Colours): Layer {
  return features
    .filter((f) => f.look === 'town')
    .map(({ rings, box }) => {
      const path = pathOf(rings);
      return {
        box: grown(box, 8),
        draw: ({ ctx, scale }) => {
          ctx.globalAlpha = 0.92;
          ctx.fillStyle = c.town;
          ctx.fill(path, 'evenodd');
          ctx.globalAlpha = 1;
          ctx.strokeStyle = c.townRim;
          ctx.lineWidth = Math.max(3.6, 1.2 / scale);
          ctx.setLineDash([14, 6, 4, 6]);
          ctx.stroke(path);
          ctx.setLineDash([]);
        },
      };
    });
}

interface House extends Point {
  angle: number;
  long: number;
  deep: number;
  roof: number;
}

/** Houses along the roads of a town, then behind them: each with its yard, none where something is built. */
function housesOf(town: Feature, { features }: TableModel, free: Free): House[] {
  const sides = sidesOf(town.rings);
  const roads = features.filter((f) => f.look === 'road' || f.look === 'track');
  const street = roads.flatMap((road) => paces(road.way, 70).map((p) => ({ ...p, half: road.width / 2 })));
  const next = stream(town.id);
  const houses: House[] = [];
  const add = (x: number, y: number, angle: number) => {
    const p = { x, y };
    const lone = houses.every((h) => Math.hypot(h.x - x, h.y - y) > 62);
    if (!lone || !within(p, town.rings) || nearest(p, sides) < 27 || !free(p, 25)) return;
    const turn = angle + (next() - 0.5) * 0.16 + (next() < 0.28 ? Math.PI / 2 : 0);
    houses.push({
      x,
      y,
      angle: turn,
      long: 38 + next() * 18,
      deep: 25 + next() * 7,
      roof: Math.floor(next() * 3),
    });
  };
  for (const { x, y, angle, half } of street) {
    for (const side of [-1, 1]) {
      const off = (half + 32 + next() * 8) * side;
      add(x - Math.sin(angle) * off, y + Math.cos(angle) * off, angle);
    }
  }
  for (const { x, y } of scattered(town.rings, 66, 27, `houses ${town.id}`)) add(x, y, lie({ x, y }, street));
  return houses;
}

/** The direction of the nearest street. */
function lie(p: Point, street: readonly (Point & { angle: number })[]): number {
  const far = (s: Point) => Math.hypot(s.x - p.x, s.y - p.y);
  return street.reduce<{ far: number; angle: number }>(
    (best, s) => (far(s) < best.far ? { far: far(s), angle: s.angle } : best),
    { far: Infinity, angle: 0 },
  ).angle;
}

export function towns(model: TableModel, free: Free, c: Colours): Layer {
  return model.features
    .filter((f) => f.look === 'town')
    .flatMap((town) => {
      const houses = housesOf(town, model, free);
      const clear = (p: Point) => houses.every((h) => Math.hypot(h.x - p.x, h.y - p.y) > 40) && free(p, 12);
      const trees = scattered(town.rings, 66, 14, `garden ${town.id}`, clear).filter((p) => p.whim < 0.62);
      const roofs = [c.roofA, c.roofB, c.roofC];
      const village: Item = {
        box: grown(town.box, 10),
        draw: ({ ctx, scale }) => {
          if (scale > 0.2) for (const house of houses) yard(ctx, house, c);
          for (const house of houses) roof(ctx, house, roofs[house.roof]!, c);
        },
      };
      return [village, gardenTrees(trees, town.box, c)];
    });
}

function turned(ctx: Pen, { x, y, angle }: House, draw: () => void): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  draw();
  ctx.restore();
}

function yard(ctx: Pen, house: House, c: Colours): void {
  turned(ctx, house, () => {
    const [w, h] = [house.long + 22, house.deep + 24];
    ctx.fillStyle = c.yard;
    ctx.fillRect(-w / 2, -h / 2, w, h);
    ctx.strokeStyle = c.townRim;
    ctx.lineWidth = 1.4;
    ctx.globalAlpha = 0.7;
    ctx.strokeRect(-w / 2, -h / 2, w, h);
    ctx.strokeStyle = c.bed;
    ctx.lineWidth = 2.2;
    ctx.beginPath();
    for (let row = 0; row < 3; row++) {
      ctx.moveTo(-w / 2 + 4, h / 2 - 4 - row * 4);
      ctx.lineTo(w / 2 - 4, h / 2 - 4 - row * 4);
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
  });
}

/** A gabled roof: the side towards the light is bright, the other dim. */
function roof(ctx: Pen, house: House, colour: string, c: Colours): void {
  const { x, y, long, deep, angle } = house;
  turned(ctx, { ...house, x: x + 5, y: y + 6 }, () => {
    ctx.globalAlpha = 0.36;
    ctx.fillStyle = c.shade;
    ctx.fillRect(-long / 2, -deep / 2, long, deep);
    ctx.globalAlpha = 1;
  });
  turned(ctx, house, () => {
    const upper = towardsLight(Math.sin(angle), -Math.cos(angle));
    slopes(ctx, long, deep, colour, upper, c);
    ctx.strokeStyle = c.wallDark;
    ctx.lineWidth = 1.8;
    ctx.strokeRect(-long / 2, -deep / 2, long, deep);
  });
}

/** Whether a slope that falls in this direction looks to the north-west. */
const towardsLight = (x: number, y: number): boolean => x + y < 0;

function slopes(ctx: Pen, long: number, deep: number, colour: string, upper: boolean, c: Colours): void {
  ctx.fillStyle = colour;
  ctx.fillRect(-long / 2, -deep / 2, long, deep);
  ctx.fillStyle = c.lit;
  ctx.globalAlpha = 0.3;
  ctx.fillRect(-long / 2, upper ? -deep / 2 : 0, long, deep / 2);
  ctx.fillStyle = c.shade;
  ctx.globalAlpha = 0.3;
  ctx.fillRect(-long / 2, upper ? 0 : -deep / 2, long, deep / 2);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = c.plaque;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  ctx.moveTo(-long / 2, 0);
  ctx.lineTo(long / 2, 0);
  ctx.stroke();
}

/** A building of the rules: larger than a house, hipped, with one bright square for each floor. */
export function buildings({ features }: TableModel, c: Colours): Layer {
  return features
    .filter((f) => f.shape === 'building' && (f.rings[0]?.length ?? 0) >= 4)
    .map((f): Item => {
      const [p, q, r] = f.rings[0]! as [Point, Point, Point];
      const sides = [Math.hypot(q.x - p.x, q.y - p.y), Math.hypot(r.x - q.x, r.y - q.y)] as const;
      const along =
        sides[0] >= sides[1] ? Math.atan2(q.y - p.y, q.x - p.x) : Math.atan2(r.y - q.y, r.x - q.x);
      const [long, deep] = [Math.max(...sides), Math.min(...sides)];
      const middle = { x: (p.x + r.x) / 2, y: (p.y + r.y) / 2 };
      const tall = 6 + 5 * Math.max(1, f.floors);
      return {
        box: grown(f.box, tall + 6),
        draw: ({ ctx }) => building(ctx, { ...middle, angle: along, long, deep, roof: 0 }, f.floors, tall, c),
      };
    });
}

function building(ctx: Pen, house: House, floors: number, tall: number, c: Colours): void {
  const { x, y, long, deep, angle } = house;
  const [w, h] = [long / 2, deep / 2];
  turned(ctx, { ...house, x: x + tall, y: y + tall }, () => {
    ctx.globalAlpha = 0.42;
    ctx.fillStyle = c.shade;
    ctx.fillRect(-w, -h, long, deep);
    ctx.globalAlpha = 1;
  });
  turned(ctx, house, () => {
    const hip = Math.min(h, w * 0.5);
    const faces: [number, number, number[]][] = [
      [0, -1, [-w, -h, w, -h, w - hip, 0, hip - w, 0]],
      [0, 1, [w, h, -w, h, hip - w, 0, w - hip, 0]],
      [-1, 0, [-w, h, -w, -h, hip - w, 0]],
      [1, 0, [w, -h, w, h, w - hip, 0]],
    ];
    for (const [nx, ny, corners] of faces) {
      const [gx, gy] = [
        nx * Math.cos(angle) - ny * Math.sin(angle),
        nx * Math.sin(angle) + ny * Math.cos(angle),
      ];
      const lit = -(gx + gy) / Math.SQRT2;
      ctx.beginPath();
      for (let i = 0; i < corners.length; i += 2) ctx.lineTo(corners[i]!, corners[i + 1]!);
      ctx.closePath();
      ctx.fillStyle = c.roofA;
      ctx.fill();
      ctx.globalAlpha = Math.abs(lit) * 0.42;
      ctx.fillStyle = lit > 0 ? c.lit : c.shade;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.strokeStyle = c.wallDark;
      ctx.lineWidth = 1.6;
      ctx.stroke();
    }
    ctx.strokeStyle = c.wallDark;
    ctx.lineWidth = 4.5;
    ctx.strokeRect(-w, -h, long, deep);
    ctx.lineWidth = 1.6;
    for (let i = 0; i < floors; i++) {
      const at = (i - (floors - 1) / 2) * 13;
      ctx.fillStyle = c.plaque;
      ctx.fillRect(at - 4.5, -4.5, 9, 9);
      ctx.strokeRect(at - 4.5, -4.5, 9, 9);
    }
  });
}
