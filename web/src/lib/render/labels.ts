/** Hex numbers, place names and board numbers. */
import type { Box, Point } from '../geometry';
import { bounds, centre, HEX_HEIGHT } from '../hexgeo';
import type { MapHex } from '../protocol';
import type { Lettering } from './drawing';
import type { Item, Layer, Pen } from './layer';
import { has, type MapModel } from './model';
import type { Palette } from './palette';
import { boxOf } from './shapes';

export const SERIF =
  "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, 'DejaVu Serif', serif";
const SANS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

export function numbers(model: MapModel, colours: Palette): Layer {
  return model.chunks.map((chunk): Item => ({
    box: chunk.box,
    draw: ({ ctx, scale }) => {
      if (scale < 0.55) return;
      ctx.font = `500 8.5px ${SANS}`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'alphabetic';
      ctx.fillStyle = colours.number;
      ctx.strokeStyle = colours.nameHalo;
      ctx.lineWidth = 1.8;
      ctx.lineJoin = 'round';
      for (const hex of chunk.hexes) {
        if (!hex.playable) continue;
        const c = centre(hex);
        const y = c.y - HEX_HEIGHT / 2 + 9.6;
        ctx.globalAlpha = 0.55;
        ctx.strokeText(hex.name, c.x, y);
        ctx.globalAlpha = 0.92;
        ctx.fillText(hex.name, c.x, y);
      }
      ctx.globalAlpha = 1;
    },
  }));
}

/** The names: of waters and stretches of land along their course, of places below their houses. */
export function names(model: MapModel, colours: Palette): Layer {
  return [
    ...model.drawing.names.flatMap((name) => courseName(model, name, colours)),
    ...placeNames(model, colours),
  ];
}

interface PlaceName {
  text: string;
  hexes: MapHex[];
  /** The middle of its foot. */
  x: number;
  y: number;
  size: number;
  high: boolean;
  /** The room between two letters. */
  room: number;
}

/** The widest letters of a common font, in parts of their size. */
const WIDEST = 0.66;

/** Where the names of places are lettered, as wide as they are at most. */
export const nameBoxes = (model: MapModel): Box[] =>
  placed(model).map(({ text, x, y, size, room }) => {
    const half = (text.length * (size * WIDEST + room)) / 2;
    return { x: x - half, y: y - size * 0.85, width: 2 * half, height: size * 1.15 };
  });

/** One name for each group of hexes that bear the same label. */
function placed(model: MapModel): PlaceName[] {
  const groups = new Map<string, MapHex[]>();
  for (const hex of model.data.hexes) {
    if (!hex.label) continue;
    const id = `${hex.board} ${hex.label}`;
    groups.set(id, [...(groups.get(id) ?? []), hex]);
  }
  return [...groups.values()].map((hexes) => {
    const points = hexes.map(centre);
    const x = points.reduce((s, p) => s + p.x, 0) / points.length;
    const y = Math.max(...points.map((p) => p.y)) + HEX_HEIGHT / 2 - 6;
    const high = hexes.some((h) => h.level > 0) && !hexes.some(isBuilt);
    const town = hexes.some((h) => has(h, 'town'));
    const size = high ? 19 : town ? 21 : 17;
    return { text: hexes[0]!.label, hexes, x, y, size, high, room: high ? 1.6 : town ? 1.2 : 0.4 };
  });
}

function placeNames(model: MapModel, colours: Palette): Layer {
  return placed(model).map(({ text, hexes, x, y, size, high, room }): Item => ({
    box: bounds(hexes, 60),
    draw: ({ ctx }) => {
      ctx.font = `${high ? 'italic 500' : '600'} ${size}px ${SERIF}`;
      const width = letters(ctx, text, room).reduce((sum, l) => sum + l.width, 0);
      const line = [
        { x: x - width / 2, y },
        { x: x + width / 2, y },
      ];
      alongLine(ctx, text, line, room, ink(colours, size));
    },
  }));
}

const isBuilt = (hex: MapHex): boolean => has(hex, 'town') || has(hex, 'village');

interface Ink {
  fill: string;
  halo: string;
  thick: number;
}

const ink = (colours: Palette, size: number): Ink => ({
  fill: colours.name,
  halo: colours.nameHalo,
  thick: size * 0.22,
});

const COURSES: Readonly<Record<Lettering['kind'], { size: number; room: number }>> = {
  water: { size: 17, room: 5 },
  woods: { size: 17, room: 7 },
  land: { size: 22, room: 16 },
  hill: { size: 19, room: 3 },
};

/** A name that follows a line through hexes, letter by letter, its letters spread over the whole of it. */
function courseName(model: MapModel, { text, along, kind }: Lettering, colours: Palette): Layer {
  const line = along.flatMap((place) => {
    const hex = model.byName.get(place);
    return hex ? [centre(hex)] : [];
  });
  if (line.length < 2) return [];
  // Whichever way the course is written, its letters stand upright.
  if (line.at(-1)!.x < line[0]!.x) line.reverse();
  const { size, room } = COURSES[kind];
  const course = rounded(line);
  const pen = { ...ink(colours, size), fill: kind === 'water' ? colours.waterName : colours.name };
  return [
    {
      box: boxOf(course, 40),
      draw: ({ ctx }) => {
        ctx.font = `italic 500 ${size}px ${SERIF}`;
        alongLine(ctx, kind === 'land' ? text.toUpperCase() : text, course, room, pen);
      },
    },
  ];
}

/** A line without corners: each is cut twice. */
export function rounded(line: readonly Point[]): Point[] {
  const once = (points: readonly Point[]): Point[] => [
    points[0]!,
    ...points.slice(1).flatMap((b, i) => {
      const a = points[i]!;
      const at = (t: number) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
      return [at(0.25), at(0.75)];
    }),
    points.at(-1)!,
  ];
  return once(once(once(line)));
}

interface Letter {
  letter: string;
  width: number;
}

const letters = (ctx: Pen, text: string, room: number): Letter[] =>
  [...text].map((letter) => ({ letter, width: ctx.measureText(letter).width + room }));

/** Letters along a line, in the middle of it; first all the light round them, then the letters. */
function alongLine(ctx: Pen, text: string, line: readonly Point[], room: number, pen: Ink): void {
  const all = letters(ctx, text, room);
  const length = line.slice(1).reduce((sum, b, i) => sum + Math.hypot(b.x - line[i]!.x, b.y - line[i]!.y), 0);
  const wide = all.reduce((sum, { width }) => sum + width, 0) - room;
  let at = Math.max(0, (length - wide) / 2);
  const placed = all.map(({ letter, width }) => {
    const spot = spotAt(line, at + (width - room) / 2);
    at += width;
    return { letter, ...spot };
  });
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = pen.halo;
  ctx.fillStyle = pen.fill;
  ctx.lineWidth = pen.thick;
  for (const put of [
    (letter: string) => {
      ctx.globalAlpha = 0.8;
      ctx.strokeText(letter, 0, 0);
    },
    (letter: string) => {
      ctx.globalAlpha = 1;
      ctx.fillText(letter, 0, 0);
    },
  ]) {
    for (const { letter, x, y, angle } of placed) {
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(angle);
      put(letter);
      ctx.restore();
    }
  }
}

/** The place so far along a line, and the direction of the line there; beyond its end it goes straight on. */
function spotAt(line: readonly Point[], far: number): Point & { angle: number } {
  let left = far;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (left <= length || i === line.length - 1) {
      const t = length > 0 ? left / length : 0;
      const angle = Math.atan2(b.y - a.y, b.x - a.x);
      return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, angle };
    }
    left -= length;
  }
  return { ...line[0]!, angle: 0 };
}

/** The number of each board, large and faint, when there is more than one. */
export function boards(model: MapModel, colours: Palette): Layer {
  const ids = [...new Set(model.data.hexes.map((h) => h.board))];
  if (ids.length < 2) return [];
  return ids.map((id): Item => {
    const box = bounds(model.data.hexes.filter((h) => h.board === id));
    return {
      box,
      draw: ({ ctx }) => {
        ctx.font = `700 120px ${SERIF}`;
        ctx.textAlign = 'left';
        ctx.textBaseline = 'top';
        ctx.globalAlpha = 0.1;
        ctx.fillStyle = colours.name;
        ctx.fillText(id, box.x + 60, box.y + 50);
        ctx.globalAlpha = 1;
      },
    };
  });
}
