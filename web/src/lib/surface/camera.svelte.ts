/** What of the map is in view, and how large: moved by the hand, by what happens, and by a glass of another size. */
import type { Box, Point } from '../geometry';
import { busiest, filling, held, shift } from './camera';

const LEAST = 0.12;
const MOST = 4;
/** A view that is so many times as wide or as high as before, or as narrow or as low, is another one. */
const RESIZED = 1.25;
/** So much of the map stays in view, in pixels. */
const KEPT = 90;

export class Camera {
  /** The size of the glass, in pixels. */
  width = $state(0);
  height = $state(0);
  /** The pixels at its foot that lie under something else. */
  foot = $state(0);
  /** The height of the part that can be seen. */
  readonly free = $derived(Math.max(80, this.height - this.foot));
  /** Where the map's origin lies on the glass. */
  x = $state(0);
  y = $state(0);
  /** Pixels to a map unit. */
  zoom = $state(0.8);
  /** The zoom at which all was last drawn sharp. */
  sharp = $state(0.8);
  moving = $state(false);
  /** The map has been fitted into the glass. */
  fitted = false;
  /** Since then the player has moved or zoomed it, or chosen something that it came nearer for. */
  handled = false;
  /** The size of the glass to which the map was fitted. */
  private room = { width: 1, height: 1 };
  private timer = 0;

  constructor(
    private readonly box: () => Box | null,
    private readonly draw: () => void,
  ) {}

  private density(): number {
    return Math.min(window.devicePixelRatio || 1, 3);
  }

  /** Draws all sharp once the map has come to rest. */
  settle(delay = 130): void {
    clearTimeout(this.timer);
    this.moving = true;
    this.timer = window.setTimeout(() => {
      const density = this.density();
      this.moving = false;
      this.sharp = this.zoom;
      this.x = Math.round(this.x * density) / density;
      this.y = Math.round(this.y * density) / density;
      this.draw();
    }, delay);
  }

  clamp(): void {
    const box = this.box();
    if (!box) return;
    const { zoom } = this;
    this.x = Math.min(this.width - KEPT - box.x * zoom, Math.max(KEPT - (box.x + box.width) * zoom, this.x));
    this.y = Math.min(this.free - KEPT - box.y * zoom, Math.max(KEPT - (box.y + box.height) * zoom, this.y));
  }

  /** Pixels of the glass in map units. */
  onMap({ x: px, y: py }: Point): Point {
    return { x: (px - this.x) / this.zoom, y: (py - this.y) / this.zoom };
  }

  /** Whether a point of the map is in view, at least `margin` pixels from the edge of the glass. */
  shows(point: Point, margin = 0): boolean {
    const [px, py] = [this.x + point.x * this.zoom, this.y + point.y * this.zoom];
    return px > margin && py > margin && px < this.width - margin && py < this.free - margin;
  }

  /** The zoom that shows all of a box, and as much as there may be. */
  private zoomFor(box: Box, most = MOST): number {
    const margin = Math.min(28, this.width * 0.03);
    return Math.max(LEAST, Math.min(most, filling(box, this.width, this.free, margin)));
  }

  /** The largest zoom at which all of a box is in view. */
  zoomToShow(box: Box): number {
    return filling(box, this.width, this.free, 0);
  }

  /** Brings all of a box into view: moves the map as little as is needed, and zooms out only if it must. */
  keep(box: Box): void {
    this.handled = true;
    const whole = this.box();
    const least = whole ? Math.min(this.zoom, this.zoomFor(whole)) : LEAST;
    const next = Math.max(least, Math.min(this.zoom, this.zoomToShow(box)));
    const middle = this.onMap({ x: this.width / 2, y: this.free / 2 });
    this.x += middle.x * (this.zoom - next);
    this.y += middle.y * (this.zoom - next);
    this.zoom = next;
    this.x += shift([this.x + box.x * next, this.x + (box.x + box.width) * next], this.width, 0);
    this.y += shift([this.y + box.y * next, this.y + (box.y + box.height) * next], this.free, 0);
    this.settle(0);
  }

  /** The whole map. */
  fit(): void {
    const box = this.box();
    if (!box || this.width === 0 || this.height === 0) return;
    this.fitted = true;
    this.handled = false;
    this.room = { width: this.width, height: this.height };
    this.zoom = this.zoomFor(box);
    this.x = (this.width - box.width * this.zoom) / 2 - box.x * this.zoom;
    this.y = (this.free - box.height * this.zoom) / 2 - box.y * this.zoom;
    this.settle(0);
  }

  /** All of a box of the map, no larger than `most`, and no less than the whole map. */
  frame(box: Box, most: number): void {
    const whole = this.box();
    if (!whole) return;
    this.lookAt(
      { x: box.x + box.width / 2, y: box.y + box.height / 2 },
      Math.max(this.zoomFor(whole), this.zoomFor(box, most)),
    );
  }

  /** The points of which the most lie close together. */
  crowd(points: readonly Point[], zoom: number): void {
    this.lookAt(busiest(points, this.width / zoom, this.free / zoom), zoom);
  }

  /** A point in the middle, with no more table round the map than must be. */
  private lookAt(point: Point, zoom: number): void {
    this.zoom = zoom;
    this.x = this.width / 2 - point.x * zoom;
    this.y = this.free / 2 - point.y * zoom;
    const box = this.box();
    if (box) {
      this.x = held(this.x, box.x * zoom, box.width * zoom, this.width);
      this.y = held(this.y, box.y * zoom, box.height * zoom, this.free);
    }
    this.settle(0);
  }

  /** Moves the map up over bare table, as far as its foot is hidden. */
  lift(): void {
    const box = this.box();
    if (!box) return;
    const bare = this.y + box.y * this.zoom;
    const hidden = bare + box.height * this.zoom - this.free;
    const up = Math.min(bare, hidden);
    if (up <= 0) return;
    this.y -= up;
    this.settle(0);
  }

  /** Moves the map down over bare table at its foot, as far as its top is hidden. */
  lower(): void {
    const box = this.box();
    if (!box) return;
    const top = this.y + box.y * this.zoom;
    const down = Math.min(-top, this.free - (top + box.height * this.zoom));
    if (down <= 0) return;
    this.y += down;
    this.settle(0);
  }

  /** Moves the map as little as is needed to show these points; `margin` in pixels. */
  show(points: readonly Point[], margin: number): void {
    if (points.length === 0) return;
    const across = shift(
      points.map((point) => this.x + point.x * this.zoom),
      this.width,
      margin,
    );
    const down = shift(
      points.map((point) => this.y + point.y * this.zoom),
      this.free,
      margin,
    );
    if (across === 0 && down === 0) return;
    this.x += across;
    this.y += down;
    this.settle(0);
  }

  /** Magnifies what lies at a point of the map, which stays where it is on the glass. */
  closeIn(point: Point, zoom: number): void {
    this.handled = true;
    const next = Math.min(MOST, zoom);
    this.x += point.x * (this.zoom - next);
    this.y += point.y * (this.zoom - next);
    this.zoom = next;
    this.clamp();
    this.settle(0);
  }

  zoomAt(px: number, py: number, factor: number): void {
    this.handled = true;
    const next = Math.max(LEAST, Math.min(MOST, this.zoom * factor));
    this.x = px - ((px - this.x) * next) / this.zoom;
    this.y = py - ((py - this.y) * next) / this.zoom;
    this.zoom = next;
    this.clamp();
    this.settle();
  }

  pan(dx: number, dy: number): void {
    this.handled = true;
    this.x += dx;
    this.y += dy;
    this.clamp();
    this.draw();
    this.settle();
  }

  /** Brings a point into the middle, if it is not in view; `nearer` from a map that is shown small. */
  centreOn(point: Point, always: boolean, nearer: boolean): void {
    const [px, py] = [this.x + point.x * this.zoom, this.y + point.y * this.zoom];
    const inside = px > 60 && py > 60 && px < this.width - 60 && py < this.free - 60;
    if (inside && !always) return;
    if (nearer && this.zoom < 0.5) this.zoom = 0.7;
    this.x = this.width / 2 - point.x * this.zoom;
    this.y = this.free / 2 - point.y * this.zoom;
    this.clamp();
    this.settle(0);
  }

  /** The glass has another size: what is shown has to be chosen anew, stays, or stays round the middle. */
  resized(): 'anew' | 'same' | 'moved' {
    const factors = [this.width / this.room.width, this.height / this.room.height];
    // The width may come before the height: each alone is a small change, and the map would stay beside the middle.
    if (!this.fitted || (!this.handled && this.foot === 0)) return 'anew';
    if (factors.every((factor) => factor > 1 / RESIZED && factor < RESIZED)) return 'same';
    if (!this.handled) return 'anew';
    this.keepMiddle();
    return 'moved';
  }

  private keepMiddle(): void {
    this.x += (this.width - this.room.width) / 2;
    this.y += (this.height - this.room.height) / 2;
    this.room = { width: this.width, height: this.height };
    this.clamp();
    this.settle(0);
  }
}
