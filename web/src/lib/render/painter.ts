/** The tiles are drawn by a thread of their own, so that the page answers meanwhile; a browser without threads draws them in the page. */
import type { Box } from '../geometry';
import { drawScene, type Scene, type SceneOptions } from './layer';
import type { Order, Picture, Subject } from './studio';

/** What is painted: its data go to a thread of its own, or its scene is made in the page. */
export interface Sitter {
  readonly box: Box;
  readonly data: unknown;
  hire(): Worker;
  scene(options: SceneOptions): Scene | Promise<Scene>;
  /** A first look at the whole of it, which is there at once. */
  sketch?(options: SceneOptions): HTMLCanvasElement;
}

export interface Painter {
  /** How many tiles may be asked for at a time. */
  readonly hands: number;
  /** Whatever is asked for from now on is drawn of this. */
  sit(options: SceneOptions): void;
  /** Draws a part of it into a canvas that is still blank. */
  draw(canvas: HTMLCanvasElement, box: Box, scale: number): Promise<void>;
  close(): void;
}

interface Asked {
  done: (bitmap: ImageBitmap) => void;
  failed: (error: Error) => void;
}

export class ThreadPainter implements Painter {
  /** The thread draws one while the page shows the other. */
  readonly hands = 2;
  private readonly thread: Worker;
  private readonly asked = new Map<number, Asked>();
  private orders = 0;
  /** Why the thread does not run. */
  private failure: Error | null = null;

  constructor(private readonly sitter: Sitter) {
    this.thread = sitter.hire();
    this.thread.onmessage = ({ data: { id, bitmap } }: MessageEvent<Picture>) => {
      this.asked.get(id)?.done(bitmap);
      this.asked.delete(id);
    };
    this.thread.onerror = (event) => {
      event.preventDefault();
      this.failure = new Error(event.message);
      for (const { failed } of this.asked.values()) failed(this.failure);
      this.asked.clear();
    };
  }

  sit(options: SceneOptions): void {
    const subject: Subject = { data: this.sitter.data, options };
    this.thread.postMessage(subject);
  }

  async draw(canvas: HTMLCanvasElement, box: Box, scale: number): Promise<void> {
    if (this.failure) throw this.failure;
    const { width, height } = canvas;
    const order: Order = { id: this.orders++, box, scale, width, height };
    const bitmap = await new Promise<ImageBitmap>((done, failed) => {
      this.asked.set(order.id, { done, failed });
      this.thread.postMessage(order);
    });
    canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(bitmap);
  }

  close(): void {
    this.thread.terminate();
  }
}

export class PagePainter implements Painter {
  readonly hands = 1;
  private scene: Scene | Promise<Scene> | null = null;

  constructor(private readonly sitter: Sitter) {}

  sit(options: SceneOptions): void {
    this.scene = this.sitter.scene(options);
  }

  /** One in each frame. */
  async draw(canvas: HTMLCanvasElement, box: Box, scale: number): Promise<void> {
    const scene = await this.scene;
    await new Promise<void>((done) =>
      requestAnimationFrame(() => {
        if (scene) drawScene(canvas.getContext('2d')!, scene, box, scale);
        done();
      }),
    );
  }

  close(): void {}
}

export function makePainter(sitter: Sitter): Painter {
  return typeof OffscreenCanvas === 'undefined' ? new PagePainter(sitter) : new ThreadPainter(sitter);
}
