/** Which ground a game is played on. */
import type { MapData } from '../protocol';
import type { Ground } from './ground';
import { HexGround } from './hexes';

export function groundOf(data: MapData): Ground {
  if (data.space === 'table') throw new Error('no free table yet');
  return new HexGround(data);
}
