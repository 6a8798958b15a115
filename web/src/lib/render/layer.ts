/** What every layer of the map is: things to draw, each with the box that it touches. */
import type { Box } from '../geometry';
import type { Edge } from '../protocol';
import { meets } from './shapes';

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

export interface SceneOptions {
  theme: 'light' | 'dark';
  numbers: boolean;
  grid: boolean;
  /** Device pixels to a pixel of the page: letters keep their size by it. */
  density?: number;
  /** The edge of a free table from which its player writes coordinates. */
  edge?: Edge;
}

/** A picture in layers, from the ground up. */
export interface Scene {
  box: Box;
  layers: Layer[];
  /** Nothing of the layers is drawn outside it. */
  cut?: Box;
  /** Drawn last, and outside the cut as well. */
  margin?: Layer;
}

/** Draws the part of a scene in `box` so that its upper left is at the canvas' origin. */
export function drawScene(ctx: Pen, scene: Scene, box: Box, scale: number): void {
  ctx.setTransform(scale, 0, 0, scale, -box.x * scale, -box.y * scale);
  const brush: Brush = { ctx, scale };
  const draw = (layer: Layer) => {
    for (const item of layer) if (meets(item.box, box)) item.draw(brush);
  };
  ctx.save();
  if (scene.cut) {
    ctx.beginPath();
    ctx.rect(scene.cut.x, scene.cut.y, scene.cut.width, scene.cut.height);
    ctx.clip();
  }
  scene.layers.forEach(draw);
  ctx.restore();
  if (scene.margin) draw(scene.margin);
}

/** Fills several paths, each in its colour. */
export function fills(ctx: Pen, ...pairs: [Path2D, string][]): void {
  for (const [path, colour] of pairs) {
    ctx.fillStyle = colour;
    ctx.fill(path);
  }
}
