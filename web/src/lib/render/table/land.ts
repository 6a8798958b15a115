/** The ground itself: grass, heights with their contours and their light, and all that lies flat on it. */
import type { Point } from '../../geometry';
import type { Item, Layer } from '../layer';
import { hash, noise, stream } from '../noise';
import { pathOf } from '../shapes';
import { channels, painted } from './bitmap';
import { courseOf, grown, paces, sidesOf, type Feature, type TableModel } from './model';
import type { Colours } from './palette';
import { heights, rasterOf, shades } from './relief';
import { scattered } from './scatter';

/** Grass, lighter and darker in patches, with tufts. */
export function grass(model: TableModel, colours: Colours): Layer {
  const { box } = model;
  const raster = rasterOf(box, 5);
  const [lit, dark] = [channels(colours.groundLit), channels(colours.groundDark)];
  const mottle = painted(raster.width, raster.height, (i, j) => {
    const [x, y] = [(i * raster.step) / 64, (j * raster.step) / 64];
    const tone =
      noise(x / 5, y / 5, 1) * 0.6 + noise(x / 1.7, y / 1.7, 2) * 0.4 + noise(x * 1.6, y * 1.6, 3) * 0.3;
    return tone > 0 ? [...lit, Math.min(0.75, tone * 0.9)] : [...dark, Math.min(0.6, -tone * 0.62)];
  });
  const ground: Item = {
    box,
    draw: ({ ctx }) => {
      ctx.fillStyle = colours.ground;
      ctx.fillRect(0, 0, box.width, box.height);
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(mottle, 0, 0, raster.width * raster.step, raster.height * raster.step);
    },
  };
  return [ground, ...tufts(model, colours)];
}

const CHUNK = 512;

function tufts({ box }: TableModel, colours: Colours): Layer {
  const layer: Layer = [];
  for (let y = 0; y < box.height; y += CHUNK) {
    for (let x = 0; x < box.width; x += CHUNK) {
      const next = stream(`tufts ${x} ${y}`);
      const path = new Path2D();
      for (let n = 0; n < 80; n++) {
        const [px, py] = [x + next() * CHUNK, y + next() * CHUNK];
        for (let blade = -1; blade <= 1; blade++) {
          path.moveTo(px + blade * 2.4, py);
          path.lineTo(px + blade * 4.2 + next() * 2, py - 6 - next() * 5);
        }
      }
      layer.push({
        box: { x, y, width: CHUNK, height: CHUNK },
        draw: ({ ctx, scale }) => {
          if (scale < 0.4) return;
          ctx.globalAlpha = Math.min(0.55, (scale - 0.3) * 1.2);
          ctx.strokeStyle = colours.tuft;
          ctx.lineWidth = 1.1;
          ctx.stroke(path);
          ctx.globalAlpha = 1;
        },
      });
    }
  }
  return layer;
}

/** The ground within contours, a tint darker with each level. */
export function levels({ features }: TableModel, colours: Colours): Layer {
  const tints = [colours.level1, colours.level2, colours.level3];
  return features
    .filter((feature) => feature.shape === 'contour')
    .map(({ rings, box, level }) => {
      const path = pathOf(rings);
      const tint = tints[Math.max(0, Math.min(tints.length, level) - 1)]!;
      return {
        box,
        draw: ({ ctx }) => {
          ctx.globalAlpha = 0.8;
          ctx.fillStyle = tint;
          ctx.fill(path, 'evenodd');
          ctx.globalAlpha = 1;
        },
      };
    });
}

/** Light and shade over the whole table. */
export function light(model: TableModel, colours: Colours): Layer {
  const raster = rasterOf(model.box);
  const shade = shades(heights(model, raster), raster);
  const [lit, dark] = [channels(colours.lit), channels(colours.shade)];
  const picture = painted(raster.width, raster.height, (i, j) => {
    const tone = shade[j * raster.width + i]!;
    return tone > 0 ? [...lit, Math.min(0.8, tone * 2.4)] : [...dark, Math.min(0.55, -tone * 1.15)];
  });
  const { step, width, height } = raster;
  return [
    {
      box: model.box,
      draw: ({ ctx }) => {
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(picture, -step / 2, -step / 2, width * step, height * step);
      },
    },
  ];
}

/** The line at which a level begins, with the level's number on it. */
export function contours({ features }: TableModel, colours: Colours): Layer {
  return features
    .filter((feature) => feature.shape === 'contour')
    .map(({ rings, box, level }) => {
      const path = pathOf(rings);
      const signs = signsOf(rings[0] ?? []);
      return {
        box: grown(box, 20),
        draw: ({ ctx, scale }) => {
          ctx.strokeStyle = colours.contour;
          ctx.lineWidth = Math.max(2.4, 1.3 / scale);
          ctx.stroke(path);
          if (scale < 0.28) return;
          ctx.font = '700 19px system-ui, sans-serif';
          ctx.textAlign = 'center';
          ctx.textBaseline = 'middle';
          ctx.lineJoin = 'round';
          for (const p of signs) {
            ctx.strokeStyle = colours.level1;
            ctx.lineWidth = 8;
            ctx.strokeText(String(level), p.x, p.y);
            ctx.fillStyle = colours.crest;
            ctx.fillText(String(level), p.x, p.y);
          }
        },
      };
    });
}

/** Where the number of a level stands on its contour: to the south-west and to the north-east. */
function signsOf(ring: readonly Point[]): Point[] {
  const furthest = (way: (p: Point) => number) =>
    ring.reduce<Point | null>((best, p) => (best === null || way(p) > way(best) ? p : best), null);
  return [furthest((p) => p.y - p.x), furthest((p) => p.x - p.y)].filter((p) => p !== null);
}

/** Fields: tilled in rows along their longest side, each with the colour of its crop. */
export function fields({ features }: TableModel, colours: Colours): Layer {
  const crops = [colours.wheat, colours.clover, colours.fallow, colours.flax];
  let n = 0;
  return features
    .filter((feature) => feature.look === 'field')
    .map((feature) => field(feature, crops[n++ % crops.length]!, colours));
}

function field({ id, rings, box }: Feature, crop: string, colours: Colours): Item {
  const path = pathOf(rings);
  const [a, b] = sidesOf(rings).reduce((best, side) => (long(side) > long(best) ? side : best));
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const half = Math.hypot(box.width, box.height) / 2;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const next = stream(`field ${id}`);
  const rows = Array.from({ length: Math.ceil(half / 4) }, (_, i) => ({ v: i * 8 - half, gap: next() }));
  return {
    box,
    draw: ({ ctx, scale }) => {
      ctx.save();
      ctx.clip(path, 'evenodd');
      ctx.globalAlpha = 0.86;
      ctx.fillStyle = crop;
      ctx.fill(path, 'evenodd');
      ctx.translate(middle.x, middle.y);
      ctx.rotate(angle);
      // Far out only every second or fourth row is drawn: rows finer than the pixels would flicker.
      const every = scale > 0.4 ? 1 : scale > 0.2 ? 2 : 4;
      for (const [colour, aside, alpha] of [
        [colours.furrow, 0, 0.42],
        [colours.furrowLit, 3.2 * every, 0.4],
      ] as const) {
        ctx.beginPath();
        rows.forEach(({ v, gap }, i) => {
          if (i % every !== 0) return;
          ctx.moveTo(-half + gap * 20, v + aside);
          ctx.lineTo(half, v + aside);
        });
        ctx.globalAlpha = alpha;
        ctx.strokeStyle = colour;
        ctx.lineWidth = 2.6 * every;
        ctx.setLineDash([60, 3, 90, 2]);
        ctx.stroke();
      }
      ctx.restore();
      ctx.strokeStyle = colours.balk;
      ctx.lineWidth = Math.max(4, 1.2 / scale);
      ctx.globalAlpha = 0.9;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
    },
  };
}

const long = ([a, b]: readonly [Point, Point]): number => Math.hypot(b.x - a.x, b.y - a.y);

/** Sand with grains, and a swamp with pools: the reeds grow in it later. */
export function wastes({ features }: TableModel, colours: Colours): Layer {
  return features.flatMap((feature) => {
    if (feature.look === 'beach') return [beach(feature, colours)];
    return feature.look === 'swamp' ? [swamp(feature, colours)] : [];
  });
}

function beach({ id, rings, box }: Feature, colours: Colours): Item {
  const path = pathOf(rings);
  const grains = new Path2D();
  for (const { x, y, whim } of scattered(rings, 13, 3, `beach ${id}`)) {
    grains.moveTo(x, y);
    grains.arc(x, y, 1.1 + whim * 1.3, 0, 7);
  }
  return {
    box,
    draw: ({ ctx, scale }) => {
      ctx.fillStyle = colours.sand;
      ctx.fill(path, 'evenodd');
      ctx.fillStyle = colours.sandDot;
      if (scale > 0.3) ctx.fill(grains);
      ctx.strokeStyle = colours.duneEdge;
      ctx.lineWidth = 3;
      ctx.setLineDash([2, 8]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    },
  };
}

function swamp({ id, rings, box }: Feature, colours: Colours): Item {
  const path = pathOf(rings);
  const pools = new Path2D();
  for (const { x, y, whim } of scattered(rings, 92, 34, `pools ${id}`)) {
    pools.moveTo(x + 20 + whim * 22, y);
    pools.ellipse(x, y, 20 + whim * 22, 7 + whim * 7, 0, 0, 7);
  }
  return {
    box: grown(box, 6),
    draw: ({ ctx }) => {
      ctx.globalAlpha = 0.8;
      ctx.fillStyle = colours.swamp;
      ctx.fill(path, 'evenodd');
      ctx.globalAlpha = 1;
      ctx.fillStyle = colours.water;
      ctx.fill(pools);
      ctx.strokeStyle = colours.waterEdge;
      ctx.lineWidth = 1.6;
      ctx.stroke(pools);
      ctx.lineWidth = 3;
      ctx.setLineDash([16, 7, 3, 7]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    },
  };
}

/** Lakes and rivers: a bank, and lines along the shore. */
export function waters({ features }: TableModel, colours: Colours): Layer {
  return features
    .filter((feature) => feature.look === 'water')
    .map(({ id, rings, box }) => {
      const path = pathOf(rings);
      const ripples = new Path2D();
      for (const { x, y, whim } of scattered(rings, 74, 26, `water ${id}`)) {
        ripples.moveTo(x - 15 - whim * 8, y);
        ripples.quadraticCurveTo(x - 7, y - 6, x, y);
        ripples.quadraticCurveTo(x + 7, y + 6, x + 15 + whim * 8, y);
      }
      return {
        box: grown(box, 10),
        draw: ({ ctx, scale }) => {
          ctx.lineJoin = 'round';
          ctx.strokeStyle = colours.bank;
          ctx.lineWidth = 15;
          ctx.stroke(path);
          ctx.save();
          ctx.clip(path, 'evenodd');
          ctx.fillStyle = colours.water;
          ctx.fill(path, 'evenodd');
          for (const [width, colour, alpha] of [
            [58, colours.waterLit, 0.28],
            [30, colours.waterLit, 0.35],
            [8, colours.waterEdge, 0.9],
          ] as const) {
            ctx.globalAlpha = alpha;
            ctx.strokeStyle = colour;
            ctx.lineWidth = width;
            ctx.stroke(path);
          }
          ctx.globalAlpha = 0.8;
          ctx.strokeStyle = colours.waterLit;
          ctx.lineWidth = 2.2;
          if (scale > 0.25) ctx.stroke(ripples);
          ctx.restore();
        },
      };
    });
}

/** What has a look that this page does not know: its border, dotted, and hatching. */
export function strange({ features }: TableModel, known: ReadonlySet<string>, colours: Colours): Layer {
  return features
    .filter((feature) => !known.has(feature.look))
    .map(({ rings, way, box, id }) => {
      const path = rings.length > 0 ? pathOf(rings) : courseOf(way);
      const marks = new Path2D();
      for (const { x, y } of scattered(rings, 40, 6, `strange ${id}`)) {
        marks.moveTo(x - 6, y + 6);
        marks.lineTo(x + 6, y - 6);
      }
      return {
        box,
        draw: ({ ctx }) => {
          ctx.strokeStyle = colours.shade;
          ctx.lineWidth = 2;
          ctx.stroke(marks);
          ctx.setLineDash([4, 7]);
          ctx.lineWidth = 4;
          ctx.stroke(path);
          ctx.setLineDash([]);
        },
      };
    });
}

/** Crests, cliffs and dunes: lines with teeth downhill, to the right of their way. */
export function edges({ features }: TableModel, colours: Colours): Layer {
  return features.flatMap((feature) => {
    if (feature.look === 'crest') return [crest(feature, colours)];
    if (feature.look === 'cliff') return [cliff(feature, colours)];
    return feature.look === 'dune' ? [dune(feature, colours)] : [];
  });
}

/** A ring drawn clockwise on the screen has its outside on the left; teeth point out of it. */
function downhill(way: readonly Point[]): 1 | -1 {
  const doubled = way.reduce((sum, p, i) => {
    const q = way[(i + 1) % way.length]!;
    return sum + p.x * q.y - q.x * p.y;
  }, 0);
  const closed = Math.hypot(way[0]!.x - way.at(-1)!.x, way[0]!.y - way.at(-1)!.y) < 1;
  return closed && doubled > 0 ? -1 : 1;
}

function toothed(way: readonly Point[], pace: number, tall: number, wide: number, whims: string): Path2D {
  const side = downhill(way);
  const path = new Path2D();
  paces(way, pace).forEach(({ x, y, angle }, i) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const far = tall * (0.75 + 0.5 * hash(`${whims} ${i}`)) * side;
    path.moveTo(x - c * wide, y - s * wide);
    path.lineTo(x + c * wide, y + s * wide);
    path.lineTo(x - s * far, y + c * far);
    path.closePath();
  });
  return path;
}

function crest({ id, way, box }: Feature, colours: Colours): Item {
  const line = courseOf(way);
  const teeth = toothed(way, 22, 14, 3.2, id);
  return {
    box: grown(box, 24),
    draw: ({ ctx, scale }) => {
      ctx.strokeStyle = colours.crest;
      ctx.lineJoin = 'round';
      ctx.lineWidth = Math.max(5, 1.8 / scale);
      ctx.stroke(line);
      ctx.fillStyle = colours.crest;
      ctx.fill(teeth);
    },
  };
}

function cliff({ id, way, box }: Feature, colours: Colours): Item {
  const line = courseOf(way);
  const foot = courseOf(way, 9 * downhill(way));
  const teeth = toothed(way, 13, 26, 5.5, id);
  return {
    box: grown(box, 40),
    draw: ({ ctx }) => {
      ctx.lineJoin = 'round';
      ctx.globalAlpha = 0.35;
      ctx.strokeStyle = colours.shade;
      ctx.lineWidth = 24;
      ctx.stroke(foot);
      ctx.globalAlpha = 1;
      ctx.fillStyle = colours.cliff;
      ctx.fill(teeth);
      ctx.strokeStyle = colours.cliff;
      ctx.lineWidth = 7;
      ctx.stroke(line);
      ctx.strokeStyle = colours.stone;
      ctx.lineWidth = 2;
      ctx.stroke(line);
    },
  };
}

function dune({ id, way, box }: Feature, colours: Colours): Item {
  const line = courseOf(way);
  const slip = courseOf(way, 8 * downhill(way));
  const grains = new Path2D();
  for (const { x, y, angle } of paces(way, 7)) {
    const off = (10 + 22 * hash(`${id} ${x.toFixed(1)}`)) * downhill(way);
    const [px, py] = [x - Math.sin(angle) * off, y + Math.cos(angle) * off];
    grains.moveTo(px, py);
    grains.arc(px, py, 2, 0, 7);
  }
  return {
    box: grown(box, 40),
    draw: ({ ctx }) => {
      ctx.lineJoin = ctx.lineCap = 'round';
      ctx.strokeStyle = colours.dune;
      ctx.lineWidth = 34;
      ctx.stroke(line);
      ctx.strokeStyle = colours.duneEdge;
      ctx.lineWidth = 7;
      ctx.stroke(slip);
      ctx.fillStyle = colours.duneEdge;
      ctx.fill(grains);
      ctx.lineCap = 'butt';
    },
  };
}
