/** What this browser keeps to check the dice by: the commitments it was shown, what it added, the last digest. */
import { keptGame, updateGame } from './storage';

/** The server's commitment, and the nonce that was drawn when it had been shown. */
export interface Promised {
  commitment: string;
  nonce: string;
}

export interface Kept {
  /** By seat of this browser. */
  promises?: Record<string, Promised>;
  /** Of the last position that stood and could be shown without giving anything away. */
  digest?: string;
}

/** What the seat adds to the dice: drawn once for a commitment, when it is known, and kept beside it. */
export function nonceFor(game: string, seat: string, commitment: string): string {
  const promises = keptGame(game)?.promises ?? {};
  const known = promises[seat];
  if (known?.commitment === commitment) return known.nonce;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const nonce = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  updateGame(game, { promises: { ...promises, [seat]: { commitment, nonce } } });
  return nonce;
}

export function keepDigest(game: string, digest: string | null): void {
  if (digest && keptGame(game)?.digest !== digest) updateGame(game, { digest });
}
