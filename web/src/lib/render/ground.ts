/** The ground: fields and grass, levels with their lit and shaded slopes. */
import type { Point } from '../geometry';
import { centre, corners, hexAt, key } from '../hexgeo';
import type { MapHex } from '../protocol';
import type { Item, Layer } from './layer';
import { nearestWay, regionOutlines, type MapModel } from './model';
import { stream, wave } from './noise';
import type { Palette } from './palette';
import { boxOf, inHex, normal, pathOf, softened, turnedRect } from './shapes';

export function sheet(model: MapModel, colours: Palette): Layer {
  const loops = regionOutlines(model, () => true);
  const path = pathOf(loops);
  return loops.length === 0
    ? []
    : [
        {
          box: model.box,
          draw: ({ ctx }) => {
            ctx.fillStyle = colours.ground;
            ctx.fill(path);
            ctx.strokeStyle = colours.edge;
            ctx.lineWidth = 2.5;
            ctx.stroke(path);
          },
        },
      ];
}

function isOpen(hex: MapHex): boolean {
  return (
    hex.playable && hex.level === 0 && hex.terrain.every((t) => t === 'clear') && !hex.gully.some(Boolean)
  );
}

/** Land that is tilled lies together; the rest is grass. */
function isTilled(p: Point): boolean {
  return wave(p.x * 0.3 + 40, p.y * 0.3 + 11) + 0.35 * wave(p.x * 0.9, p.y * 0.9 + 70) > 0.06;
}

export function fields(model: MapModel, colours: Palette): Layer {
  const mottled = model.chunks.map((chunk): Item => {
    const tufts = new Path2D();
    const mottle = new Path2D();
    for (const hex of chunk.hexes) {
      const c = centre(hex);
      const next = stream(`field ${hex.name}`);
      for (let i = 0; i < 3; i++) {
        const dx = (next() - 0.5) * 60;
        const dy = (next() - 0.5) * 60;
        const r = 10 + next() * 12;
        // Spots stay within their hex, so that none hangs over the edge of the map.
        if (!inHex(dx, dy, r)) continue;
        const [x, y] = [c.x + dx, c.y + dy];
        mottle.moveTo(x + r, y);
        mottle.ellipse(x, y, r, r * 0.55, next() * 3, 0, 7);
      }
      if (isOpen(hex) && !isTilled(c)) graze(c, next, tufts);
    }
    return {
      box: chunk.box,
      draw: ({ ctx, scale }) => {
        ctx.globalAlpha = 0.16;
        ctx.fillStyle = colours.groundDark;
        ctx.fill(mottle);
        if (scale > 0.45) {
          ctx.globalAlpha = 0.6;
          ctx.strokeStyle = colours.tuft;
          ctx.lineWidth = 0.9;
          ctx.stroke(tufts);
        }
        ctx.globalAlpha = 1;
      },
    };
  });
  return [...mottled, ...farms(model, colours)];
}

const FARM = 260;

/** Parcels run over hexsides: each farm has its own lie, and only open ground is tilled. */
function farms(model: MapModel, colours: Palette): Layer {
  const { box } = model;
  const layer: Layer = [];
  for (let fy = Math.floor(box.y / FARM); fy * FARM < box.y + box.height; fy++) {
    for (let fx = Math.floor(box.x / FARM); fx * FARM < box.x + box.width; fx++) {
      const item = farm(model, colours, fx * FARM, fy * FARM);
      if (item) layer.push(item);
    }
  }
  return layer;
}

function farm(model: MapModel, colours: Palette, left: number, top: number): Item | null {
  const next = stream(`farm ${left} ${top}`);
  const angle = (next() - 0.5) * 1.5;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middle = { x: left + FARM / 2, y: top + FARM / 2 };
  const tints = [new Path2D(), new Path2D(), new Path2D()];
  const [furrows, hedges] = [new Path2D(), new Path2D()];
  const at = (u: number, v: number): Point => ({
    x: middle.x + u * cos - v * sin,
    y: middle.y + u * sin + v * cos,
  });
  const ownGround = (p: Point) => p.x >= left && p.x < left + FARM && p.y >= top && p.y < top + FARM;
  const tillable = (p: Point) => {
    const { q, r } = hexAt(p);
    const hex = model.byPlace.get(key(q, r));
    return (
      hex !== undefined &&
      isOpen(hex) &&
      hex.links.every((l) => l === '' || nearestWay(model, hex, p).distance > 8)
    );
  };
  let any = false;
  for (let v = -FARM * 0.66; v < FARM * 0.66;) {
    const h = 21 + next() * 12;
    for (let u = -FARM * 0.66; u < FARM * 0.66;) {
      const w = 26 + next() * 26;
      const tint = tints[Math.floor(next() * 3)]!;
      const fallow = next() < 0.12;
      const c = at(u + w / 2, v + h / 2);
      const inset = 2;
      const edge = [0.5, 0, 1].flatMap((a) =>
        [0.5, 0, 1].map((b) => at(u + inset + a * (w - 2 * inset), v + inset + b * (h - 2 * inset))),
      );
      if (!fallow && isTilled(c) && edge.every((p) => ownGround(p) && tillable(p))) {
        any = true;
        turnedRect(tint, c.x, c.y, w - 1.6, h - 1.6, angle);
        turnedRect(hedges, c.x, c.y, w - 0.8, h - 0.8, angle);
        const along = next() < 0.7;
        const length = along ? h : w;
        for (let line = 3.5; line < length - 2; line += 3.2) {
          const a = along ? at(u + 2.5, v + line) : at(u + line, v + 2.5);
          const b = along ? at(u + w - 2.5, v + line) : at(u + line, v + h - 2.5);
          furrows.moveTo(a.x, a.y);
          furrows.lineTo(b.x, b.y);
        }
      }
      u += w;
    }
    v += h;
  }
  if (!any) return null;
  return {
    box: { x: left - 40, y: top - 40, width: FARM + 80, height: FARM + 80 },
    draw: ({ ctx, scale }) => {
      ctx.globalAlpha = 0.55;
      [colours.field, colours.fieldGreen, colours.fieldBrown].forEach((colour, i) => {
        ctx.fillStyle = colour;
        ctx.fill(tints[i]!);
      });
      ctx.globalAlpha = 0.35;
      ctx.strokeStyle = colours.tuft;
      ctx.lineWidth = 0.8;
      ctx.stroke(hedges);
      if (scale > 0.45) {
        ctx.globalAlpha = 0.28;
        ctx.lineWidth = 0.6;
        ctx.strokeStyle = colours.furrow;
        ctx.stroke(furrows);
      }
      ctx.globalAlpha = 1;
    },
  };
}

function graze(c: Point, next: () => number, tufts: Path2D): void {
  for (let i = 0; i < 9; i++) {
    const dx = (next() - 0.5) * 86;
    const dy = (next() - 0.5) * 76;
    if (!inHex(dx, dy, 5)) continue;
    const x = c.x + dx;
    const y = c.y + dy;
    tufts.moveTo(x - 2, y - 1.6);
    tufts.lineTo(x - 0.5, y + 1);
    tufts.moveTo(x, y - 2.6);
    tufts.lineTo(x, y + 1);
    tufts.moveTo(x + 2, y - 1.6);
    tufts.lineTo(x + 0.5, y + 1);
  }
}

const LIGHT_FROM = { x: -0.62, y: -0.78 };
const BANDS = 6;
const REACH = 21;
const SHADES = 9;

/** Each level is a terrace: filled, edged with a contour, its slopes lit from the north-west. */
export function levels(model: MapModel, colours: Palette): Layer {
  const highest = Math.max(0, ...model.data.hexes.map((h) => h.level));
  const layer: Layer = [];
  for (let level = 1; level <= highest; level++) {
    const loops = regionOutlines(model, (h) => h.level >= level).map((l) => softened(l, 3, 6));
    const fill = [colours.level1, colours.level2, colours.level3][Math.min(level, 3) - 1]!;
    const whole = pathOf(loops);
    const all = loops.flat();
    if (all.length === 0) continue;
    const relief = loops.map(reliefOf);
    layer.push({
      box: boxOf(all, REACH + 6),
      draw: ({ ctx }) => {
        for (const strips of relief) {
          strips.forEach((strip) => {
            ctx.fillStyle = strip.light > 0 ? colours.lit : colours.shade;
            ctx.globalAlpha = strip.alpha;
            ctx.fill(strip.path);
          });
        }
        ctx.globalAlpha = 1;
        ctx.fillStyle = fill;
        ctx.fill(whole);
        ctx.save();
        ctx.clip(whole);
        ctx.globalAlpha = 0.13;
        ctx.strokeStyle = colours.lit;
        for (const width of [34, 20, 9]) {
          ctx.lineWidth = width;
          ctx.stroke(whole);
        }
        ctx.restore();
        ctx.globalAlpha = 0.65;
        ctx.strokeStyle = colours.shade;
        ctx.lineWidth = 1.1;
        ctx.stroke(whole);
        ctx.globalAlpha = 1;
      },
    });
  }
  return layer;
}

interface Strip {
  path: Path2D;
  light: number;
  alpha: number;
}

function reliefOf(points: Point[]): Strip[] {
  const strips = new Map<string, Strip>();
  const normals = points.map((_, i) => normal(points, i));
  for (let i = 0; i < points.length; i++) {
    const j = (i + 1) % points.length;
    const [a, b, na, nb] = [points[i]!, points[j]!, normals[i]!, normals[j]!];
    const facing = (na.x + nb.x) * 0.5 * LIGHT_FROM.x + (na.y + nb.y) * 0.5 * LIGHT_FROM.y;
    const shade = Math.round(facing * (SHADES - 1));
    for (let band = 0; band < BANDS; band++) {
      const id = `${shade},${band}`;
      let strip = strips.get(id);
      if (!strip) {
        const strength = (Math.abs(shade) / (SHADES - 1)) * (shade > 0 ? 0.5 : 0.52) + (shade > 0 ? 0 : 0.05);
        strip = { path: new Path2D(), light: shade, alpha: strength * (1 - band / BANDS) ** 1.4 };
        strips.set(id, strip);
      }
      const near = (band / BANDS) * REACH - 1;
      const far = ((band + 1) / BANDS) * REACH - 1;
      strip.path.moveTo(a.x + na.x * near, a.y + na.y * near);
      strip.path.lineTo(b.x + nb.x * near, b.y + nb.y * near);
      strip.path.lineTo(b.x + nb.x * far, b.y + nb.y * far);
      strip.path.lineTo(a.x + na.x * far, a.y + na.y * far);
      strip.path.closePath();
    }
  }
  return [...strips.values()];
}

export function grid(model: MapModel, colours: Palette): Layer {
  return model.chunks.map((chunk): Item => {
    const path = new Path2D();
    const barred = new Path2D();
    for (const hex of chunk.hexes) {
      const points = corners(hex);
      for (let d = 0; d < 3; d++) {
        path.moveTo(points[d]!.x, points[d]!.y);
        path.lineTo(points[(d + 1) % 6]!.x, points[(d + 1) % 6]!.y);
      }
      if (!hex.playable) {
        points.forEach((p, i) => (i === 0 ? barred.moveTo(p.x, p.y) : barred.lineTo(p.x, p.y)));
        barred.closePath();
      }
    }
    return {
      box: chunk.box,
      draw: ({ ctx, scale }) => {
        ctx.globalAlpha = 0.4;
        ctx.fillStyle = colours.table;
        ctx.fill(barred);
        ctx.globalAlpha = 0.34;
        ctx.strokeStyle = colours.grid;
        ctx.lineWidth = Math.max(0.9, 0.8 / scale);
        ctx.stroke(path);
        ctx.globalAlpha = 1;
      },
    };
  });
}
