/**
 * The lie of the land between the centres of hexes: soft borders of ground, and heights.
 *
 * A sheet of samples lies over the map. Each knows how near the hexes round it are, so that the share of one kind of
 * ground at any place is a sum of seven numbers. Where the share is a half runs the border: a soft line that keeps the
 * centre of every hex on its own side, as a hexagon does.
 */
import type { Box, Point } from '../geometry';
import { bounds, centre, hexAt, key, neighbour, type Axial } from '../hexgeo';
import type { MapHex } from '../protocol';
import { fbm } from './noise';

/** Map units from one sample to the next. */
export const STEP = 8;
/** How far a hex is felt, in map units: a little more than from one centre to the next. */
const FELT = 116;
/** How far a border strays by whim, in map units. */
const STRAY = 11;
const NEAR = 7;

/** The shares of some ground, sample by sample. */
export type Share = Float32Array;

export class Land {
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  private readonly index: Int16Array;
  private readonly weight: Float32Array;
  private readonly known = new Map<string, Share>();

  constructor(
    private readonly hexes: readonly MapHex[],
    byPlace: ReadonlyMap<string, MapHex>,
    sheet: Box,
  ) {
    const margin = 2 * STEP;
    this.box = { x: sheet.x - margin, y: sheet.y - margin, width: 0, height: 0 };
    this.width = Math.ceil((sheet.width + 2 * margin) / STEP) + 1;
    this.height = Math.ceil((sheet.height + 2 * margin) / STEP) + 1;
    this.box.width = (this.width - 1) * STEP;
    this.box.height = (this.height - 1) * STEP;
    this.index = new Int16Array(this.width * this.height * NEAR).fill(-1);
    this.weight = new Float32Array(this.width * this.height * NEAR);
    this.weigh(byPlace);
  }

  private weigh(byPlace: ReadonlyMap<string, MapHex>): void {
    const numbers = new Map(this.hexes.map((hex, i) => [hex, i]));
    const around = new Map<number, readonly Felt[]>();
    const { width, height, box } = this;
    const [straysX, straysY] = [this.strays(11), this.strays(12)];
    for (let j = 0, n = 0, s = 0; j < height; j++) {
      for (let i = 0; i < width; i++, n += NEAR, s++) {
        const p = { x: box.x + i * STEP + straysX[s]!, y: box.y + j * STEP + straysY[s]! };
        const { q, r } = hexAt(p);
        const id = (q + 2048) * 4096 + r + 2048;
        let ring = around.get(id);
        if (!ring) around.set(id, (ring = ringOf({ q, r }, byPlace, numbers)));
        let felt = 0;
        let sum = 0;
        for (let k = 0; k < ring.length; k++) {
          const { hex, x, y } = ring[k]!;
          const near = 1 - ((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y)) / (FELT * FELT);
          if (near <= 0) continue;
          this.index[n + felt] = hex;
          this.weight[n + felt++] = near * near * near;
          sum += near * near * near;
        }
        for (let k = 0; k < felt; k++) this.weight[n + k]! /= sum;
      }
    }
  }

  /** How far each sample strays: said at every fourth, and blended between. */
  private strays(seed: number): Float32Array {
    const { width, height } = this;
    const across = (width >> 2) + 2;
    const coarse = Float32Array.from({ length: across * ((height >> 2) + 2) }, (_, n) => {
      const [x, y] = [(n % across) * 4 * STEP, Math.floor(n / across) * 4 * STEP];
      return STRAY * fbm((this.box.x + x) / 58, (this.box.y + y) / 58, seed);
    });
    const found = new Float32Array(width * height);
    for (let j = 0, s = 0; j < height; j++) {
      for (let i = 0; i < width; i++, s++) {
        const [u, v] = [(i & 3) / 4, (j & 3) / 4];
        const at = (j >> 2) * across + (i >> 2);
        const top = coarse[at]! * (1 - u) + coarse[at + 1]! * u;
        const foot = coarse[at + across]! * (1 - u) + coarse[at + across + 1]! * u;
        found[s] = top * (1 - v) + foot * v;
      }
    }
    return found;
  }

  /** The share of the hexes for which this is so, at every sample; `id` names the question. */
  share(id: string, member: (hex: MapHex) => boolean): Share {
    let found = this.known.get(id);
    if (!found) {
      const counts = Float32Array.from(this.hexes, (hex) => (member(hex) ? 1 : 0));
      this.known.set(id, (found = this.summed(counts)));
    }
    return found;
  }

  /** The levels, as slopes from one to the next. */
  heights(): Share {
    return this.summed(Float32Array.from(this.hexes, (hex) => hex.level));
  }

  private summed(counts: Float32Array): Share {
    const found = new Float32Array(this.width * this.height);
    for (let s = 0, n = 0; s < found.length; s++, n += NEAR) {
      let sum = 0;
      for (let k = 0; k < NEAR; k++) {
        const hex = this.index[n + k]!;
        if (hex < 0) break;
        sum += counts[hex]! * this.weight[n + k]!;
      }
      found[s] = sum;
    }
    return found;
  }

  /** The share at a place, from the four samples round it. */
  at(share: Share, { x, y }: Point): number {
    const u = Math.max(0, Math.min(this.width - 1.001, (x - this.box.x) / STEP));
    const v = Math.max(0, Math.min(this.height - 1.001, (y - this.box.y) / STEP));
    const [i, j] = [Math.floor(u), Math.floor(v)];
    const [a, b] = [u - i, v - j];
    const s = j * this.width + i;
    const top = share[s]! * (1 - a) + share[s + 1]! * a;
    const foot = share[s + this.width]! * (1 - a) + share[s + this.width + 1]! * a;
    return top * (1 - b) + foot * b;
  }

  /** The borders of the ground whose share is at least so much, closed, with the ground on their right hand. */
  borders(share: Share, least = 0.5): Point[][] {
    return traced(share, this.width, this.height, least).map((loop) =>
      loop.map(({ x, y }) => ({ x: this.box.x + x * STEP, y: this.box.y + y * STEP })),
    );
  }
}

/** A hex that is felt at a place, and its middle. */
interface Felt extends Point {
  hex: number;
}

/** Whose ground goes on beyond the edge of the map: that to the north or south first. */
const STAND_INS = [0, 3, 1, 2, 4, 5];

/** A hex and those round it; beyond the map the nearest ground goes on. */
function ringOf(
  at: Axial,
  byPlace: ReadonlyMap<string, MapHex>,
  numbers: ReadonlyMap<MapHex, number>,
): readonly Felt[] {
  const found = (place: Axial) => byPlace.get(key(place.q, place.r));
  return [at, ...[0, 1, 2, 3, 4, 5].map((d) => neighbour(at, d))].flatMap((place) => {
    const hex = found(place) ?? STAND_INS.flatMap((d) => found(neighbour(place, d)) ?? [])[0];
    return hex ? [{ hex: numbers.get(hex)!, ...centre(place) }] : [];
  });
}

/** The sheet that is printed: the map's hexes, cut straight where its outermost ones are only halves. */
export function sheetOf(hexes: readonly MapHex[]): Box {
  const whole = bounds(hexes);
  const inner = bounds(hexes.filter((hex) => hex.playable));
  const middles = hexes.map(centre);
  if (middles.length === 0 || inner.width <= 1) return whole;
  const xs = middles.map((p) => p.x);
  const ys = middles.map((p) => p.y);
  // Half-hexes are cut through their middles; beside whole ones the sheet ends where they do.
  const left = inner.x > whole.x + 1 ? Math.min(...xs) : whole.x;
  const top = inner.y > whole.y + 1 ? Math.min(...ys) : whole.y;
  const right = inner.x + inner.width < whole.x + whole.width - 1 ? Math.max(...xs) : whole.x + whole.width;
  const foot = inner.y + inner.height < whole.y + whole.height - 1 ? Math.max(...ys) : whole.y + whole.height;
  return { x: left, y: top, width: right - left, height: foot - top };
}

/**
 * Marching squares: the closed lines on which samples pass a threshold, in samples. Beyond the sheet nothing passes,
 * so that every line closes.
 */
export function traced(share: Share, width: number, height: number, least: number): Point[][] {
  const value = (i: number, j: number) =>
    i < 0 || j < 0 || i >= width || j >= height ? -least : share[j * width + i]! - least;
  const kindAt = (i: number, j: number) =>
    (value(i, j) >= 0 ? 1 : 0) |
    (value(i + 1, j) >= 0 ? 2 : 0) |
    (value(i + 1, j + 1) >= 0 ? 4 : 0) |
    (value(i, j + 1) >= 0 ? 8 : 0);
  // Each edge of the lattice that a line crosses has a number; `next` leads from one to the following.
  const span = width + 2;
  const next = new Map<number, number>();
  const across = (i: number, j: number) => ((j + 1) * span + i + 1) * 2;
  const down = (i: number, j: number) => ((j + 1) * span + i + 1) * 2 + 1;
  for (let j = -1; j < height; j++) {
    for (let i = -1; i < width; i++) {
      const kind = kindAt(i, j);
      if (kind === 0 || kind === 15) continue;
      const edges = [across(i, j), down(i + 1, j), across(i, j + 1), down(i, j)];
      for (const [from, to] of TURNS[kind]!) next.set(edges[from]!, edges[to]!);
    }
  }
  const loops: Point[][] = [];
  while (next.size > 0) {
    const loop: Point[] = [];
    let at = next.keys().next().value as number;
    for (let to = next.get(at); to !== undefined; to = next.get(at)) {
      next.delete(at);
      const edge = at >> 1;
      const [i, j] = [(edge % span) - 1, Math.floor(edge / span) - 1];
      const v = value(i, j);
      const w = at & 1 ? value(i, j + 1) : value(i + 1, j);
      const t = v === w ? 0.5 : v / (v - w);
      loop.push(at & 1 ? { x: i, y: j + t } : { x: i + t, y: j });
      at = to;
    }
    if (loop.length > 3) loops.push(loop);
  }
  return loops;
}

/** For each pattern of corners that pass (upper left 1, upper right 2, lower right 4, lower left 8), from side to side. */
const TURNS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 3]],
  [[1, 0]],
  [[1, 3]],
  [[2, 1]],
  [
    [0, 3],
    [2, 1],
  ],
  [[2, 0]],
  [[2, 3]],
  [[3, 2]],
  [[0, 2]],
  [
    [1, 0],
    [3, 2],
  ],
  [[1, 2]],
  [[3, 1]],
  [[0, 1]],
  [[3, 0]],
  [],
];
