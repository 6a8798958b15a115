/** A first look at a free table in flat colours, small and blurred: it lies there while the thread still draws. */
import type { Box } from '../../geometry';
import { coarse } from '../coarse';
import { pathOf } from '../shapes';
import { courseOf, type Feature, type TableModel } from './model';
import { coloursOf, type Colours } from './palette';

const FLAT: Readonly<Record<string, keyof Colours>> = {
  woods: 'woods',
  'heavy-woods': 'heavy',
  hedge: 'woodsRim',
  town: 'town',
  building: 'roofB',
  field: 'wheat',
  swamp: 'swamp',
  beach: 'sand',
  dune: 'dune',
  water: 'water',
  gully: 'gully',
  road: 'road',
  track: 'track',
};

/** The colour of a feature in the sketch; null if it is too small to be seen there. */
export function colourOf({ shape, look, level }: Feature, colours: Colours): string | null {
  if (shape === 'contour')
    return level < 1 ? null : [colours.level1, colours.level2, colours.level3][Math.min(level, 3) - 1]!;
  const name = FLAT[shape === 'building' ? 'building' : look];
  return name ? colours[name] : null;
}

/** Hills lie under all that covers them, the lower ones under the higher ones, and ways lie over all. */
export function inLayers(features: readonly Feature[]): Feature[] {
  const layer = ({ shape, level }: Feature) => (shape === 'contour' ? level - 100 : shape === 'line' ? 1 : 0);
  return features.toSorted((a, b) => layer(a) - layer(b));
}

export function sketch(model: TableModel, box: Box, theme: 'light' | 'dark'): HTMLCanvasElement {
  const ctx = coarse(box, model.box, theme);
  const colours = coloursOf(theme);
  ctx.fillStyle = colours.ground;
  ctx.fillRect(0, 0, model.box.width, model.box.height);
  for (const feature of inLayers(model.features)) {
    const colour = colourOf(feature, colours);
    if (colour === null) continue;
    ctx.fillStyle = ctx.strokeStyle = colour;
    ctx.lineWidth = feature.width;
    if (feature.rings.length > 0) ctx.fill(pathOf(feature.rings), 'evenodd');
    else if (feature.width > 0) ctx.stroke(courseOf(feature.way));
  }
  return ctx.canvas;
}
