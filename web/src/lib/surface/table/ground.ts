/** The free table as a ground: a rectangle in inches, on which stands are discs or squares. */
import type { Box, Point } from '../../geometry';
import type { CounterLooks, Place, TableData, Unit } from '../../protocol';
import type { Arrow, Ground, Lie, Picture } from '../ground';
import { frameOf } from '../../render/table/frame';
import { makeTable, PER_INCH, type TableModel } from '../../render/table/model';
import { lettering, namesOf } from '../../render/table/names';
import { named, spotOf, textOf, type Spot } from '../places';
import { legible } from '../../counters/near';
import { baseOf, cornersOf, type Base } from './base';
import { detailOf, magnified } from './face';
import Face from './Face.svelte';
import Ghosts from './Ghosts.svelte';
import { grip } from './grip';
import Legend from './Legend.svelte';
import { tablePicture } from './picture';
import Panel from './Panel.svelte';
import Stands from './Stands.svelte';
import { lyingAt, namesOfAll } from './survey';

const SCALE = PER_INCH / 1000;
/** The keyboard's cursor goes by half inches. */
const STEP = 500;
const WAYS: Record<Arrow, Spot> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** By the word for an edge: where it lies (null: all along), and the way out over it in degrees. */
const EDGES: Record<string, [number | null, number | null, number]> = {
  north: [null, 0, 0],
  east: [1, null, 90],
  south: [null, 1, 180],
  west: [0, null, 270],
};

/** The size of a stand that is carried: it covers no figure of its carrier. */
const PASSENGER = 0.44;

export class TableGround implements Ground {
  readonly box;
  readonly sheet;
  readonly shape: Base;
  /** Half the width of a base, and the whole of it, in map units. */
  readonly base: number;
  readonly counter: number;
  readonly cells: readonly Place[] = [];
  readonly grip = grip;
  readonly Under = Stands;
  readonly Over = Ghosts;
  readonly Legend = Legend;
  readonly Panel = Panel;
  readonly Unit = Face;
  readonly model: TableModel;
  readonly standWidth: number;
  readonly measures: boolean;

  constructor(readonly data: TableData & { counters?: CounterLooks }) {
    this.shape = baseOf(data.counters);
    this.measures = data.measuring ?? true;
    this.model = makeTable(data);
    this.sheet = this.model.box;
    this.box = frameOf(this.sheet);
    this.standWidth = data.base;
    this.base = (data.base / 2) * SCALE;
    this.counter = 2 * this.base;
  }

  picture(holder: HTMLElement): Picture {
    return tablePicture(holder, this.data, this.model);
  }

  /** Those that lie level; at a slant the box of a name is mostly empty. */
  names(zoom: number): readonly Box[] {
    const level = lettering(namesOf(this.model), zoom, this.sheet).filter(
      ({ angle }) => Math.abs(angle) < 0.2,
    );
    return level.map(({ box }) => box);
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

  swollen(zoom: number): number {
    return magnified(this.counter * zoom);
  }

  dress(unit: Unit, px: number): Record<string, unknown> {
    const aboard = unit.carrier !== null;
    return { detail: aboard ? 'sign' : detailOf(px), aboard, px: legible(px) };
  }

  share(unit: Unit, all: readonly Unit[]): { x: number; y: number; size: number } {
    if (unit.carrier === null) {
      // Two stands share a point on a road only: the later one lies a little aside.
      const n = all.filter((other) => other.carrier === null).indexOf(unit);
      return { x: n * 0.24, y: -n * 0.24, size: 1 };
    }
    const n = all.filter((other) => other.carrier === unit.carrier).indexOf(unit);
    return { x: -0.5, y: 0.42 + n * PASSENGER, size: PASSENGER };
  }

  /** To a twentieth of an inch, which is finer than the hand. */
  pointed(p: Point): Place | null {
    const { width, height } = this.sheet;
    if (p.x < 0 || p.y < 0 || p.x > width || p.y > height) return null;
    const [x, y] = this.spot(p);
    return textOf([Math.round(x / 50) * 50, Math.round(y / 50) * 50]);
  }

  outline(place: Place, inset = 0, facing = 0): Point[] {
    const c = this.at(place);
    return c ? cornersOf(this.shape, c, this.base - inset, facing) : [];
  }

  /** Three ways over the edge that a word like `north` names. */
  ways(place: Place): { at: Point; angle: number }[] {
    const { width, height } = this.sheet;
    const edge = EDGES[place];
    if (!edge) return [];
    const [x, y, angle] = edge;
    return [0.25, 0.5, 0.75].map((part) => ({
      at: { x: width * (x ?? part), y: height * (y ?? part) },
      angle,
    }));
  }

  length(thousandths: number): number {
    return thousandths * SCALE;
  }

  lie(place: Place): Lie | null {
    const spot = spotOf(place);
    if (!spot) return null;
    const { features, level } = lyingAt(this.model, this.point(spot));
    const kinds = features.filter((f) => f.shape !== 'contour').map((f) => f.kind.replace(/-/g, ' '));
    return {
      name: `${named(place)}″`,
      terrain: [...new Set(kinds)],
      level,
      label: namesOfAll(features).join(', '),
    };
  }

  step(from: Place | null, arrow: Arrow): Place | null {
    const [width, height] = this.data.size;
    const [x, y] = spotOf(from ?? '') ?? [width / 2, height / 2];
    const [dx, dy] = WAYS[arrow];
    const within = (n: number, most: number) => Math.min(most, Math.max(0, n));
    return textOf([within(x + dx * STEP, width), within(y + dy * STEP, height)]);
  }
}
