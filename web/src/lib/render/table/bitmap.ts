/** Small pictures that are drawn large: the light on the land, and the mottle of grass. */
import type { Pen } from '../layer';

export type Sheet = OffscreenCanvas | HTMLCanvasElement;

export function sheet(width: number, height: number): Sheet {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  return canvas;
}

export type Rgba = readonly [number, number, number, number];

export const channels = (colour: string): [number, number, number] =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];

/** A picture of which every pixel is said: red, green and blue of 255, and how opaque it is of 1. */
export function painted(width: number, height: number, at: (i: number, j: number) => Rgba): Sheet {
  const canvas = sheet(width, height);
  const ctx = canvas.getContext('2d') as Pen;
  const image = ctx.createImageData(width, height);
  for (let j = 0, n = 0; j < height; j++) {
    for (let i = 0; i < width; i++, n += 4) {
      const [r, g, b, a] = at(i, j);
      image.data[n] = r;
      image.data[n + 1] = g;
      image.data[n + 2] = b;
      image.data[n + 3] = Math.round(a * 255);
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** A picture of light and shade: a tone above 0 is so much of the one colour, below 0 of the other. */
export function toned(
  width: number,
  height: number,
  [lit, dark]: readonly [string, string],
  toneAt: (i: number, j: number) => number,
): Sheet {
  const canvas = sheet(width, height);
  const ctx = canvas.getContext('2d') as Pen;
  const image = ctx.createImageData(width, height);
  const [bright, dim] = [channels(lit), channels(dark)];
  for (let j = 0, n = 0; j < height; j++) {
    for (let i = 0; i < width; i++, n += 4) {
      const tone = toneAt(i, j);
      const colour = tone > 0 ? bright : dim;
      image.data[n] = colour[0];
      image.data[n + 1] = colour[1];
      image.data[n + 2] = colour[2];
      image.data[n + 3] = Math.abs(tone) * 255;
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}
