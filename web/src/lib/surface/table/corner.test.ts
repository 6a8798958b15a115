import { describe, expect, it } from 'vitest';
import { freeCorner } from './corner';

const PANE = { width: 800, height: 600 };
const BAR = { width: 180, height: 26 };
const ALL = ['ne', 'nw', 'se', 'sw'] as const;
const around = (x: number, y: number, width: number, height: number) => ({
  frame: { x: x - 40, y: y - 40, width: width + 80, height: height + 80 },
  table: { x, y, width, height },
});
const corner = (
  x: number,
  y: number,
  width: number,
  height: number,
  corners = ALL as readonly ('ne' | 'nw' | 'se' | 'sw')[],
) => {
  const { frame, table } = around(x, y, width, height);
  return freeCorner(corners, PANE, BAR, frame, table);
};

describe('the scale bar of a free table', () => {
  it('stands at the top right over the middle of a table, and beside a small one', () => {
    expect(corner(-500, -500, 2000, 2000)).toBe('ne');
    expect(corner(300, 200, 200, 200)).toBe('ne');
  });

  it('leaves the top right when the edge of the table lies there', () => {
    expect(corner(-500, -500, 1200, 2000)).toBe('nw'); // its right edge at 700
    expect(corner(-500, 20, 2000, 2000)).toBe('se'); // its upper edge at 20
    expect(corner(-500, 20, 1200, 2000)).toBe('sw');
  });

  it('is not shown where there is no corner free', () => {
    expect(corner(20, 20, 760, 560)).toBeNull();
    expect(corner(-500, 20, 2000, 2000, ['ne', 'nw'])).toBeNull();
  });
});
