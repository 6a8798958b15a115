/** The ground: fields and grass, levels with their lit and shaded slopes. */
import { centre, corners, type Point } from '../hexgeo';
import type { MapHex } from '../protocol';
import type { Item, Layer } from './layer';
import { regionOutlines, type MapModel } from './model';
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

export function fields(model: MapModel, colours: Palette): Layer {
  return model.chunks.map((chunk): Item => {
    const tints = [new Path2D(), new Path2D(), new Path2D()];
    const furrows = new Path2D();
    const tufts = new Path2D();
    const mottle = new Path2D();
    for (const hex of chunk.hexes) {
      const c = centre(hex);
      const next = stream(`field ${hex.name}`);
      for (let i = 0; i < 3; i++) {
        const x = c.x + (next() - 0.5) * 70;
        const y = c.y + (next() - 0.5) * 60;
        const r = 12 + next() * 16;
        mottle.moveTo(x + r, y);
        mottle.ellipse(x, y, r, r * 0.55, next() * 3, 0, 7);
      }
      if (isOpen(hex)) {
        const tilled = wave(c.x * 0.35 + 40, c.y * 0.35) > 0.12;
        if (tilled) plough(hex, c, tints, furrows);
        else graze(c, next, tufts);
      }
    }
    return {
      box: chunk.box,
      draw: ({ ctx, scale }) => {
        ctx.globalAlpha = 0.16;
        ctx.fillStyle = colours.groundDark;
        ctx.fill(mottle);
        ctx.globalAlpha = 0.6;
        [colours.field, colours.fieldGreen, colours.fieldBrown].forEach((colour, i) => {
          ctx.fillStyle = colour;
          ctx.fill(tints[i]!);
        });
        if (scale > 0.45) {
          ctx.globalAlpha = 0.32;
          ctx.lineWidth = 0.6;
          ctx.strokeStyle = colours.furrow;
          ctx.stroke(furrows);
          ctx.globalAlpha = 0.7;
          ctx.strokeStyle = colours.tuft;
          ctx.lineWidth = 0.9;
          ctx.stroke(tufts);
        }
        ctx.globalAlpha = 1;
      },
    };
  });
}

function plough(hex: MapHex, c: Point, tints: Path2D[], furrows: Path2D): void {
  // Neighbouring fields share the lie of the land.
  const angle = wave(c.x * 0.2, c.y * 0.2) * 1.1;
  const next = stream(`plough ${hex.name}`);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  for (let column = -1; column <= 1; column++) {
    for (let row = -1; row <= 1; row++) {
      const w = 22 + next() * 9;
      const h = 16 + next() * 8;
      const u = column * 29 + (next() - 0.5) * 4;
      const v = row * 22 + (next() - 0.5) * 4;
      const dx = u * cos - v * sin;
      const dy = u * sin + v * cos;
      const skip = next() < 0.22;
      const tint = tints[Math.floor(next() * 3)]!;
      if (skip || !inHex(dx, dy, 17)) continue;
      turnedRect(tint, c.x + dx, c.y + dy, w, h, angle);
      for (let line = -h / 2 + 2; line < h / 2; line += 3) {
        const ax = -w / 2 + 1;
        const bx = w / 2 - 1;
        furrows.moveTo(c.x + dx + ax * cos - line * sin, c.y + dy + ax * sin + line * cos);
        furrows.lineTo(c.x + dx + bx * cos - line * sin, c.y + dy + bx * sin + line * cos);
      }
    }
  }
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
