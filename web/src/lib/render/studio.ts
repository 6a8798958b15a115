/** What a thread that draws is told and answers: told once what, then which parts, it answers with their pictures. */
import type { Box } from '../geometry';
import { drawScene, type Scene, type SceneOptions } from './layer';

/** What is drawn from now on. */
export interface Subject<Data = unknown> {
  data: Data;
  options: SceneOptions;
}

/** A part of it, on a picture of so many pixels. */
export interface Order {
  id: number;
  box: Box;
  scale: number;
  width: number;
  height: number;
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

function draw(scene: Scene | null, { id, box, scale, width, height }: Order): void {
  const canvas = new OffscreenCanvas(width, height);
  const ctx = canvas.getContext('2d')!;
  if (scene) drawScene(ctx, scene, box, scale);
  const picture: Picture = { id, bitmap: canvas.transferToImageBitmap() };
  self.postMessage(picture, { transfer: [picture.bitmap] });
}
