/** The frame of the sheet, as on a printed map: the neat line, the title, the scale, and north. */
import { HEX_HEIGHT } from '../hexgeo';
import { SERIF } from './labels';
import type { Brush, Item, Layer } from './layer';
import type { MapModel } from './model';
import type { Palette } from './palette';

/** How far the outer line runs outside the neat line. */
const OUT = 7;

export function frame(model: MapModel, colours: Palette): Layer {
  return [neatLine(model, colours), legend(model, colours)];
}

function neatLine({ box, sheet }: MapModel, colours: Palette): Item {
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
      ctx.strokeStyle = colours.ink;
      ctx.lineWidth = Math.max(1.2, 0.8 / scale);
      ctx.strokeRect(x, y, width, height);
      ctx.lineWidth = Math.max(3, 1.2 / scale);
      ctx.strokeRect(x - OUT, y - OUT, width + 2 * OUT, height + 2 * OUT);
    },
  };
}

function legend(model: MapModel, colours: Palette): Item {
  const { box, sheet, data, drawing } = model;
  const top = sheet.y + sheet.height + OUT;
  const y = (top + box.y + box.height) / 2 + 1;
  const title = data.boards.map((board) => board.title).join(' · ');
  return {
    box: { x: box.x, y: top, width: box.width, height: box.y + box.height - top },
    draw: (brush) => {
      const { ctx } = brush;
      ctx.fillStyle = ctx.strokeStyle = colours.ink;
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      ctx.font = `600 24px ${SERIF}`;
      spaced(brush, title.toUpperCase(), sheet.x, y, 4);
      if (drawing.metres > 0) scaleBar(brush, model, y, colours);
      north(brush, sheet.x + sheet.width - 14, y);
    },
  };
}

/** Letters with room between them. */
export function spaced({ ctx }: Brush, text: string, x: number, y: number, room: number): void {
  let at = x;
  for (const letter of text) {
    ctx.fillText(letter, at, y);
    at += ctx.measureText(letter).width + room;
  }
}

/** A kilometre in quarters, by the width of a hex. */
function scaleBar({ ctx }: Brush, { sheet, drawing }: MapModel, y: number, colours: Palette): void {
  const kilometre = (1000 / drawing.metres) * HEX_HEIGHT;
  const whole = kilometre > sheet.width * 0.45 ? kilometre / 2 : kilometre;
  const left = sheet.x + sheet.width - 70 - whole;
  const quarter = whole / 4;
  ctx.lineWidth = 1.4;
  for (let i = 0; i < 4; i++) {
    ctx.fillStyle = i % 2 === 0 ? colours.ink : colours.paper;
    ctx.fillRect(left + i * quarter, y + 2, quarter, 6);
    ctx.strokeRect(left + i * quarter, y + 2, quarter, 6);
  }
  ctx.fillStyle = colours.ink;
  ctx.font = `500 14px ${SERIF}`;
  ctx.textAlign = 'center';
  const metres = Math.round((whole / HEX_HEIGHT) * drawing.metres);
  ctx.fillText('0', left, y - 8);
  ctx.fillText(String(metres / 2), left + whole / 2, y - 8);
  ctx.fillText(`${metres} m`, left + whole, y - 8);
}

function north({ ctx }: Brush, x: number, y: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - 16);
  ctx.lineTo(x + 5.5, y + 4);
  ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fill();
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  ctx.moveTo(x, y - 16);
  ctx.lineTo(x - 5.5, y + 4);
  ctx.lineTo(x, y);
  ctx.stroke();
  ctx.font = `600 14px ${SERIF}`;
  ctx.textAlign = 'center';
  ctx.fillText('N', x, y + 13);
}
