/** What every layer of the map is: things to draw, each with the box that it touches. */
import type { Box } from '../geometry';

/** The page's pen or that of a thread. */
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export interface Brush {
  ctx: Pen;
  /** Device pixels per map unit: small things are left out when they would be specks. */
  scale: number;
}

export interface Item {
  box: Box;
  draw(brush: Brush): void;
}

export type Layer = Item[];

/** Fills several paths, each in its colour. */
export function fills(ctx: Pen, ...pairs: [Path2D, string][]): void {
  for (const [path, colour] of pairs) {
    ctx.fillStyle = colour;
    ctx.fill(path);
  }
}
