/** What the drawing of a map says that no rule knows: churches, names of waters, how wide a hex is. */
import type { HexData, Place } from '../protocol';

export interface Drawing {
  /** Metres from one side of a hex to the other; 0 if nobody has said. */
  metres: number;
  churches: ReadonlySet<Place>;
  /** Hexes whose gully carries no water. */
  dry: ReadonlySet<Place>;
  names: readonly Lettering[];
}

/** A name lettered along a line through the middles of hexes. */
export interface Lettering {
  text: string;
  along: readonly Place[];
  kind: 'water' | 'woods' | 'land' | 'hill';
}

export function drawingOf({ drawing }: HexData): Drawing {
  return {
    metres: drawing?.metres ?? 0,
    churches: new Set(drawing?.churches),
    dry: new Set(drawing?.dry),
    names: drawing?.names ?? [],
  };
}
