/** What a thread that draws is told and answers: told once what, then which parts, it answers with their pictures. */
import type { Box } from '../geometry';
import { drawScene, type Scene, type SceneOptions } from './layer';

/** What is drawn from now on. */
export interface Subject<Data = unknown> {
  data: Data;
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

/** Has this thread draw whatever it is told. */
export function answer<Data>(make: (data: Data, options: SceneOptions) => Scene): void {
  let scene: Scene | null = null;
  self.onmessage = ({ data: message }: MessageEvent<Subject<Data> | Order>) => {
    if ('data' in message) scene = make(message.data, message.options);
    else draw(scene, message);
  };
}

function draw(scene: Scene | null, { id, box, scale, size }: Order): void {
  const canvas = new OffscreenCanvas(size, size);
  const ctx = canvas.getContext('2d')!;
  if (scene) drawScene(ctx, scene, box, scale);
  const picture: Picture = { id, bitmap: canvas.transferToImageBitmap() };
  self.postMessage(picture, { transfer: [picture.bitmap] });
}
