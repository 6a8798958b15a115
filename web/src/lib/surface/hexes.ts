/** A map of hexes as a ground. */
import type { Box, Point } from '../geometry';
import { centre, corners, distance, key, neighbour, outlines, type Axial } from '../hexgeo';
import { legible } from '../counters/near';
import type { HexData, MapHex, Place, Unit } from '../protocol';
import { nameBoxes } from '../render/labels';
import { makeModel, type MapModel } from '../render/model';
import { sketch } from '../render/sketch';
import { Tiles } from '../render/tiles';
import Around from './hexes/Around.svelte';
import { costSpot } from './hexes/cost';
import Facings from './hexes/Facings.svelte';
import type { Arrow, Ground, Lie, Picture } from './ground';

/** Directions to try, in order. Left and right zigzag, so that a row of hexes can be walked along. */
function directions(hex: MapHex, arrow: Arrow): number[] {
  const even = hex.q % 2 === 0;
  switch (arrow) {
    case 'ArrowUp':
      return [0];
    case 'ArrowDown':
      return [3];
    case 'ArrowRight':
      return even ? [1, 2] : [2, 1];
    case 'ArrowLeft':
      return even ? [5, 4] : [4, 5];
  }
}

const keyOf = ({ q, r }: Axial) => key(q, r);

export class HexGround implements Ground {
  readonly counter = 62;
  readonly cells: readonly Place[];
  private readonly model: MapModel;

  constructor(data: HexData) {
    this.model = makeModel(data);
    this.cells = data.hexes.map((hex) => hex.name);
  }

  /** What the map shows about a unit lies below the counters. */
  readonly Under = Around;
  readonly Over = Facings;

  hexes(places: readonly Place[]): MapHex[] {
    return places.flatMap((place) => this.model.byName.get(place) ?? []);
  }

  rim(places: readonly Place[]): string {
    const within = new Set(places);
    const isMember = (q: number, r: number) => {
      const hex = this.model.byPlace.get(key(q, r));
      return hex !== undefined && within.has(hex.name);
    };
    return outlines(this.hexes(places), isMember)
      .map((loop) => `M${loop.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`)
      .join('');
  }

  holds(places: readonly Place[], q: number, r: number): boolean {
    const hex = this.model.byPlace.get(key(q, r));
    return hex !== undefined && places.includes(hex.name);
  }

  private lettered: readonly Box[] | null = null;

  names(): readonly Box[] {
    return (this.lettered ??= nameBoxes(this.model));
  }

  get box() {
    return this.model.box;
  }

  get sheet() {
    return this.model.sheet;
  }

  dress(_unit: Unit, px: number): Record<string, unknown> {
    return { px: legible(px) };
  }

  readonly lattice = this;

  /** How many hexes two places lie apart. */
  apart(a: Place, b: Place): number {
    const [from, to] = [this.model.byName.get(a), this.model.byName.get(b)];
    return from && to ? distance(from, to) : Infinity;
  }

  /** The place that lies from another as the end of a way lies from its beginning; null off the map. */
  shifted(place: Place, from: Place, to: Place): Place | null {
    const [here, start, end] = [place, from, to].map((name) => this.model.byName.get(name));
    if (!here || !start || !end) return null;
    return this.model.byPlace.get(key(here.q + end.q - start.q, here.r + end.r - start.r))?.name ?? null;
  }

  picture(holder: HTMLElement): Picture {
    const { model } = this;
    return new Tiles(holder, {
      box: model.box,
      data: model.data,
      hire: () => new Worker(new URL('../render/thread.ts', import.meta.url), { type: 'module' }),
      // Only a browser without threads needs the drawing in the page.
      scene: async (options) => (await import('../render/map')).makeScene(model, options),
      sketch: ({ theme }) => sketch(model, theme),
    });
  }

  at(place: Place): Point | null {
    const hex = this.model.byName.get(place);
    return hex ? centre(hex) : null;
  }

  /** At the foot of a hex; in a hex with a name at its foot, beside its number. */
  costAt(place: Place): Point | null {
    const hex = this.model.byName.get(place);
    return hex ? costSpot(hex) : null;
  }

  outline(place: Place, inset = 0): Point[] {
    const hex = this.model.byName.get(place);
    return hex ? corners(hex, inset) : [];
  }

  /** Out of the map, over the sides that have no neighbour. */
  ways(place: Place): { at: Point; angle: number }[] {
    const hex = this.model.byName.get(place);
    if (!hex) return [];
    const out = [0, 1, 2, 3, 4, 5].filter((d) => !this.model.byPlace.has(keyOf(neighbour(hex, d))));
    if (out.length === 0) return [];
    const x = out.reduce((sum, d) => sum + Math.sin((d * Math.PI) / 3), 0);
    const y = out.reduce((sum, d) => sum - Math.cos((d * Math.PI) / 3), 0);
    const far = Math.hypot(x, y) || 1;
    const middle = centre(hex);
    const at = { x: middle.x + (x / far) * 44, y: middle.y + (y / far) * 44 };
    return [{ at, angle: (Math.atan2(x, -y) * 180) / Math.PI }];
  }

  lie(place: Place): Lie | null {
    const hex = this.model.byName.get(place);
    return hex?.within ? { ...hex, label: hex.within } : (hex ?? null);
  }

  step(from: Place | null, arrow: Arrow): Place | null {
    const hexes = this.model.data.hexes;
    const hex = from === null ? hexes[Math.floor(hexes.length / 2)] : this.model.byName.get(from);
    if (!hex) return null;
    for (const direction of directions(hex, arrow)) {
      const next = neighbour(hex, direction);
      const found = this.model.byPlace.get(key(next.q, next.r));
      if (found) return found.name;
    }
    return null;
  }
}
