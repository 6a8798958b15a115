/** The ground: grass and fields, levels with their contours, and the light on them. */
import type { Point } from '../geometry';
import { corners, hexAt, key, neighbour } from '../hexgeo';
import type { MapHex } from '../protocol';
import type { Item, Layer } from './layer';
import { STEP } from './land';
import { has, nearestWay, type MapModel } from './model';
import { fbm, noise } from './noise';
import type { Palette } from './palette';
import { furrows, inset, parcels, type Parcel } from './parcels';
import { boxOf, pathOf, smooth } from './shapes';
import { toned } from './table/bitmap';
import { shades } from './table/relief';

/** Map units to a pixel of the mottle. */
const MOTTLE = 14;

/** Grass, lighter and darker in patches. */
export function sheet(model: MapModel, colours: Palette): Layer {
  const { sheet: box } = model;
  const [width, height] = [Math.ceil(box.width / MOTTLE) + 1, Math.ceil(box.height / MOTTLE) + 1];
  const mottle = toned(width, height, [colours.groundLit, colours.groundDark], (i, j) => {
    const [x, y] = [i * MOTTLE, j * MOTTLE];
    const tone = noise(x / 190, y / 190, 1) * 0.55 + noise(x / 40, y / 40, 2) * 0.35;
    return tone > 0 ? Math.min(0.7, tone) : Math.max(-0.5, tone * 0.7);
  });
  return [
    {
      box,
      draw: ({ ctx }) => {
        ctx.fillStyle = colours.ground;
        ctx.fillRect(box.x, box.y, box.width, box.height);
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(mottle, box.x, box.y, width * MOTTLE, height * MOTTLE);
      },
    },
  ];
}

const isOpen = (hex: MapHex): boolean =>
  hex.level === 0 && hex.terrain.every((t) => t === 'clear') && !hex.gully.some(Boolean);

/** Land that is tilled lies together, near villages first; the rest is grass. */
function isTilled(p: Point): boolean {
  return fbm(p.x / 300 + 7, p.y / 300 + 3, 21) + 0.3 * fbm(p.x / 70, p.y / 70, 22) > 0.02;
}

/** All land in parcels: those that are tilled are drawn, and those under crops. */
export function allParcels(model: MapModel): Parcel[] {
  const { id } = model.data;
  return parcels(model.land.box, { size: 2200, lie: (p) => lieOf(model, p), seed: `fields ${id}` });
}

/** The fields of open land. They have no effect in any rules, and are as pale as that says. */
export function fields(model: MapModel, all: readonly Parcel[], colours: Palette): Layer {
  const { land } = model;
  const open = land.share('open', isOpen);
  const tilled = all.filter(
    ({ middle, corners: at, whim }) =>
      whim > 0.1 &&
      isTilled(middle) &&
      land.at(open, middle) > 0.6 &&
      at.every((p) => land.at(open, p) > 0.3),
  );
  return grouped(tilled).map((group) => tilledLand(group, colours));
}

/** The lie of the land: along the nearest road, else along the slope. */
function lieOf(model: MapModel, p: Point): number | null {
  const { q, r } = hexAt(p);
  const hex = model.byPlace.get(key(q, r));
  if (!hex) return null;
  const near = [hex, ...model.around(hex)].map((h) => nearestWay(model, h, p));
  const way = near.reduce((best, found) => (found.distance < best.distance ? found : best));
  if (way.distance < 110) return way.angle;
  const height = model.heights;
  const [dx, dy] = [
    model.land.at(height, { x: p.x + 40, y: p.y }) - model.land.at(height, { x: p.x - 40, y: p.y }),
    model.land.at(height, { x: p.x, y: p.y + 40 }) - model.land.at(height, { x: p.x, y: p.y - 40 }),
  ];
  return Math.hypot(dx, dy) > 0.15 ? Math.atan2(dx, -dy) : null;
}

const GROUP = 500;

/** Parcels that lie together, so that a tile draws only those that it shows. */
function grouped(all: readonly Parcel[]): Parcel[][] {
  const groups = new Map<string, Parcel[]>();
  for (const parcel of all) {
    const at = `${Math.floor(parcel.middle.x / GROUP)},${Math.floor(parcel.middle.y / GROUP)}`;
    const group = groups.get(at);
    if (group) group.push(parcel);
    else groups.set(at, [parcel]);
  }
  return [...groups.values()];
}

function tilledLand(group: readonly Parcel[], colours: Palette): Item {
  const crops = [colours.field, colours.fieldGreen, colours.fieldBrown, colours.fieldPale];
  const tints = crops.map((_, n) => {
    const own = group.filter(({ whim }) => Math.floor(whim * 97) % crops.length === n);
    return pathOf(own.map((parcel) => inset(parcel, 1)));
  });
  const [rows, balks] = [new Path2D(), pathOf(group.map((parcel) => parcel.corners))];
  for (const { corners: at, angle } of group) {
    for (const [a, b] of furrows(at, angle, 4)) {
      rows.moveTo(a.x, a.y);
      rows.lineTo(b.x, b.y);
    }
  }
  return {
    box: boxOf(
      group.flatMap((parcel) => parcel.corners),
      3,
    ),
    draw: ({ ctx, scale }) => {
      ctx.globalAlpha = 0.62;
      tints.forEach((path, n) => {
        ctx.fillStyle = crops[n]!;
        ctx.fill(path);
      });
      ctx.globalAlpha = 0.3;
      ctx.strokeStyle = colours.tuft;
      ctx.lineWidth = 1.2;
      ctx.stroke(balks);
      if (scale > 0.45) {
        ctx.globalAlpha = 0.2;
        ctx.lineWidth = 0.7;
        ctx.strokeStyle = colours.furrow;
        ctx.stroke(rows);
      }
      ctx.globalAlpha = 1;
    },
  };
}

/** Standing crops: fields as well, but golden, close and with strong rows, for the rules know them. */
export function crops(model: MapModel, all: readonly Parcel[], colours: Palette): Layer {
  const { land } = model;
  if (!model.data.hexes.some((hex) => has(hex, 'crops'))) return [];
  const share = land.share('crops', (hex) => has(hex, 'crops'));
  const loops = land.borders(share);
  if (loops.length === 0) return [];
  const whole = smooth(loops);
  const [floor, ripe, rows, balks] = [whole, new Path2D(), new Path2D(), new Path2D()];
  const standing = all.filter(
    ({ corners: at, middle }) => land.at(share, middle) > 0.3 || at.some((p) => land.at(share, p) > 0.3),
  );
  for (const parcel of standing) {
    if (parcel.whim < 0.5) ripe.addPath(pathOf([inset(parcel, 1)]));
    balks.addPath(pathOf([parcel.corners]));
    for (const [a, b] of furrows(inset(parcel, 2), parcel.angle, 5)) {
      rows.moveTo(a.x, a.y);
      rows.lineTo(b.x, b.y);
    }
  }
  return [
    {
      box: boxOf(loops.flat(), 4),
      draw: ({ ctx, scale }) => {
        ctx.save();
        ctx.clip(whole);
        ctx.fillStyle = colours.crops;
        ctx.fill(floor);
        ctx.fillStyle = colours.cropsRipe;
        ctx.fill(ripe);
        ctx.strokeStyle = colours.cropRow;
        if (scale > 0.35) {
          ctx.lineWidth = 1.7;
          ctx.setLineDash([11, 1.2]);
          ctx.stroke(rows);
          ctx.setLineDash([]);
        }
        ctx.lineWidth = 1.8;
        ctx.globalAlpha = 0.8;
        ctx.stroke(balks);
        ctx.restore();
        ctx.strokeStyle = colours.cropRow;
        ctx.lineWidth = 1.5;
        ctx.stroke(whole);
      },
    },
  ];
}

/** The tints of the levels, one darker than the other; what lies below level ground is bare earth. */
export function levels(steps: readonly Step[], colours: Palette): Layer {
  const tints = [colours.level1, colours.level2, colours.level3];
  return steps.map(({ level, loops }): Item => {
    const path = smooth(loops);
    return {
      box: boxOf(loops.flat(), 4),
      draw: ({ ctx }) => {
        ctx.fillStyle = level <= 0 ? colours.gully : tints[Math.min(level, tints.length) - 1]!;
        ctx.fill(path);
      },
    };
  });
}

export interface Step {
  level: number;
  loops: Point[][];
}

/** The border of each level above the ground, and of each depth below it. */
export function stepsOf(model: MapModel): Step[] {
  const { land, data } = model;
  const all = [...new Set(data.hexes.map((hex) => hex.level))].sort((a, b) => a - b);
  return all
    .filter((level) => level !== 0)
    .map((level) => {
      const member = level > 0 ? (h: MapHex) => h.level >= level : (h: MapHex) => h.level <= level;
      return { level, loops: land.borders(land.share(`level ${level}`, member)) };
    })
    .filter(({ loops }) => loops.length > 0);
}

/** How much the ground is ruffled where it rises, in levels. */
const RUFFLED = 0.16;
/** Samples of the land to a pixel of the light. */
const COARSE = 1;

/** Light and shade from the north-west over the whole sheet. */
export function light(model: MapModel, colours: Palette): Layer {
  const { land, heights } = model;
  const [width, height] = [Math.ceil(land.width / COARSE), Math.ceil(land.height / COARSE)];
  const step = STEP * COARSE;
  const rough = new Float32Array(width * height);
  for (let j = 0, n = 0; j < height; j++) {
    for (let i = 0; i < width; i++, n++) {
      const h = heights[j * COARSE * land.width + i * COARSE]!;
      const ruffled = h === 0 ? 0 : RUFFLED * Math.min(1, Math.abs(h));
      rough[n] = h + (ruffled && ruffled * fbm((i * step) / 42, (j * step) / 42, 31));
    }
  }
  const shade = shades(rough, { width, height, step: step * 1.3 });
  const picture = toned(width, height, [colours.lit, colours.shade], (i, j) => {
    const tone = shade[j * width + i]!;
    return tone > 0 ? Math.min(0.55, tone * 1.6) : Math.max(-0.38, tone * 0.66);
  });
  const { x, y } = land.box;
  return [
    {
      box: land.box,
      draw: ({ ctx }) => {
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(picture, x - step / 2, y - step / 2, width * step, height * step);
      },
    },
  ];
}

/** The line at which each level begins; into what lies below level ground teeth point. */
export function contours(steps: readonly Step[], colours: Palette): Layer {
  return steps.map(({ level, loops }): Item => {
    const path = smooth(loops);
    const teeth = level < 0 ? combs(loops) : null;
    return {
      box: boxOf(loops.flat(), 12),
      draw: ({ ctx, scale }) => {
        ctx.strokeStyle = colours.contour;
        ctx.globalAlpha = 0.9;
        ctx.lineWidth = Math.max(level % 2 === 0 ? 2 : 1.6, 1 / scale);
        ctx.stroke(path);
        if (teeth) {
          ctx.lineWidth = 1.1;
          ctx.stroke(teeth);
        }
        ctx.globalAlpha = 1;
      },
    };
  });
}

/** Short lines into an outline. */
function combs(loops: readonly Point[][]): Path2D {
  const path = new Path2D();
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i += 2) {
      const [a, b] = [loop[i]!, loop[(i + 2) % loop.length]!];
      const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      path.moveTo(a.x, a.y);
      path.lineTo(a.x - ((b.y - a.y) / far) * 6, a.y + ((b.x - a.x) / far) * 6);
    }
  }
  return path;
}

export function grid(model: MapModel, colours: Palette): Layer {
  return model.chunks.map((chunk): Item => {
    const path = new Path2D();
    const barred = new Path2D();
    for (const hex of chunk.hexes) {
      const points = corners(hex);
      for (let d = 0; d < 6; d++) {
        const { q, r } = neighbour(hex, d);
        if (d > 2 && model.byPlace.has(key(q, r))) continue;
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
        ctx.globalAlpha = 0.3;
        ctx.fillStyle = colours.table;
        ctx.fill(barred);
        ctx.globalAlpha = 0.4;
        ctx.strokeStyle = colours.grid;
        ctx.lineWidth = Math.max(0.9, 0.8 / scale);
        ctx.stroke(path);
        ctx.globalAlpha = 1;
      },
    };
  });
}
