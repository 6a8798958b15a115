/** One seat's line to the table. It joins, asks and answers, and comes back by itself when it drops. */
import { language } from './i18n';
import type {
  AnswerMessage,
  LogMessage,
  RefusedMessage,
  ServerMessage,
  TableMessage,
  WaitingMessage,
} from './protocol';
import { read } from './surface/places';

/** Silent: the line stands, but no word has come for some time; what is sent waits until it does. */
export type LineState = 'joining' | 'open' | 'silent' | 'lost';

export interface Listener {
  waiting(message: WaitingMessage): void;
  table(message: TableMessage): void;
  log(message: LogMessage): void;
  /** A refusal that answers no question of ours. */
  refused(message: RefusedMessage): void;
  state(state: LineState): void;
  /** The server will not have us: trying again is of no use. */
  shut(code: number, text: string): void;
}

export class Refused extends Error {
  constructor(
    text: string,
    readonly rule: string | null,
  ) {
    super(text);
  }
}

interface Waiting {
  resolve(message: AnswerMessage): void;
  reject(reason: Refused): void;
}

/** Closing codes after which the server would only say the same again. */
const FINAL = new Set([4400, 4403, 4404, 4409, 4410]);
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
/** The server sends a sign of life every second: after so long without one the line is silent. */
const SILENT_MS = 2500;
/** What came while the page itself was busy is read before silence is believed. */
const GRACE_MS = 100;
/** After so long in silence the line is given up, and another one tried. */
const DEAD_MS = 9000;

/** The number of a timer. */
function after(ms: number, then: () => void): number {
  return Number(setTimeout(then, ms));
}

export class SeatSocket {
  private socket: WebSocket | null = null;
  private nextId = 1;
  private readonly waiting = new Map<number, Waiting>();
  private closed = false;
  private attempts = 0;
  private timer = 0;
  private listening = 0;
  private quiet = false;
  private lastRefusal = '';

  constructor(
    private readonly game: string,
    private readonly token: string | null,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  /** Sends a message that nobody waits for. */
  send(message: Record<string, unknown>): void {
    this.ask(message).catch((error: unknown) => {
      if (error instanceof Refused)
        this.listener.refused({ type: 'refused', text: error.message, rule: error.rule });
    });
  }

  /** Asks; the answer comes, or a Refused is thrown. */
  ask<T extends object>(message: Record<string, unknown>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.socket || this.socket.readyState !== WebSocket.OPEN) {
        reject(new Refused('', null));
        return;
      }
      const id = this.nextId++;
      this.waiting.set(id, { resolve: (m) => resolve(m as unknown as T), reject });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.listening);
    this.socket?.close();
  }

  /** Tries again at once, as when the machine wakes up. */
  wake(): void {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  /** Joins anew, to be told everything again. */
  anew(): void {
    const { socket } = this;
    this.socket = null;
    this.quiet = false;
    this.giveUpWaiting();
    clearTimeout(this.timer);
    clearTimeout(this.listening);
    socket?.close();
    if (!this.closed) this.connect();
  }

  private giveUpWaiting(): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Refused('', null));
    this.waiting.clear();
  }

  private connect(): void {
    this.listener.state('joining');
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/games/${encodeURIComponent(this.game)}/table`,
    );
    this.socket = socket;
    socket.addEventListener('open', () => {
      socket.send(
        JSON.stringify({
          type: 'join',
          language: language.code,
          beats: true,
          ...(this.token === null ? {} : { token: this.token }),
        }),
      );
    });
    socket.addEventListener('message', (event) => {
      if (this.socket !== socket) return;
      this.heard(socket);
      this.receive(read<ServerMessage>(String(event.data)));
    });
    socket.addEventListener('close', (event) => this.dropped(socket, event.code));
  }

  /** A word has come: from now on the next one is waited for. */
  private heard(socket: WebSocket): void {
    clearTimeout(this.listening);
    if (this.quiet) this.listener.state('open');
    this.quiet = false;
    this.listening = after(SILENT_MS, () => {
      this.listening = after(GRACE_MS, () => this.silence(socket));
    });
  }

  private silence(socket: WebSocket): void {
    if (this.closed || this.socket !== socket) return;
    this.quiet = true;
    this.listener.state('silent');
    this.listening = after(DEAD_MS, () => {
      if (this.socket === socket) this.abandon(socket);
    });
  }

  /** No word will come over this line: what was asked over it is given up, and another one tried. */
  private abandon(socket: WebSocket): void {
    this.dropped(socket, 1006);
    socket.close();
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case 'waiting':
        this.attempts = 0;
        this.listener.state('open');
        this.listener.waiting(message as WaitingMessage);
        break;
      case 'table':
        this.attempts = 0;
        this.listener.state('open');
        this.listener.table(message as TableMessage);
        break;
      case 'log':
        this.listener.log(message as LogMessage);
        break;
      case 'refused': {
        const refused = message as RefusedMessage;
        this.lastRefusal = refused.text;
        const waiting = this.take(refused.re);
        if (waiting) waiting.reject(new Refused(refused.text, refused.rule));
        else this.listener.refused(refused);
        break;
      }
      case 'answer':
        this.take((message as AnswerMessage).re)?.resolve(message as AnswerMessage);
    }
  }

  private take(id: number | undefined): Waiting | undefined {
    if (id === undefined) return undefined;
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private dropped(socket: WebSocket, code: number): void {
    if (this.socket !== socket) return;
    this.socket = null;
    this.quiet = false;
    clearTimeout(this.listening);
    this.giveUpWaiting();
    if (this.closed) return;
    if (FINAL.has(code)) {
      this.closed = true;
      this.listener.shut(code, this.lastRefusal);
      return;
    }
    this.listener.state('lost');
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts++);
    this.timer = window.setTimeout(() => this.connect(), wait);
  }
}
