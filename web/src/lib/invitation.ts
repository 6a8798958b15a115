/** A link may carry a seat after its #. It is tried before it is kept: a wrong one changes nothing here. */
import { decoded } from './decoded';
import { t } from './i18n';
import { keepGame, keptGame } from './storage';
import { SeatSocket } from './socket';

export interface Invitation {
  /** The key to the seat; null where the link is damaged. */
  token: string | null;
}

/** The seat that an address brings after its #, or null. */
export function invitationOf(hash: string): Invitation | null {
  if (!hash.startsWith('#seat=')) return null;
  const [seat = null, token = null] = /^#seat=([^:]+):(.+)$/.exec(hash)?.slice(1).map(decoded) ?? [];
  return { token: seat === null ? null : token };
}

/** Tries the seat's key at the table and keeps it if it is one. Gives the reason, in a sentence, if it is not. */
export async function accept(game: string, { token }: Invitation): Promise<string | null> {
  if (token === null) return t.play.badLink;
  const tried = await seatOf(game, token);
  if (tried.seat === null) return tried.text;
  const known = keptGame(game);
  keepGame({
    game,
    scenario: '',
    title: game,
    players: {},
    started: Date.now(),
    cover: false,
    over: null,
    ...known,
    // The server knows a seat by one key only: a key that it still knows is not replaced by this one.
    seats: { ...known?.seats, [tried.seat]: token },
    seen: Date.now(),
  });
  return null;
}

/** The seat that the server knows by this key, by its own word; null with the reason if it knows none. */
function seatOf(game: string, token: string): Promise<{ seat: string | null; text: string }> {
  return new Promise((resolve) => {
    const found = ({ seat }: { seat: string | null }) => {
      resolve({ seat, text: '' });
      socket.close();
    };
    const socket = new SeatSocket(game, token, {
      waiting: found,
      table: found,
      log: () => {},
      refused: () => {},
      state: () => {},
      shut: (code, text) =>
        resolve({ seat: null, text: code === 4403 ? t.play.wrongKey : text || t.play.noGame }),
    });
  });
}
