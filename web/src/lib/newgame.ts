/** A new game: who plays, and what this browser keeps of it. */
import { api } from './api';
import { t } from './i18n';
import type { PlayerInfo, ScenarioInfo, SideInfo } from './protocol';
import { keepGame, type KeptGame } from './storage';

export const HUMAN = 'human';
/** Somebody else, who is sent a link. */
export const LINK = 'link';

/** A seat of a game that is being made, and who has it: `human`, `link` or a computer player's id. */
export interface Taken {
  seat: string;
  side: SideInfo;
  player: string;
}

/** The computer player for whoever asks for none in particular: they come in order of strength. */
export const strongest = (players: readonly PlayerInfo[]): string => players.at(-1)?.id ?? HUMAN;

/** The first side for the player, the other for the computer. */
export function sensible(scenario: ScenarioInfo, players: readonly PlayerInfo[]): Taken[] {
  return scenario.sides.map((side, i) => ({
    seat: side.id,
    side,
    player: i === 0 ? HUMAN : strongest(players),
  }));
}

function titleOf(player: string, players: readonly PlayerInfo[]): string {
  if (player === HUMAN) return t.start.me;
  return player === LINK ? t.start.byLink : (players.find((p) => p.id === player)?.title ?? player);
}

export const nameOf = ({ seat, side }: Taken): string =>
  seat === side.id ? side.name : `${side.name}, ${seat}`;

/** Who plays a kept game, in words of the reader's language where the scenario is known. */
export function whoPlays(
  kept: Pick<KeptGame, 'scenario' | 'players' | 'taken'>,
  scenarios: readonly ScenarioInfo[],
  players: readonly PlayerInfo[],
): string {
  const sides = scenarios.find((s) => s.id === kept.scenario)?.sides;
  const told = kept.taken?.map(({ seat, side, player }): [string, string] => {
    const found = sides?.find((s) => s.id === side);
    return [found ? nameOf({ seat, side: found, player }) : seat, titleOf(player, players)];
  });
  return (sides && told ? told : Object.entries(kept.players))
    .map(([name, who]) => `${name}: ${who}`)
    .join(' · ');
}

/** Starts a game and keeps it; its id. The options are the scenario's own where they are null. */
export async function startGame(
  scenario: ScenarioInfo,
  seats: readonly Taken[],
  players: readonly PlayerInfo[],
  options: string[] | null,
  cover: boolean,
): Promise<string> {
  const wanted = seats.map((s) => [
    s.seat,
    { side: s.side.id, player: s.player === LINK ? HUMAN : s.player },
  ]);
  const made = await api.newGame(scenario.id, Object.fromEntries(wanted), options);
  const here = (seat: string) => seats.some((s) => s.seat === seat && s.player === HUMAN);
  const tokens = Object.entries(made.seats);
  keepGame({
    game: made.game,
    scenario: scenario.id,
    title: scenario.title,
    seats: Object.fromEntries(tokens.filter(([seat]) => here(seat))),
    invited: Object.fromEntries(tokens.filter(([seat]) => !here(seat))),
    host: made.host,
    players: Object.fromEntries(seats.map((s) => [nameOf(s), titleOf(s.player, players)])),
    taken: seats.map((s) => ({ seat: s.seat, side: s.side.id, player: s.player })),
    started: Date.now(),
    seen: Date.now(),
    cover,
    over: null,
  });
  return made.game;
}

/** A theme in words; one that has none here as its file has it. */
export const topicOf = (theme: string): string =>
  (t.start.topics as Partial<Record<string, string>>)[theme] ?? theme;
