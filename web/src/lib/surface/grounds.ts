/** Which ground a game is played on. The free table comes in a part of its own, when it is needed. */
import type { MapData } from '../protocol';
import type { Ground } from './ground';
import { HexGround } from './hexes';

export async function groundOf(data: MapData): Promise<Ground> {
  if (data.space !== 'table') return new HexGround(data);
  const { TableGround } = await import('./table/ground');
  return new TableGround(data);
}
