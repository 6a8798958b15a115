/** The frame of a sheet, as on a printed map: the neat line, the title, the scale, and north. */
import type { Box } from '../geometry';
import { HEX_HEIGHT } from '../hexgeo';
import { SERIF } from './labels';
import type { Brush, Item, Layer } from './layer';
import type { MapModel } from './model';
import type { Palette } from './palette';

/** How far the outer line runs outside the neat line on a map of hexes. */
const OUT = 7;

/** A sheet and the margin round it. */
export interface Sheet {
  box: Box;
  sheet: Box;
  title: string;
  /** How far the outer line runs outside the neat line. */
  out: number;
  bar: Bar | null;
  /** The room on the right of the bar, for north and half of the last mark. */
  room: number;
}

/** A scale bar: its length in map units, and what stands at its beginning, its middle and its end. */
export interface Bar {
  length: number;
  marks: readonly [string, string, string];
}

/** How much larger letters and lines are drawn than on a map of hexes, at this scale. */
export type Enlarged = (scale: number) => number;

export function frame(model: MapModel, colours: Palette): Layer {
  const { box, sheet, data } = model;
  const title = data.boards.map((board) => board.title).join(' · ');
  return framed({ box, sheet, title, out: OUT, bar: kilometre(model), room: 70 }, colours, () => 1);
}

export function framed(sheet: Sheet, colours: Palette, enlarged: Enlarged): Layer {
  return [neatLine(sheet, colours, enlarged), legend(sheet, colours, enlarged)];
}

function neatLine({ box, sheet, out }: Sheet, colours: Palette, enlarged: Enlarged): Item {
  return {
    box,
    draw: ({ ctx, scale }) => {
      ctx.fillStyle = colours.paper;
      const { x, y, width, height } = sheet;
      for (const [a, b, w, h] of [
        [box.x, box.y, box.width, y - box.y],
        [box.x, y + height, box.width, box.y + box.height - y - height],
        [box.x, y, x - box.x, height],
        [x + width, y, box.x + box.width - x - width, height],
      ] as const) {
        ctx.fillRect(a, b, w, h);
      }
      const k = enlarged(scale);
      ctx.strokeStyle = colours.ink;
      ctx.lineWidth = Math.max(1.2 * k, 0.8 / scale);
      ctx.strokeRect(x, y, width, height);
      ctx.lineWidth = Math.max(3 * k, 1.2 / scale);
      ctx.strokeRect(x - out, y - out, width + 2 * out, height + 2 * out);
    },
  };
}

function legend({ box, sheet, title, out, bar, room }: Sheet, colours: Palette, enlarged: Enlarged): Item {
  const top = sheet.y + sheet.height + out;
  return {
    box: { x: box.x, y: top, width: box.width, height: box.y + box.height - top },
    draw: (brush) => {
      const { ctx, scale } = brush;
      const k = enlarged(scale);
      const y = (top + box.y + box.height) / 2 + k;
      ctx.fillStyle = ctx.strokeStyle = colours.ink;
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      const bars = sheet.x + sheet.width - room * k - (bar?.length ?? 0);
      name(brush, title.toUpperCase(), { x: sheet.x, y }, bars - sheet.x - 30 * k, k);
      if (bar) scaleBar(brush, bar, { x: bars, y }, colours, k);
      north(brush, { x: sheet.x + sheet.width - 14 * k, y }, k);
    },
  };
}

/** The title, smaller where it would not end before the bar. */
function name(brush: Brush, title: string, { x, y }: Spot, room: number, k: number): void {
  const { ctx } = brush;
  ctx.font = `600 ${24 * k}px ${SERIF}`;
  const part = Math.min(1, room / (ctx.measureText(title).width + 4 * k * title.length));
  ctx.font = `600 ${24 * k * part}px ${SERIF}`;
  spaced(brush, title, x, y, 4 * k * part);
}

/** Letters with room between them. */
export function spaced({ ctx }: Brush, text: string, x: number, y: number, room: number): void {
  let at = x;
  for (const letter of text) {
    ctx.fillText(letter, at, y);
    at += ctx.measureText(letter).width + room;
  }
}

/** A kilometre, or half of one, by the width of a hex; none on a map without a scale. */
function kilometre({ sheet, drawing }: MapModel): Bar | null {
  if (drawing.metres <= 0) return null;
  const whole = (1000 / drawing.metres) * HEX_HEIGHT;
  const length = whole > sheet.width * 0.45 ? whole / 2 : whole;
  const metres = Math.round((length / HEX_HEIGHT) * drawing.metres);
  return { length, marks: ['0', String(metres / 2), `${metres} m`] };
}

interface Spot {
  x: number;
  y: number;
}

/** A bar in quarters. */
function scaleBar({ ctx }: Brush, { length, marks }: Bar, { x, y }: Spot, colours: Palette, k: number): void {
  const quarter = length / 4;
  ctx.lineWidth = 1.4 * k;
  for (let i = 0; i < 4; i++) {
    ctx.fillStyle = i % 2 === 0 ? colours.ink : colours.paper;
    ctx.fillRect(x + i * quarter, y + 2 * k, quarter, 6 * k);
    ctx.strokeRect(x + i * quarter, y + 2 * k, quarter, 6 * k);
  }
  ctx.fillStyle = colours.ink;
  ctx.font = `500 ${14 * k}px ${SERIF}`;
  ctx.textAlign = 'center';
  marks.forEach((mark, i) => ctx.fillText(mark, x + (i * length) / 2, y - 8 * k));
}

function north({ ctx }: Brush, { x, y }: Spot, k: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - 16 * k);
  ctx.lineTo(x + 5.5 * k, y + 4 * k);
  ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fill();
  ctx.lineWidth = 1.2 * k;
  ctx.beginPath();
  ctx.moveTo(x, y - 16 * k);
  ctx.lineTo(x - 5.5 * k, y + 4 * k);
  ctx.lineTo(x, y);
  ctx.stroke();
  ctx.font = `600 ${14 * k}px ${SERIF}`;
  ctx.textAlign = 'center';
  ctx.fillText('N', x, y + 13 * k);
}
