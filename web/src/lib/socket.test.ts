import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SeatSocket, type LineState } from './socket';

/** A line that a test speaks into. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  static lines: Line[] = [];
  readonly readyState = Line.OPEN;
  readonly sent: string[] = [];
  open = true;

  constructor(readonly url: string) {
    super();
    Line.lines.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.open = false;
  }

  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

const BEAT = { type: 'beat' };
const TABLE = { type: 'table', view: { sides: [] } };
let states: LineState[];
let refused: string[];

function joined(): SeatSocket {
  const socket = new SeatSocket('game', 'token', {
    waiting: () => undefined,
    table: () => undefined,
    log: () => undefined,
    refused: ({ text }) => refused.push(text),
    state: (state) => states.push(state),
    shut: () => undefined,
  });
  Line.lines[0]!.dispatchEvent(new Event('open'));
  Line.lines[0]!.say(TABLE);
  return socket;
}

beforeEach(() => {
  vi.useFakeTimers();
  [Line.lines, states, refused] = [[], [], []];
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'opfire' });
  vi.stubGlobal('window', globalThis);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a server that goes silent', () => {
  it('is asked for signs of life', () => {
    joined();
    expect(JSON.parse(Line.lines[0]!.sent[0]!)).toMatchObject({ type: 'join', beats: true, token: 'token' });
  });

  it('is told of within three seconds of its last word', () => {
    joined();
    for (let second = 0; second < 20; second++) {
      vi.advanceTimersByTime(1000);
      Line.lines[0]!.say(BEAT);
    }
    expect(states.at(-1)).toBe('open');
    vi.advanceTimersByTime(2999);
    expect(states.at(-1)).toBe('silent');
  });

  it('may come back, and what was asked meanwhile is answered', async () => {
    const socket = joined();
    vi.advanceTimersByTime(5000);
    const answer = socket.ask<{ done: boolean }>({ type: 'play' });
    expect(states.at(-1)).toBe('silent');
    const { id } = JSON.parse(Line.lines[0]!.sent.at(-1)!) as { id: number };
    Line.lines[0]!.say({ type: 'answer', re: id, done: true });
    expect(states.at(-1)).toBe('open');
    await expect(answer).resolves.toMatchObject({ done: true });
  });

  it('is given up in the end: what was asked is refused, and another line tried', async () => {
    const socket = joined();
    vi.advanceTimersByTime(5000);
    const answer = socket.ask({ type: 'play' });
    const told = expect(answer).rejects.toThrow();
    vi.advanceTimersByTime(10_000);
    await told;
    expect(Line.lines[0]!.open).toBe(false);
    expect(states).toContain('lost');
    expect(Line.lines.length).toBeGreaterThan(1);
  });

  it("is nobody's concern once the table has been left", () => {
    const socket = joined();
    socket.close();
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)).toBe('open');
  });
});
