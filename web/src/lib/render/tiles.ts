/** Canvas tiles: drawn once for a scale, away from the page, then only moved. */
import type { Box } from '../geometry';
import type { SceneOptions } from './layer';
import { makePainter, PagePainter, type Painter, type Sitter } from './painter';
import { meets } from './shapes';

const TILE = 512;
/** Tiles overlap by a pixel so that no seam shows between them. */
const BLEED = 1;

interface Tile {
  id: string;
  canvas: HTMLCanvasElement;
  box: Box;
  scale: number;
  edition: number;
}

export class Tiles {
  private readonly tiles = new Map<string, Tile>();
  private queue: Tile[] = [];
  /** How many tiles are being drawn. */
  private inWork = 0;
  private scale = 1;
  /** Tiles of an earlier edition show another theme, or other marks. */
  private edition = 0;
  private options: SceneOptions | null = null;
  private view: Box = { x: 0, y: 0, width: 0, height: 0 };
  private painter: Painter;
  private sketch: HTMLCanvasElement | null = null;

  constructor(
    private readonly holder: HTMLElement,
    private readonly sitter: Sitter,
  ) {
    this.painter = makePainter(sitter);
  }

  /** Changes what is drawn; everything is drawn anew. */
  dress(options: SceneOptions): void {
    this.edition++;
    this.options = options;
    this.painter.sit(options);
    this.lay(options);
  }

  /** Lays the sketch under the tiles, so that nothing ever stands on a void. */
  private lay(options: SceneOptions): void {
    const sketch = this.sitter.sketch?.(options);
    if (!sketch) return;
    const { x, y, width, height } = this.sitter.box;
    sketch.style.cssText = `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
    sketch.dataset.testid = 'sketch';
    this.sketch?.remove();
    this.holder.prepend(sketch);
    this.sketch = sketch;
  }

  /** Shows a part of the map; `scale` in device pixels a map unit. */
  show(view: Box, scale: number): void {
    if (!this.options) return;
    this.view = view;
    this.scale = scale;
    const size = TILE / scale;
    const margin = size / 2;
    const sheet = this.sitter.box;
    const left = Math.max(view.x - margin, sheet.x - 4);
    const top = Math.max(view.y - margin, sheet.y - 4);
    const right = Math.min(view.x + view.width + margin, sheet.x + sheet.width + 4);
    const bottom = Math.min(view.y + view.height + margin, sheet.y + sheet.height + 4);
    for (let j = Math.floor(top / size); j * size < bottom; j++) {
      for (let i = Math.floor(left / size); i * size < right; i++) this.want(i, j, size);
    }
    this.work();
  }

  destroy(): void {
    this.painter.close();
    this.sketch?.remove();
    this.tiles.clear();
    this.queue = [];
  }

  private want(i: number, j: number, size: number): void {
    const id = `${this.edition} ${this.scale.toFixed(5)} ${i} ${j}`;
    if (this.tiles.has(id)) return;
    const bleed = BLEED / this.scale;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = TILE + 2 * BLEED;
    const whole = size + 2 * bleed;
    const box = { x: i * size - bleed, y: j * size - bleed, width: whole, height: whole };
    canvas.style.cssText = `position:absolute;left:${box.x}px;top:${box.y}px;width:${whole}px;height:${whole}px`;
    const tile = { id, canvas, box, scale: this.scale, edition: this.edition };
    this.tiles.set(id, tile);
    this.queue.push(tile);
  }

  private isCurrent(tile: Tile): boolean {
    return tile.scale === this.scale && tile.edition === this.edition;
  }

  /** Has the next tiles drawn, those in view first; those that are no longer wanted are not begun. */
  private work(): void {
    for (const tile of this.queue) if (!this.isCurrent(tile)) this.tiles.delete(tile.id);
    this.queue = this.queue.filter((tile) => this.isCurrent(tile));
    this.queue.sort((a, b) => Number(meets(b.box, this.view)) - Number(meets(a.box, this.view)));
    while (this.inWork < this.painter.hands && this.queue.length > 0) void this.draw(this.queue.shift()!);
    const done = this.inWork === 0;
    if (done) this.tidy();
    this.holder.dataset.drawn = String(done);
  }

  private async draw(tile: Tile): Promise<void> {
    this.inWork++;
    const { painter } = this;
    try {
      await painter.draw(tile.canvas, tile.box, tile.scale);
      if (this.tiles.get(tile.id) === tile) this.holder.append(tile.canvas);
    } catch {
      if (painter === this.painter) this.drawOnPage();
      this.queue.push(tile);
    }
    this.inWork--;
    this.work();
  }

  /** The thread does not run in this browser: the page goes on alone. */
  private drawOnPage(): void {
    this.painter.close();
    this.painter = new PagePainter(this.sitter);
    if (this.options) this.painter.sit(this.options);
  }

  /** Forgets tiles of other scales and editions, and those far out of view. */
  private tidy(): void {
    const { x, y, width, height } = this.view;
    const near = { x: x - width, y: y - height, width: width * 3, height: height * 3 };
    for (const [id, tile] of this.tiles) {
      if (this.isCurrent(tile) && meets(tile.box, near)) continue;
      tile.canvas.remove();
      this.tiles.delete(id);
    }
  }
}
