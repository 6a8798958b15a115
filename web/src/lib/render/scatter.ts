/** What is strewn over ground of one kind: trees, stones, reeds. It knows no hexes, so that none shows through it. */
import type { Box, Point } from '../geometry';
import type { Item, Layer } from './layer';
import type { Share } from './land';
import type { MapModel } from './model';
import { whim } from './noise';

export interface Spot extends Point {
  /** Numbers in [0, 1) of its own. */
  whim: number;
  other: number;
}

/** Side of the squares in which strewn things are drawn together, in map units. */
const BLOCK = 420;

/** Squares that cover the sheet. */
export function blocks({ sheet }: MapModel): Box[] {
  const found: Box[] = [];
  for (let y = sheet.y; y < sheet.y + sheet.height; y += BLOCK) {
    for (let x = sheet.x; x < sheet.x + sheet.width; x += BLOCK) {
      found.push({ x, y, width: BLOCK, height: BLOCK });
    }
  }
  return found;
}

/** Spots about so far apart in a box, wherever the share is at least so much, from north to south. */
export function strewn(
  model: MapModel,
  box: Box,
  share: Share,
  apart: number,
  seed: number,
  least = 0.5,
): Spot[] {
  const row = apart * 0.866;
  const found: Spot[] = [];
  const [top, foot] = [Math.ceil(box.y / row), Math.ceil((box.y + box.height) / row)];
  const [left, right] = [Math.ceil(box.x / apart), Math.ceil((box.x + box.width) / apart)];
  for (let j = top; j < foot; j++) {
    for (let i = left; i < right; i++) {
      const x = (i + (j & 1) / 2 + (whim(i, j, seed) - 0.5) * 0.62) * apart;
      const y = (j + (whim(i, j, seed + 1) - 0.5) * 0.62) * row;
      if (model.land.at(share, { x, y }) < least) continue;
      found.push({ x, y, whim: whim(i, j, seed + 2), other: whim(i, j, seed + 3) });
    }
  }
  return found.sort((a, b) => a.y - b.y);
}

/** Map units between the places at which a square is looked at first. */
const LOOK = 30;

function isBare(model: MapModel, box: Box, share: Share, least: number): boolean {
  for (let y = box.y; y <= box.y + box.height; y += LOOK) {
    for (let x = box.x; x <= box.x + box.width; x += LOOK) {
      if (model.land.at(share, { x, y }) >= least * 0.4) return false;
    }
  }
  return true;
}

/** One item for each square in which there is something. */
export function inBlocks(
  model: MapModel,
  share: Share,
  apart: number,
  seed: number,
  make: (spots: Spot[]) => Item['draw'],
  least = 0.5,
): Layer {
  return blocks(model).flatMap((box): Item[] => {
    if (isBare(model, box, share, least)) return [];
    const spots = strewn(model, box, share, apart, seed, least);
    if (spots.length === 0) return [];
    const around = { x: box.x - 20, y: box.y - 20, width: box.width + 40, height: box.height + 40 };
    return [{ box: around, draw: make(spots) }];
  });
}
