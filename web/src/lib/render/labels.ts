/** Hex numbers, place names and board numbers. */
import { bounds, centre, HEX_HEIGHT } from '../hexgeo';
import type { MapHex } from '../protocol';
import type { Item, Layer } from './layer';
import type { MapModel } from './model';
import type { Palette } from './palette';

const SERIF =
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

/** One name for each group of hexes that bear the same label. */
export function names(model: MapModel, colours: Palette): Layer {
  const groups = new Map<string, MapHex[]>();
  for (const hex of model.data.hexes) {
    if (!hex.label) continue;
    const id = `${hex.board} ${hex.label}`;
    groups.set(id, [...(groups.get(id) ?? []), hex]);
  }
  return [...groups.values()].map((hexes): Item => {
    const box = bounds(hexes, 40);
    const points = hexes.map(centre);
    const x = points.reduce((s, p) => s + p.x, 0) / points.length;
    const lowest = Math.max(...points.map((p) => p.y));
    const y = lowest + HEX_HEIGHT / 2 - 4;
    const text = hexes[0]!.label;
    const size = hexes.length > 2 ? 22 : hexes.length > 1 ? 19 : 16;
    const high = hexes.some((h) => h.level > 0);
    return {
      box,
      draw: ({ ctx }) => {
        ctx.font = `${high ? 'italic 500' : '600'} ${size}px ${SERIF}`;
        ctx.textAlign = 'center';
        ctx.textBaseline = 'alphabetic';
        ctx.lineJoin = 'round';
        ctx.strokeStyle = colours.nameHalo;
        ctx.globalAlpha = 0.85;
        ctx.lineWidth = 4.5;
        ctx.strokeText(text, x, y);
        ctx.globalAlpha = 1;
        ctx.fillStyle = colours.name;
        ctx.fillText(text, x, y);
      },
    };
  });
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
