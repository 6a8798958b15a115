/** The thread on which the map is drawn: told once what, then which parts, it answers with their pictures. */
import type { Box } from '../geometry';
import type { HexData } from '../protocol';
import { drawScene, makeScene, type Scene, type SceneOptions } from './map';
import { makeModel } from './model';

/** What is drawn from now on. */
export interface Subject {
  data: HexData;
  options: SceneOptions;
}

/** A part of it, on a square of the given size in pixels. */
export interface Order {
  id: number;
  box: Box;
  scale: number;
  size: number;
}

export interface Picture {
  id: number;
  bitmap: ImageBitmap;
}

let scene: Scene | null = null;

self.onmessage = ({ data: message }: MessageEvent<Subject | Order>) => {
  if ('data' in message) scene = makeScene(makeModel(message.data), message.options);
  else draw(message);
};

function draw({ id, box, scale, size }: Order): void {
  const canvas = new OffscreenCanvas(size, size);
  const ctx = canvas.getContext('2d')!;
  if (scene) drawScene(ctx, scene, box, scale);
  const picture: Picture = { id, bitmap: canvas.transferToImageBitmap() };
  self.postMessage(picture, { transfer: [picture.bitmap] });
}
