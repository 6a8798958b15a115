/** Hexsides that matter to the rules, each with a mark of its own, told apart by form as well as colour. */
import { centre, corners, key, neighbour } from '../hexgeo';
import type { Item, Layer } from './layer';
import type { MapModel } from './model';
import type { Palette } from './palette';

type Mark = 'bar' | 'hachure' | 'double' | 'dots' | 'teeth';

const MARKS: Record<string, Mark> = {
  woods: 'bar',
  town: 'bar',
  broken: 'dots',
  slope: 'hachure',
  hilltop: 'double',
  cliff: 'teeth',
  escarpment: 'teeth',
};

function colourOf(kind: string, colours: Palette): string {
  const known: Record<string, string> = {
    woods: colours.woodsRim,
    town: colours.wall,
    broken: colours.rockShade,
    slope: colours.shade,
    hilltop: colours.shade,
  };
  return known[kind] ?? colours.cliff;
}

export function sides(model: MapModel, colours: Palette): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const lines = new Map<string, Path2D>();
    for (const hex of chunk.hexes) {
      const points = corners(hex);
      const c = centre(hex);
      for (let d = 0; d < 6; d++) {
        const other = neighbour(hex, d);
        const beyond = model.byPlace.get(key(other.q, other.r));
        // Each side is drawn once, by the upper hex if it is named in both.
        const here = hex.sides[d] ?? [];
        const there = beyond?.sides[(d + 3) % 6] ?? [];
        const kinds =
          d < 3 || !beyond
            ? new Set([...here, ...there])
            : new Set(here.filter((k) => !there.includes(k) && d >= 3));
        for (const kind of kinds) {
          if (d >= 3 && beyond) continue;
          let path = lines.get(kind);
          if (!path) lines.set(kind, (path = new Path2D()));
          const a = points[d]!;
          const b = points[(d + 1) % 6]!;
          const m = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
          const length = Math.hypot(m.x - c.x, m.y - c.y);
          const down = (beyond?.level ?? hex.level) <= hex.level ? 1 : -1;
          const n = { x: ((m.x - c.x) / length) * down, y: ((m.y - c.y) / length) * down };
          mark(path, MARKS[kind] ?? 'bar', a, b, n);
        }
      }
    }
    if (lines.size === 0) return [];
    return [
      {
        box: chunk.box,
        draw: ({ ctx }) => {
          ctx.lineCap = 'round';
          for (const [kind, path] of lines) {
            const form = MARKS[kind] ?? 'bar';
            ctx.strokeStyle = colourOf(kind, colours);
            ctx.globalAlpha = form === 'teeth' ? 1 : form === 'bar' ? 0.8 : 0.7;
            ctx.lineWidth = form === 'bar' ? 2.6 : form === 'teeth' ? 2 : form === 'dots' ? 2.4 : 1.3;
            ctx.stroke(path);
          }
          ctx.globalAlpha = 1;
        },
      },
    ];
  });
}

interface P {
  x: number;
  y: number;
}

function mark(path: Path2D, form: Mark, a: P, b: P, downhill: P): void {
  const at = (t: number, out: number): [number, number] => [
    a.x + (b.x - a.x) * t + downhill.x * out,
    a.y + (b.y - a.y) * t + downhill.y * out,
  ];
  const line = (t: number, u: number, out: number) => {
    path.moveTo(...at(t, out));
    path.lineTo(...at(u, out));
  };
  const ticks = (step: number, length: number) => {
    for (let t = step / 2; t < 1; t += step) {
      path.moveTo(...at(t, 0));
      path.lineTo(...at(t, length));
    }
  };
  if (form === 'bar') line(0.06, 0.94, 0);
  else if (form === 'dots') for (let t = 0.08; t < 1; t += 0.14) line(t, t + 0.01, 0);
  else {
    line(0.02, 0.98, 0);
    if (form === 'double') line(0.08, 0.92, 3);
    ticks(form === 'teeth' ? 0.16 : 0.125, form === 'teeth' ? 7 : form === 'double' ? 8 : 6);
  }
}
