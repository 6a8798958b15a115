/** The profile of a line of sight. Pure. */

/** What bars a line, from its foot to its head, in a drawing whose heights grow downwards. */
export interface Bar {
  y: number;
  height: number;
}

const OVER = 6;

/**
 * What bars the line where it passes over ground at a height: ground that rises into the line, or something on the
 * ground that stands up to the line and a little over it.
 */
export function barOf(ground: number, line: number): Bar {
  if (ground <= line) return { y: ground, height: line - ground + OVER };
  return { y: line - OVER, height: ground - line + OVER };
}
