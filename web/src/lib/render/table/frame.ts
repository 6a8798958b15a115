/** The frame of a free table: that of a map, and along its edges the measure in inches. */
import type { Box } from '../../geometry';
import type { Edge } from '../../protocol';
import { framed, type Bar, type Enlarged } from '../frame';
import { SERIF } from '../labels';
import type { Item, Layer, SceneOptions } from '../layer';
import { palette, type Palette } from '../palette';
import { PER_INCH, type TableModel } from './model';

/** In parts of what it measures on a map of hexes: the band of the measure, and the margin beyond it at sides and foot. */
const [BAND, BEYOND, FOOT] = [24, 8, 42];
/** A table as wide as this is framed as a map of hexes is; a larger one more boldly, as it is seen from farther off. */
const PLAIN = 1000;
/** Near by letters keep the size that they have at this enlargement, in page pixels. */
const MOST = 1.15;

/** How boldly the frame of a table is drawn where all of it is seen. */
const boldness = ({ width, height }: Box): number => Math.max(1, Math.max(width, height) / PLAIN);

/** The table and the margin round it. */
export function frameOf(table: Box): Box {
  const k = boldness(table);
  const side = (BAND + BEYOND) * k;
  return {
    x: table.x - side,
    y: table.y - side,
    width: table.width + 2 * side,
    height: table.height + side + (BAND + FOOT) * k,
  };
}

export function frame(model: TableModel, options: SceneOptions): Layer {
  const colours = palette(options.theme);
  const { density = 1, edge } = options;
  const k = boldness(model.box);
  const enlarged: Enlarged = (scale) => Math.min(k, (MOST * density) / scale);
  const sheet = { box: frameOf(model.box), sheet: model.box, out: BAND * k };
  const layer = framed({ ...sheet, title: model.title, bar: barOf(model), room: 98 }, colours, enlarged);
  const rule = (scale: number): Rule => ({ scale: scale / density, k: enlarged(scale), band: BAND * k });
  return [...layer, measure(model.box, sheet.box, edge, options.numbers, rule, colours)];
}

/** A foot of the table, or half of one, and the metres that it stands for where the book says that. */
export function barOf({ box, metres }: Pick<TableModel, 'box' | 'metres'>): Bar {
  const inches = 12 * PER_INCH > box.width * 0.4 ? 6 : 12;
  const stands = metres > 0 ? ` = ${Math.round(inches * metres)} m` : '';
  return { length: inches * PER_INCH, marks: ['0', `${inches / 2}″`, `${inches}″${stands}`] };
}

/** How the measure is drawn: page pixels to a map unit, how boldly, and how wide its band is. */
interface Rule {
  scale: number;
  k: number;
  band: number;
}

/** A mark of the measure: its distance along an edge in map units, and what is written there. */
export interface Mark {
  at: number;
  text: string;
}

const STEPS = [1, 2, 3, 6, 12];
/** No two figures are nearer to each other than this, in page pixels. */
const APART = 38;

/** After how many inches a figure is written, at this number of page pixels to the map unit. */
export const stepAt = (scale: number): number => STEPS.find((n) => n * PER_INCH * scale >= APART) ?? 12;

/** The edge on the left of a player who sits at an edge, from which coordinates are counted to the right. */
const LEFT: Record<Edge, Edge> = { south: 'west', west: 'north', north: 'east', east: 'south' };

/**
 * The marks along an edge, from its western or northern end. Of a player who writes coordinates the two edges at the
 * own left corner have whole inches from there, in two digits; the others have inches from the north-western corner.
 */
export function marksOf(side: Edge, length: number, step: number, seat: Edge | undefined): Mark[] {
  const inches = length / PER_INCH;
  const written = seat !== undefined && (side === seat || side === LEFT[seat]);
  // From the own corner: along the own edge away from the left one, along the left one away from the own.
  const corner = seat !== undefined && (side === seat ? LEFT[seat] : seat);
  const turned = written && (corner === 'south' || corner === 'east');
  return Array.from({ length: Math.floor(inches / step) + 1 }, (_, i) => i * step).map((n) => ({
    at: (turned ? inches - n : n) * PER_INCH,
    text: written ? String(n).padStart(2, '0') : `${n}″`,
  }));
}

function measure(
  table: Box,
  box: Box,
  seat: Edge | undefined,
  figures: boolean,
  rule: (scale: number) => Rule,
  colours: Palette,
): Item {
  return {
    box,
    draw: ({ ctx, scale: pixels }) => {
      const { scale, k, band } = rule(pixels);
      ctx.strokeStyle = ctx.fillStyle = colours.ink;
      ctx.lineWidth = Math.max(0.9 * k, 0.8 / scale);
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      const step = stepAt(scale);
      for (const side of Object.keys(LEFT) as Edge[]) {
        const flat = side === 'north' || side === 'south';
        const length = flat ? table.width : table.height;
        const out = side === 'north' || side === 'west' ? -1 : 1;
        const edge = side === 'south' ? table.height : side === 'east' ? table.width : 0;
        const to = (along: number, off: number): [number, number] =>
          flat ? [along, edge + out * off] : [edge + out * off, along];
        const marks = marksOf(side, length, step, seat);
        const strong = new Set(marks.map(({ at }) => Math.round(at)));
        ctx.beginPath();
        for (let n = 0; n <= length / PER_INCH; n++) {
          const long = strong.has(n * PER_INCH) ? 7 : 3.5;
          if (long < 7 && PER_INCH * scale < 5) continue;
          ctx.moveTo(...to(n * PER_INCH, 0));
          ctx.lineTo(...to(n * PER_INCH, long * k));
        }
        ctx.stroke();
        if (!figures) continue;
        const own = seat !== undefined && (side === seat || side === LEFT[seat]);
        ctx.font = `${own ? 700 : 500} ${12.5 * k}px ${SERIF}`;
        for (const { at, text } of marks) ctx.fillText(text, ...to(at, Math.min(band / 2 + 2 * k, 16 * k)));
      }
    },
  };
}
