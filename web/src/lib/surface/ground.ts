/** The ground of a game as its surface draws it. Only the grounds themselves know hexes or inches. */
import type { Component } from 'svelte';
import type { Game } from '../game.svelte';
import { polygonPoints, type Box, type Point, type Seen } from '../geometry';
import type { MapGround } from './hexes/column';
import type { Place, Unit, UnitId } from '../protocol';
import type { SceneOptions } from '../render/layer';

/** What lies at a place, as it is told in words. */
export interface Lie {
  /** The place as people read it. */
  name: string;
  terrain: string[];
  level: number;
  /** Its names as they stand within a sentence. */
  label: string;
}

/** The one name for a place: that of the village, not of all roads that meet there. */
export const areaOf = (lie: Lie | null | undefined) => lie?.label.split(', ')[0] ?? '';

/** The picture under everything, drawn into an element of its own. */
export interface Picture {
  /** Changes how it is drawn; everything is drawn anew. */
  dress(options: SceneOptions): void;
  /** Shows a part of the ground; `scale` in device pixels a map unit. */
  show(view: Box, scale: number): void;
  destroy(): void;
}

export interface LayerProps {
  game: Game;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ground: any;
  /** Page pixels to a map unit. */
  zoom: number;
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** How a pointer does something. */
export interface Manner {
  /** By a finger, which covers what it points at. */
  touch: boolean;
  /** A corner of the way is meant, not its end. */
  bend: boolean;
}

/** What a pointer can do with stands, where they are moved by hand. Points are in map units. */
export interface Grip {
  /** Takes up a unit; says whether it can be, or else it is the ground that is dragged. */
  take(game: Game, unit: UnitId): boolean;
  lead(game: Game, to: Point): void;
  /** The pointer passes over the ground with no button down. */
  hover(game: Game, at: Point): void;
  drop(game: Game, manner: Manner): void;
  /** A click on the ground; says whether it meant what is held. */
  click(game: Game, at: Point, manner: Manner): boolean;
  /** A notch of the wheel while something is held, or a key; says whether anything turned. */
  turn(game: Game, step: 1 | -1): boolean;
  /** Two fingers turn; says whether anything turned. */
  twist(game: Game, degrees: number): boolean;
}

export interface Ground {
  readonly box: Box;
  /** The part of it on which there is something, without the frame. */
  readonly sheet: Box;
  /** The side of a counter, in map units. */
  readonly counter: number;
  /** The width of a stand where every point is a place, in 1/1000 inch, and its shape. */
  readonly standWidth?: number;
  readonly shape?: 'disc' | 'square';
  /** The places that can each be pointed at; none where every point is a place. */
  readonly cells: readonly Place[];
  picture(holder: HTMLElement): Picture;
  /** The middle of a place in map units; null for a place that this ground does not have. */
  at(place: Place): Point | null;
  /** The middle of the figure that tells what a place costs, where it covers no counter and no name. */
  costAt?(place: Place): Point | null;
  /** The place under the pointer, where every point is one; null off the ground. */
  pointed?(at: Point): Place | null;
  /** Where names are lettered on the ground, at this number of page pixels to a map unit. */
  names(zoom: number): readonly Box[];
  /** The corners of a place's mark, drawn in by `inset` and turned; none for a place that this ground does not have. */
  outline(place: Place, inset?: number, facing?: number): Point[];
  /** A closed line round these places, as a path; where every point is a place no ground has one. */
  rim?(places: readonly Place[]): string;
  /** What lies at a place; null for a place that this ground does not have. */
  lie(place: Place): Lie | null;
  /** The place that an arrow key leads to; from nowhere it leads to the middle. */
  step(from: Place | null, arrow: Arrow): Place | null;
  /** How places lie to one another, where units on a map of hexes move together. */
  readonly lattice?: MapGround;
  /** Where units leave by a place, and in which direction (degrees, 0 to the north, clockwise). */
  ways(place: Place): { at: Point; angle: number }[];
  /** A length on the free table, given in 1/1000 inch, in map units. */
  length?(thousandths: number): number;
  readonly grip?: Grip;
  /** Whether there are distances that may be measured before a decision. */
  readonly measures?: boolean;
  /** How a unit is drawn, where not as a counter; `dress` adds what it shows at so many pixels of the screen. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly Unit?: Component<any>;
  dress?(unit: Unit, px: number): Record<string, unknown>;
  /** How much larger than true units are drawn, at a number of page pixels to the map unit. */
  swollen?(zoom: number): number;
  /** Where units of one place lie, all to be seen: off its middle, and how large, in parts of a unit. */
  share?(unit: Unit, all: readonly Unit[]): { x: number; y: number; size: number };
  /** Drawn below the counters and above them, where a ground has more to show. */
  readonly Under?: Component<LayerProps>;
  readonly Over?: Component<LayerProps & { seen: Seen }>;
  /** Beside the ground, in the panel: what only this ground needs. */
  readonly Panel?: Component<{ game: Game }>;
  /** Beside the ground, over whatever part of it is in view. */
  readonly Legend?: Component<LayerProps & { x: number; y: number; width: number; height: number }>;
}

/** The outlines of a ground's places, as SVG writes them. */
export const outlineOn =
  (ground: Ground) =>
  (place: Place, inset = 0): string =>
    polygonPoints(ground.outline(place, inset));
