/** Canvas tiles: drawn once for a scale, then only moved; a few milliseconds a frame. */
import type { Box } from '../hexgeo';
import { drawScene, type Scene } from './map';
import { meets } from './shapes';

const TILE = 512;
/** Tiles overlap by a pixel so that no seam shows between them. */
const BLEED = 1;
const BUDGET_MS = 6;

interface Tile {
  canvas: HTMLCanvasElement;
  box: Box;
  scale: number;
  drawn: boolean;
}

export class Tiles {
  private readonly tiles = new Map<string, Tile>();
  private queue: Tile[] = [];
  private frame = 0;
  private scale = 1;
  private scene: Scene | null = null;
  private view: Box = { x: 0, y: 0, width: 0, height: 0 };

  constructor(private readonly holder: HTMLElement) {}

  /** Changes what is drawn; everything is drawn anew. */
  setScene(scene: Scene): void {
    this.scene = scene;
    for (const tile of this.tiles.values()) tile.canvas.remove();
    this.tiles.clear();
    this.queue = [];
  }

  /** Shows a part of the map; `scale` in device pixels a map unit. */
  show(view: Box, scale: number): void {
    if (!this.scene) return;
    this.view = view;
    this.scale = scale;
    const size = TILE / scale;
    const margin = size / 2;
    const sheet = this.scene.model.box;
    const left = Math.max(view.x - margin, sheet.x - 4);
    const top = Math.max(view.y - margin, sheet.y - 4);
    const right = Math.min(view.x + view.width + margin, sheet.x + sheet.width + 4);
    const bottom = Math.min(view.y + view.height + margin, sheet.y + sheet.height + 4);
    for (let j = Math.floor(top / size); j * size < bottom; j++) {
      for (let i = Math.floor(left / size); i * size < right; i++) this.want(i, j, size);
    }
    this.schedule();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.tiles.clear();
    this.queue = [];
  }

  private want(i: number, j: number, size: number): void {
    const id = `${this.scale.toFixed(5)} ${i} ${j}`;
    if (this.tiles.has(id)) return;
    const bleed = BLEED / this.scale;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = TILE + 2 * BLEED;
    const whole = size + 2 * bleed;
    const box = { x: i * size - bleed, y: j * size - bleed, width: whole, height: whole };
    canvas.style.cssText = `position:absolute;left:${box.x}px;top:${box.y}px;width:${whole}px;height:${whole}px;visibility:hidden`;
    this.holder.append(canvas);
    const tile = { canvas, box, scale: this.scale, drawn: false };
    this.tiles.set(id, tile);
    this.queue.push(tile);
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.work());
  }

  private work(): void {
    this.frame = 0;
    const start = performance.now();
    this.queue = this.queue.filter((t) => t.scale === this.scale);
    this.queue.sort((a, b) => Number(meets(b.box, this.view)) - Number(meets(a.box, this.view)));
    while (this.queue.length > 0 && performance.now() - start < BUDGET_MS) this.draw(this.queue.shift()!);
    if (this.queue.length > 0) this.schedule();
    else this.tidy();
  }

  private draw(tile: Tile): void {
    const ctx = tile.canvas.getContext('2d');
    if (!ctx || !this.scene) return;
    drawScene(ctx, this.scene, tile.box, tile.scale);
    tile.canvas.style.visibility = 'visible';
    tile.drawn = true;
  }

  /** Forgets tiles of other scales and those far out of view. */
  private tidy(): void {
    const { x, y, width, height } = this.view;
    const near = { x: x - width, y: y - height, width: width * 3, height: height * 3 };
    for (const [id, tile] of this.tiles) {
      if (tile.scale === this.scale && meets(tile.box, near)) continue;
      tile.canvas.remove();
      this.tiles.delete(id);
    }
  }
}
