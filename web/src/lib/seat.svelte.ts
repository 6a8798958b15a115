/** A seat of this browser: its line to the table, and what it has been told. */
import { t, toldIn } from './i18n';
import { keepDigest, nonceFor } from './promise';
import type { GameEvent, LogMessage, Side, TableMessage, ViewSide, WaitingMessage } from './protocol';
import { SeatSocket, type LineState } from './socket';

/** A seat of this browser: a side's, or a spectator's. */
export class Seat {
  /** Before the game begins: who has come. */
  waiting = $state.raw<WaitingMessage | null>(null);
  table = $state.raw<TableMessage | null>(null);
  log = $state.raw<GameEvent[]>([]);
  line = $state<LineState>('joining');
  /** The number of the last event that came with joining: what is later is news. Null before that. */
  joinedAfter = $state<number | null>(null);
  side = $state<Side | null>(null);
  /** The sides of the game, which all may know. */
  sides = $state.raw<ViewSide[]>([]);
  /** Whether the seat has something to decide. */
  decides = $state(false);
  /** Somebody else is at the screen: nothing that this seat alone may know is kept. */
  private veiled = false;
  /** The commitment to which this line has added its nonce. */
  private promised = '';
  readonly socket: SeatSocket;

  constructor(
    private readonly game: string,
    /** The name of the seat; null for a spectator. */
    readonly name: string | null,
    token: string | null,
    private readonly changed: (seat: Seat, before: TableMessage | null) => void,
    refused: (text: string, rule: string | null) => void,
    shut: (text: string) => void,
  ) {
    this.socket = new SeatSocket(game, token, {
      waiting: (message) => this.wait(message),
      table: (message) => this.take(message),
      log: (message) => this.read(message),
      refused: (message) => refused(message.text, message.rule),
      state: (state) => this.hear(state),
      shut: (code, text) => shut(text || (t.play.closed[code] ?? t.play.noGame)),
    });
  }

  private hear(state: LineState): void {
    this.line = state;
    if (state === 'joining') this.promised = '';
  }

  /** Forgets what this seat alone may know, and takes note of nothing more than whether it has to decide. */
  veil(): void {
    this.veiled = true;
    this.table = null;
    this.log = [];
    this.joinedAfter = null;
  }

  /** Joins anew, to be told everything. */
  unveil(): void {
    if (!this.veiled) return;
    this.veiled = false;
    this.socket.anew();
  }

  private wait(message: WaitingMessage): void {
    this.waiting = message;
    this.side = message.side;
    this.addToTheDice(message);
  }

  private take(message: TableMessage): void {
    const before = this.table;
    toldIn(message.language);
    this.waiting = null;
    this.side = message.side;
    this.sides = message.view.sides;
    this.decides = this.name !== null && (message.decides?.includes(this.name) ?? false);
    if (this.name !== null) keepDigest(this.game, message.digest ?? null);
    if (!this.veiled) {
      this.table = message;
      if (message.log_length < this.log.length) this.log = this.log.slice(0, message.log_length);
    }
    this.changed(this, before);
  }

  private read(message: LogMessage): void {
    if (this.veiled) return;
    this.joinedAfter ??= message.entries.at(-1)?.n ?? -1;
    this.log = [...this.log.slice(0, message.from), ...message.entries];
  }

  /** The commitment has been shown: only now is a nonce drawn and sent, once. Others may come before it has arrived. */
  private addToTheDice({ commitment, seats }: WaitingMessage): void {
    if (this.name === null || seats.find((one) => one.seat === this.name)?.come !== false) return;
    if (this.promised === commitment) return;
    this.promised = commitment;
    const nonce = nonceFor(this.game, this.name, commitment);
    this.socket.send({ type: 'nonce', commitment, nonce });
  }
}
