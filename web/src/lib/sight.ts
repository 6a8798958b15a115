/** The hexes in sight of the tool for lines of sight. */

import type { InSight, SeesAnswer } from './protocol';

/** What a unit in the hex sees: on its bridge if the tool looks from there, else at the lowest level. */
export function inSight(tool: { sees: SeesAnswer | null; high: boolean } | null): InSight | null {
  if (!tool?.sees) return null;
  return (tool.high ? tool.sees.from_bridge : null) ?? tool.sees;
}
