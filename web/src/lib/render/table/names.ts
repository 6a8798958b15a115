/** The names of places, lettered: as large on every screen, and never over one another. */
import type { Box, Point } from '../../geometry';
import type { Item, Layer, Pen } from '../layer';
import { meets } from '../shapes';
import type { Feature, TableModel } from './model';
import type { Colours } from './palette';

const SERIF =
  "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, 'DejaVu Serif', serif";

interface Name {
  text: string;
  at: Point;
  /** Lettered along its way, in radians. */
  angle: number;
  /** Of ways and waters, in italics and smaller. */
  flows: boolean;
  rank: number;
}

export interface Lettered extends Name {
  size: number;
  box: Box;
}

const FLOWING = new Set(['stream', 'water', 'road', 'track', 'gully']);
const RANKS: Record<string, number> = { town: 0, slope: 1, hilltop: 1, building: 4, bridge: 3, ford: 3 };

/** Whether a feature is lettered: by the name that its author gave, and not on what is only crossed. */
function given({ called, shape, width, look }: Feature): boolean {
  return called !== '' && !(shape === 'line' && width === 0) && look !== 'crest';
}

/** The names of a table, the weightiest first; of a hill's contours the highest bears it. */
export function namesOf({ features }: TableModel): Name[] {
  const found = features.filter(given);
  const highest = (f: Feature) =>
    f.shape !== 'contour' ||
    found.every((o) => o.shape !== 'contour' || o.called !== f.called || o.level <= f.level);
  return found
    .filter(highest)
    .map((f) => {
      const flows = FLOWING.has(f.look);
      return { text: f.called, ...placeOf(f), flows, rank: RANKS[f.look] ?? (flows ? 5 : 2) };
    })
    .sort((a, b) => a.rank - b.rank);
}

function placeOf(f: Feature): { at: Point; angle: number } {
  const { x, y, width, height } = f.box;
  if (f.shape === 'line' && f.way.length > 1) return alongWay(f.way);
  const low = f.shape === 'building' || f.shape === 'crossing' ? y + height + 14 : y + height / 2;
  return { at: { x: x + width / 2, y: low }, angle: 0 };
}

/** A straight enough stretch of a way, about a fifth along it. */
function alongWay(way: readonly Point[]): { at: Point; angle: number } {
  const i = Math.min(way.length - 2, Math.max(1, Math.floor(way.length / 5)));
  const [a, b] = [way[Math.max(0, i - 3)]!, way[Math.min(way.length - 1, i + 3)]!];
  let angle = Math.atan2(b.y - a.y, b.x - a.x);
  if (Math.abs(angle) > Math.PI / 2) angle += angle > 0 ? -Math.PI : Math.PI;
  return { at: { x: way[i]!.x, y: way[i]!.y }, angle: Math.abs(angle) > 1.2 ? 0 : angle };
}

/** How large letters are, in map units, at a scale in page pixels to the map unit: 12 to 30 pixels, or left out. */
export function sizeAt(scale: number, slight: boolean): number {
  const wanted = slight ? 32 : 44;
  return Math.max(wanted * Math.min(1, 1.1 / Math.max(scale, 0.01)), (slight ? 11.5 : 14) / scale);
}

/** Where each name stands at a scale; one that finds no room is left out. */
export function lettering(names: readonly Name[], scale: number, sheet: Box): Lettered[] {
  const placed: Lettered[] = [];
  for (const name of names) {
    const size = sizeAt(scale, name.rank > 2);
    const half = (name.text.length * size * (name.flows ? 0.58 : 0.72)) / 2;
    const spread = Math.abs(Math.sin(name.angle)) * half;
    const tall = size * 0.6 + spread;
    for (const step of [0, 1, -1, 2, -2]) {
      const x = Math.max(half + 8, Math.min(sheet.width - half - 8, name.at.x));
      const y = Math.max(tall, Math.min(sheet.height - tall, name.at.y + step * size * 1.15));
      const box = { x: x - half, y: y - tall, width: 2 * half, height: 2 * tall };
      if (placed.some((other) => meets(other.box, box))) continue;
      placed.push({ ...name, at: { x, y }, size, box });
      break;
    }
  }
  return placed;
}

export function names(model: TableModel, c: Colours, density: number): Layer {
  const all = namesOf(model);
  const laid = new Map<number, Lettered[]>();
  const item: Item = {
    box: model.box,
    draw: ({ ctx, scale }) => {
      const known = laid.get(scale) ?? lettering(all, scale / density, model.box);
      laid.set(scale, known);
      for (const name of known) letter(ctx, name, c);
    },
  };
  return [item];
}

function letter(ctx: Pen, { text, at, angle, flows, size }: Lettered, c: Colours): void {
  ctx.save();
  ctx.translate(at.x, at.y);
  ctx.rotate(angle);
  ctx.font = `${flows ? 'italic 500' : '600'} ${size}px ${SERIF}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = c.nameHalo;
  ctx.globalAlpha = 0.86;
  ctx.lineWidth = size * 0.26;
  ctx.strokeText(text, 0, 0);
  ctx.globalAlpha = 1;
  ctx.fillStyle = c.name;
  ctx.fillText(text, 0, 0);
  ctx.restore();
}
