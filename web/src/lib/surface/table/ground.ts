/** The free table as a ground: a rectangle in inches, on which stands have round bases. */
import type { Point } from '../../geometry';
import type { Place, TableData } from '../../protocol';
import type { Arrow, Ground, Lie, Picture } from '../ground';
import { spotOf, textOf, type Spot } from '../places';
import Ghosts from './Ghosts.svelte';
import { grip } from './grip';
import { tablePicture } from './picture';
import Stands from './Stands.svelte';

/** Map units to the inch. */
export const PER_INCH = 64;
const SCALE = PER_INCH / 1000;
/** The keyboard's cursor goes by half inches. */
const STEP = 500;
const WAYS: Record<Arrow, Spot> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
/** The number of corners with which a circle is drawn. */
const CORNERS = 36;

export class TableGround implements Ground {
  readonly box;
  /** The radius of a base in map units; a counter is the square within. */
  readonly base: number;
  readonly counter: number;
  readonly cells: readonly Place[] = [];
  readonly grip = grip;
  readonly Under = Stands;
  readonly Over = Ghosts;

  constructor(private readonly data: TableData) {
    const [width, height] = data.size;
    this.box = { x: 0, y: 0, width: width * SCALE, height: height * SCALE };
    this.base = (data.base / 2) * SCALE;
    this.counter = this.base * Math.SQRT2;
  }

  picture(holder: HTMLElement): Picture {
    return tablePicture(holder, this.box, PER_INCH);
  }

  at(place: Place): Point | null {
    const spot = spotOf(place);
    return spot && this.point(spot);
  }

  /** A point of the table in map units. */
  point([x, y]: Spot): Point {
    return { x: x * SCALE, y: y * SCALE };
  }

  /** Map units as a point of the table. */
  spot({ x, y }: Point): Spot {
    return [Math.round(x / SCALE), Math.round(y / SCALE)];
  }

  outline(place: Place, inset = 0): Point[] {
    const c = this.at(place);
    if (!c) return [];
    const r = this.base - inset;
    return Array.from({ length: CORNERS }, (_, i) => {
      const turn = (i / CORNERS) * 2 * Math.PI;
      return { x: c.x + r * Math.cos(turn), y: c.y + r * Math.sin(turn) };
    });
  }

  lie(place: Place): Lie | null {
    return spotOf(place) && { name: `${place}″`, terrain: [], level: 0, label: '' };
  }

  step(from: Place | null, arrow: Arrow): Place | null {
    const [width, height] = this.data.size;
    const [x, y] = spotOf(from ?? '') ?? [width / 2, height / 2];
    const [dx, dy] = WAYS[arrow];
    const within = (n: number, most: number) => Math.min(most, Math.max(0, n));
    return textOf([within(x + dx * STEP, width), within(y + dy * STEP, height)]);
  }
}
