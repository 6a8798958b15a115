/** Where the scale bar stands in the pane: it covers no edge of the table. Pure. */
import type { Box } from '../../geometry';
import { meets } from '../../render/shapes';

export type Corner = 'ne' | 'nw' | 'se' | 'sw';

/** How far it stands from the edges of the pane, in page pixels. */
const ASIDE = 8;

interface Size {
  width: number;
  height: number;
}

function lies(corner: Corner, pane: Size, bar: Size): Box {
  const x = corner.endsWith('e') ? pane.width - ASIDE - bar.width : ASIDE;
  const y = corner.startsWith('n') ? ASIDE : pane.height - ASIDE - bar.height;
  return { x, y, ...bar };
}

/**
 * The first of these corners where the bar lies wholly on the table or wholly beside its frame, all in page pixels; null
 * where there is none.
 */
export function freeCorner(
  corners: readonly Corner[],
  pane: Size,
  bar: Size,
  frame: Box,
  table: Box,
): Corner | null {
  const free = (corner: Corner) => {
    const box = lies(corner, pane, bar);
    const on =
      box.x >= table.x &&
      box.y >= table.y &&
      box.x + box.width <= table.x + table.width &&
      box.y + box.height <= table.y + table.height;
    return on || !meets(box, frame);
  };
  return corners.find(free) ?? null;
}
