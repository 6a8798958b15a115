/** What stands still, over HTTP. Every failure is one sentence. */
import type {
  ForceDesigner,
  ForceReport,
  GameFacts,
  MapData,
  NewGame,
  NewSeat,
  OfferPage,
  PlayerInfo,
  Rulebook,
  RuleInfo,
  ScenarioDetail,
  ScenarioInfo,
} from './protocol';
import { t } from './i18n';

export class ApiError extends Error {
  constructor(
    message: string,
    readonly rule: string | null = null,
    readonly status = 0,
  ) {
    super(message);
  }
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(t.noServer);
  }
  let body: unknown = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new ApiError(t.badAnswer);
  }
  if (!response.ok) {
    const error = (body as { error?: { text?: string; rule?: string | null } } | null)?.error;
    throw new ApiError(error?.text ?? t.serverSaid(response.status), error?.rule ?? null, response.status);
  }
  return body as T;
}

/** The game's map and a ruleset's rules never change while the page is open. */
const kept = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  const known = kept.get(path);
  if (known) return known as Promise<T>;
  const asked = call<T>(path).catch((error: unknown) => {
    kept.delete(path);
    throw error;
  });
  kept.set(path, asked);
  return asked;
}

const seg = encodeURIComponent;

export const api = {
  scenarios: (language = 'en') => call<ScenarioInfo[]>(`/api/scenarios?language=${language}`),
  scenario: (id: string, language = 'en') =>
    once<ScenarioDetail>(`/api/scenarios/${seg(id)}?language=${language}`),
  players: () => call<PlayerInfo[]>('/api/players'),
  newGame: (scenario: string, seats: Record<string, NewSeat>, options: string[] | null) =>
    call<NewGame>('/api/games', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options === null ? { scenario, seats } : { scenario, seats, options }),
    }),
  /** Gives a seat that has not come to a computer player, or takes it away. */
  dropSeat: (game: string, host: string, seat: string, player: string | null) =>
    call<{ commitment: string }>(`/api/games/${seg(game)}/seats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${host}` },
      body: JSON.stringify({ seat, player }),
    }),
  facts: (game: string, language = 'en') => call<GameFacts>(`/api/games/${seg(game)}?language=${language}`),
  map: (game: string, language = 'en') => once<MapData>(`/api/games/${seg(game)}/map?language=${language}`),
  /** Puts a record on a table of its own, to be looked at. */
  openRecord: (text: string, language = 'en') =>
    call<{ game: string }>(`/api/records?language=${language}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: text,
    }),
  /** The titles of the rulebooks, by their ids. */
  rulebooks: async () =>
    new Map((await once<Rulebook[]>('/api/rules')).map(({ ruleset, title }) => [ruleset, title])),
  rules: (ruleset: string) => once<RuleInfo[]>(`/api/rules/${seg(ruleset)}`),
  forceDesigners: () => once<ForceDesigner[]>('/api/forces'),
  /** A page of the offers that fit, from number `from` on; a part of the search that is empty is any. */
  offers: (ruleset: string, search: Record<string, string>, from: number, count: number) =>
    call<OfferPage>(
      `/api/forces/${seg(ruleset)}?${new URLSearchParams({ ...search, from: `${from}`, count: `${count}` })}`,
    ),
  checkForce: (toml: string) =>
    call<ForceReport>('/api/forces/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ toml }),
    }),
  record: async (game: string, token: string | null): Promise<Blob> => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(`/api/games/${seg(game)}/record`, { headers });
    if (!response.ok) throw new ApiError(t.serverSaid(response.status), null, response.status);
    return response.blob();
  },
};
