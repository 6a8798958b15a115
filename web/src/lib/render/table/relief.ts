/** The lie of the land: heights from contours and channels, and the light from the north-west on them. */
import type { Box } from '../../geometry';
import { distance, grown, piecesOf, sidesOf, within, type Feature, type TableModel } from './model';

/** Samples to the inch, unless the table is so large that there would be too many. */
const FINE = 8;
const MOST = 900_000;
/** How far a slope reaches out of its contour, and into it, in map units; a small hill has a short one. */
const FOOT = 30;
const BROW = 190;
const DEPTH = 0.45;

export interface Raster {
  width: number;
  height: number;
  /** Map units to a sample. */
  step: number;
}

export function rasterOf({ width, height }: Box, perInch = FINE, unitsPerInch = 64): Raster {
  const fine = Math.min(perInch, Math.sqrt(MOST / (width * height)) * unitsPerInch);
  const step = unitsPerInch / fine;
  return { width: Math.ceil(width / step) + 1, height: Math.ceil(height / step) + 1, step };
}

const eased = (t: number): number => {
  const s = Math.max(0, Math.min(1, t));
  return s * s * (3 - 2 * s);
};

/** Heights, in levels, at every sample. */
export function heights({ features }: TableModel, raster: Raster): Float32Array {
  const found = new Float32Array(raster.width * raster.height);
  for (const feature of features) {
    if (feature.shape === 'contour') raise(found, raster, feature);
    else if (feature.level < 0 && feature.width > 0) carve(found, raster, feature);
  }
  return found;
}

/** Visits every sample of a box. */
function over(raster: Raster, box: Box, visit: (x: number, y: number, i: number) => void): void {
  const { step, width, height } = raster;
  const [left, top] = [Math.max(0, Math.floor(box.x / step)), Math.max(0, Math.floor(box.y / step))];
  const right = Math.min(width - 1, Math.ceil((box.x + box.width) / step));
  const foot = Math.min(height - 1, Math.ceil((box.y + box.height) / step));
  for (let j = top; j <= foot; j++)
    for (let i = left; i <= right; i++) visit(i * step, j * step, j * width + i);
}

/** The distance to the nearest piece at every sample that lies near one. */
function distances(
  raster: Raster,
  pieces: [{ x: number; y: number }, { x: number; y: number }][],
  far: number,
) {
  const found = new Map<number, number>();
  for (const piece of pieces) {
    const [a, b] = piece;
    const box = {
      x: Math.min(a.x, b.x) - far,
      y: Math.min(a.y, b.y) - far,
      width: Math.abs(a.x - b.x) + 2 * far,
      height: Math.abs(a.y - b.y) + 2 * far,
    };
    over(raster, box, (x, y, i) => {
      const d = distance({ x, y }, piece);
      if (d < far && d < (found.get(i) ?? far)) found.set(i, d);
    });
  }
  return found;
}

/** A slope is steepest at its contour and rounds off towards the top. */
function raise(found: Float32Array, raster: Raster, { rings, box }: Feature): void {
  const brow = Math.min(BROW, Math.min(box.width, box.height) * 0.36);
  const edge = distances(raster, sidesOf(rings), Math.max(FOOT, brow) + raster.step);
  over(raster, grown(box, FOOT), (x, y, i) => {
    const d = Math.min(edge.get(i) ?? Infinity, within({ x, y }, rings) ? brow : FOOT);
    if (within({ x, y }, rings)) found[i]! += 0.4 + 0.6 * (1 - (1 - d / brow) ** 2);
    else found[i]! += 0.4 * (1 - d / FOOT) ** 2;
  });
}

/** A stream or a gully lies in its bed. */
function carve(found: Float32Array, raster: Raster, { way, width }: Feature): void {
  const far = width * 0.5 + 18;
  for (const [i, d] of distances(raster, piecesOf(way), far)) found[i]! -= DEPTH * eased((far - d) / far);
}

/** How much lighter or darker than level ground every sample is, about -1 to 1. */
export function shades(heights: Float32Array, { width, height, step }: Raster): Float32Array {
  const found = new Float32Array(heights.length);
  const rise = 74 / step;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const at = (a: number, b: number) =>
        heights[Math.max(0, Math.min(height - 1, b)) * width + Math.max(0, Math.min(width - 1, a))]!;
      const dx = ((at(i + 1, j) - at(i - 1, j)) / 2) * rise;
      const dy = ((at(i, j + 1) - at(i, j - 1)) / 2) * rise;
      // The light comes from the north-west, halfway up the sky.
      found[j * width + i] = (0.5 * dx + 0.5 * dy + 0.7071) / Math.sqrt(dx * dx + dy * dy + 1) - 0.7071;
    }
  }
  return found;
}
