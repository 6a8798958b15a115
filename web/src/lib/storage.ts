/** What this browser remembers: games with their seats, and settings. */
import type { Kept } from './promise';

export interface KeptGame extends Kept {
  game: string;
  scenario: string;
  title: string;
  /** Tokens of this browser's seats, by seat. */
  seats: Record<string, string>;
  /** Tokens of the seats that others were invited to by a link. */
  invited?: Record<string, string>;
  /** With it the host can drop a seat that does not come. */
  host?: string;
  /** The player of each side or seat, in the words of the language in which the game began. */
  players: Record<string, string>;
  /** The same by their ids, to be told in any language; games of older pages have none. */
  taken?: { seat: string; side: string; player: string }[];
  started: number;
  seen: number;
  /** Cover the table when it is handed over. */
  cover: boolean;
  /** The seat that a covered table is open for; null while it is handed over. */
  at?: string | null;
  over: string | null;
}

const GAMES = 'opfire.games';

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export function keptGames(): KeptGame[] {
  return read<KeptGame[]>(GAMES, []).sort((a, b) => b.seen - a.seen);
}

export function keptGame(game: string): KeptGame | null {
  return keptGames().find((k) => k.game === game) ?? null;
}

export function keepGame(kept: KeptGame): void {
  write(GAMES, [kept, ...keptGames().filter((k) => k.game !== kept.game)].slice(0, 60));
}

export function updateGame(game: string, change: Partial<KeptGame>): void {
  const kept = keptGame(game);
  if (kept) keepGame({ ...kept, ...change });
}

export function forgetGame(game: string): void {
  write(
    GAMES,
    keptGames().filter((k) => k.game !== game),
  );
}

export const setting = {
  read: <T>(name: string, otherwise: T) => read(`opfire.${name}`, otherwise),
  write: (name: string, value: unknown) => write(`opfire.${name}`, value),
};

/** The text of an opened record, kept as long as its tab: a server that was started anew is given it again. */
export const openedRecord = {
  read: (id: string): string | null => {
    try {
      return sessionStorage.getItem(`opfire.record.${id}`);
    } catch {
      return null;
    }
  },
  keep: (id: string, text: string): void => {
    try {
      sessionStorage.setItem(`opfire.record.${id}`, text);
    } catch {
      // Too long, or forbidden: then a reload finds it as long as the server keeps it.
    }
  },
};
