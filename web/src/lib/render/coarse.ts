/** The small, blurred canvas on which a map is sketched: its sheet on paper, to be drawn on in map units. */
import type { Box } from '../geometry';
import { palette } from './palette';

/** Map units to a pixel of it: a dozen pixels to a hex. */
const COARSE = 8;

export function coarse(box: Box, sheet: Box, theme: 'light' | 'dark'): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(box.width / COARSE);
  canvas.height = Math.ceil(box.height / COARSE);
  const ctx = canvas.getContext('2d')!;
  ctx.fillStyle = palette(theme).paper;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.setTransform(canvas.width / box.width, 0, 0, canvas.height / box.height, 0, 0);
  ctx.translate(-box.x, -box.y);
  ctx.beginPath();
  ctx.rect(sheet.x, sheet.y, sheet.width, sheet.height);
  ctx.clip();
  return ctx;
}
