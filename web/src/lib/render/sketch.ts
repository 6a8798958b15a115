/** A first look at a map of hexes in flat colours, small and blurred: it lies there while the thread still draws. */
import { corners } from '../hexgeo';
import type { MapHex } from '../protocol';
import { has, type MapModel } from './model';
import { palette, type Palette } from './palette';

/** Map units to a pixel of it: a dozen pixels to a hex. */
const COARSE = 8;

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
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(box.width / COARSE);
  canvas.height = Math.ceil(box.height / COARSE);
  const ctx = canvas.getContext('2d')!;
  const colours = palette(theme);
  ctx.fillStyle = colours.paper;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.setTransform(canvas.width / box.width, 0, 0, canvas.height / box.height, 0, 0);
  ctx.translate(-box.x, -box.y);
  ctx.beginPath();
  ctx.rect(sheet.x, sheet.y, sheet.width, sheet.height);
  ctx.clip();
  for (const hex of data.hexes) {
    ctx.fillStyle = colourOf(hex, colours);
    ctx.beginPath();
    for (const { x, y } of corners(hex)) ctx.lineTo(x, y);
    ctx.fill();
  }
  return canvas;
}
