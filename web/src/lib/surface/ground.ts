/** The ground of a game as its surface draws it. Only the grounds themselves know hexes or inches. */
import type { Box, Point } from '../geometry';
import type { Place } from '../protocol';

/** What lies at a place, as it is told in words. */
export interface Lie {
  /** The place as people read it. */
  name: string;
  terrain: string[];
  level: number;
  label: string;
}

export interface PictureOptions {
  theme: 'light' | 'dark';
  numbers: boolean;
  grid: boolean;
}

/** The picture under everything, drawn into an element of its own. */
export interface Picture {
  /** Changes how it is drawn; everything is drawn anew. */
  dress(options: PictureOptions): void;
  /** Shows a part of the ground; `scale` in device pixels a map unit. */
  show(view: Box, scale: number): void;
  destroy(): void;
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

export interface Ground {
  readonly box: Box;
  /** The side of a counter, in map units. */
  readonly counter: number;
  /** The places that can each be pointed at; none where every point is a place. */
  readonly cells: readonly Place[];
  picture(holder: HTMLElement): Picture;
  /** The middle of a place in map units; null for a place that this ground does not have. */
  at(place: Place): Point | null;
  /** The corners of a place's mark, drawn in by `inset`; none for a place that this ground does not have. */
  outline(place: Place, inset?: number): Point[];
  /** What lies at a place; null for a place that this ground does not have. */
  lie(place: Place): Lie | null;
  /** The place that an arrow key leads to; from nowhere it leads to the middle. */
  step(from: Place | null, arrow: Arrow): Place | null;
}
