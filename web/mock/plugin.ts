/** Serves a small game at /api, as docs/protocol.md has it: `npm run mock`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Action } from '../src/lib/protocol';
import { MockGame } from './game';
import { MAP } from './map';

const SCENARIO = {
  id: 'brodna',
  ruleset: 'mock',
  title: 'The Road through Brodna',
  summary: 'A German battle group holds the crossing; a Soviet tank company wants the road west.',
  turns: 6,
  difficulty: 1,
  themes: ['river'],
  sides: [
    { id: 'german', name: 'German', units: 9 },
    { id: 'soviet', name: 'Soviet', units: 9 },
  ],
  boards: ['own-1'],
  balance: { german: 46, soviet: 54, measured: { games: 400, draws: 0 } },
};
const DETAIL = {
  ...SCENARIO,
  history: 'Late in the summer the spearheads ran out of fuel before the river did.',
  victory: [
    { side: 'german', text: 'Hold Brodna at the end' },
    { side: 'soviet', text: 'Exit four units west' },
  ],
  options: [{ id: '16.11', text: 'Reinforcements may be held back' }],
  map: MAP,
};
const RULES = [
  ['9.0', 'Combat', 'All that fires, assaults and overruns.'],
  ['9.5', 'Direct fire', 'An eligible firer, a target in line of sight, and a distance within range.'],
  ['9.5.1', 'Once a turn', 'A unit fires once in a segment.'],
  ['9.5.2', 'Range', 'The distance may not exceed the range.'],
  ['9.9-P1', 'Odds', 'The ratio, rounded in favour of the defender.'],
  ['3.4.1', 'Attack factor', 'The number at the upper left.'],
  ['4.2', 'Sequence', 'The steps of a game turn.'],
].map(([rule, title, statement]) => ({
  rule,
  title,
  statement,
  kind: 'mechanic',
  level: 'basic',
  status: 'tested',
}));

interface Client {
  socket: WebSocket;
  game: MockGame;
  side: string | null;
  told: number;
}

export function mockServer(): Plugin {
  const games = new Map<string, MockGame>();
  const clients = new Set<Client>();

  const tell = (client: Client) => {
    client.socket.send(JSON.stringify(client.game.table(client.side)));
    const log = client.game.log;
    const from = Math.min(client.told, log.length);
    client.socket.send(JSON.stringify({ type: 'log', from, entries: log.slice(from) }));
    client.told = log.length;
  };
  const tellAll = (id: string) => {
    for (const client of clients) if (client.game.id === id) tell(client);
  };

  const start = (players: Record<string, string>): MockGame => {
    const id = `m${games.size + 1}`;
    const game: MockGame = new MockGame(id, players, () => tellAll(id));
    games.set(id, game);
    return game;
  };

  const serve = (url: string, request: IncomingMessage, response: ServerResponse) => {
    const send = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url === '/api/scenarios') return send([SCENARIO]);
    if (url === '/api/scenarios/brodna') return send(DETAIL);
    if (url === '/api/players') {
      return send([
        { id: 'greedy', title: 'Greedy' },
        { id: 'advance', title: 'Advance' },
        { id: 'random', title: 'Random' },
      ]);
    }
    if (url === '/api/rules') return send([{ ruleset: SCENARIO.ruleset, title: 'Case Orange' }]);
    if (url.startsWith('/api/rules/')) return send(RULES);
    if (url === '/api/games') {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const { seats } = JSON.parse(body) as { seats: Record<string, { player: string }> };
        const game = start(
          Object.fromEntries(Object.entries(seats).map(([name, { player }]) => [name, player])),
        );
        send({ game: game.id, seats: game.tokens });
      });
      return;
    }
    const found = /^\/api\/games\/(\w+)(\/map|\/record)?$/.exec(url);
    // A mock that was restarted knows no games: it makes the one asked for, so that a reload works.
    const game = found
      ? (games.get(found[1]!) ??
        (found[1] === 'm1' ? start({ german: 'human', soviet: 'greedy' }) : undefined))
      : undefined;
    if (!found || !game) return send({ error: { text: 'There is no such game', rule: null } }, 404);
    if (found[2] === '/map') return send(MAP);
    return send({ scenario: 'brodna', sides: SCENARIO.sides, turn: 1, result: null });
  };

  const receive = (client: Client, message: Record<string, unknown>) => {
    const { game, side } = client;
    const re = message.id;
    const refuse = (text: string) =>
      client.socket.send(JSON.stringify({ type: 'refused', re, text, rule: 'procedure' }));
    if (message.type === 'play') {
      if (side === null) return refuse('Spectators do not play');
      for (const action of [message.action as Action, ...((message.then as Action[] | undefined) ?? [])]) {
        const wrong = game.play(side, action);
        if (wrong) return refuse(wrong);
      }
      client.socket.send(JSON.stringify({ type: 'answer', re }));
    } else if (message.type === 'undo') {
      if (!game.undo()) return refuse('Nothing can be taken back since the last roll');
      client.told = game.log.length;
      tellAll(game.id);
    } else if (side !== null && game.conduct(side, String(message.type))) {
      tellAll(game.id);
    } else {
      client.socket.send(JSON.stringify({ type: 'answer', re, ...game.answer(side, message) }));
    }
  };

  return {
    name: 'opfire-mock',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = (request.url ?? '').split('?')[0]!;
        if (url.startsWith('/api/')) serve(url, request, response);
        else next();
      });
      const sockets = new WebSocketServer({ noServer: true });
      server.httpServer?.on('upgrade', (request, socket, head) => {
        const found = /^\/api\/games\/(\w+)\/table/.exec(request.url ?? '');
        if (!found) return;
        sockets.handleUpgrade(request, socket, head, (ws) => {
          let client: Client | null = null;
          ws.on('message', (data) => {
            const message = JSON.parse(String(data)) as Record<string, unknown>;
            if (message.type !== 'join') return client ? receive(client, message) : undefined;
            const game = games.get(found[1]!) ?? start({ german: 'human', soviet: 'greedy' });
            client = { socket: ws, game, side: game.sideOf(message.token as string | undefined), told: 0 };
            clients.add(client);
            tell(client);
          });
          ws.on('close', () => client && clients.delete(client));
        });
      });
    },
  };
}
