/** A first look at a map of hexes in flat colours, small and blurred: it lies there while the thread still draws. */
import { corners } from '../hexgeo';
import type { MapHex } from '../protocol';
import { coarse } from './coarse';
import { has, type MapModel } from './model';
import { palette, type Palette } from './palette';

const COVERS = ['water', 'woods', 'town', 'swamp', 'broken', 'sand'] as const;

/** The colour that covers most of a hex. */
export function colourOf(hex: MapHex, colours: Palette): string {
  const cover = COVERS.find((one) => has(hex, one));
  if (cover) return colours[cover];
  return [colours.ground, colours.level1, colours.level2, colours.level3][
    Math.max(0, Math.min(3, hex.level))
  ]!;
}

export function sketch({ data, box, sheet }: MapModel, theme: 'light' | 'dark'): HTMLCanvasElement {
  const ctx = coarse(box, sheet, theme);
  const colours = palette(theme);
  for (const hex of data.hexes) {
    ctx.fillStyle = colourOf(hex, colours);
    ctx.beginPath();
    for (const { x, y } of corners(hex)) ctx.lineTo(x, y);
    ctx.fill();
  }
  return ctx.canvas;
}
