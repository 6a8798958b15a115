import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Seat } from './seat.svelte';

/** A line that a test speaks into. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  static lines: Line[] = [];
  readonly readyState = Line.OPEN;
  open = true;

  constructor(readonly url: string) {
    super();
    Line.lines.push(this);
  }

  readonly sent: string[] = [];

  send(message: string): void {
    this.sent.push(message);
  }

  close(): void {
    this.open = false;
  }

  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

const view = { sides: [{ id: 'red', name: 'Red' }], secret: 'the hidden gun' };
const table = { type: 'table', seat: 'red', side: 'red', decides: ['red'], view, log_length: 1 };
const log = { type: 'log', from: 0, entries: [{ n: 1, text: 'the hidden gun fires' }] };

beforeEach(() => {
  Line.lines = [];
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
});

function sit(): Seat {
  const seat = new Seat('g', 'red', 'token', vi.fn(), vi.fn(), vi.fn());
  Line.lines[0]!.say(table);
  Line.lines[0]!.say(log);
  return seat;
}

describe('a seat', () => {
  it('keeps what it is told', () => {
    const seat = sit();
    expect([seat.table?.view, seat.log.length, seat.side, seat.decides]).toEqual([view, 1, 'red', true]);
  });

  it('whose player is not at the screen keeps only whether it has to decide', () => {
    const seat = sit();
    seat.veil();
    expect([seat.table, seat.log, seat.joinedAfter]).toEqual([null, [], null]);
    Line.lines[0]!.say({ ...table, decides: [] });
    Line.lines[0]!.say(log);
    expect([seat.table, seat.log, seat.decides, seat.side]).toEqual([null, [], false, 'red']);
    expect(JSON.stringify(Object.values(seat))).not.toContain('hidden gun');
  });

  it('is told everything again when its player comes back', () => {
    const seat = sit();
    seat.veil();
    seat.unveil();
    const [before, after] = Line.lines;
    expect([Line.lines.length, before!.open, after!.open]).toEqual([2, false, true]);
    before!.say(log);
    expect(seat.log).toEqual([]);
    after!.say(table);
    after!.say(log);
    expect([seat.table?.view, seat.log.length]).toEqual([view, 1]);
  });

  it('that was never left joins only once', () => {
    const seat = sit();
    seat.unveil();
    expect(Line.lines.length).toBe(1);
  });

  it('adds to the dice once, however many others come before that has arrived', () => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
    const seat = new Seat('g', 'red', 'token', vi.fn(), vi.fn(), vi.fn());
    const waiting = { type: 'waiting', side: 'red', commitment: 'c0', seats: [{ seat: 'red', come: false }] };
    const nonces = (line: Line) => line.sent.filter((text) => text.includes('"nonce"')).length;
    Line.lines[0]!.say(waiting);
    Line.lines[0]!.say(waiting);
    expect(nonces(Line.lines[0]!)).toBe(1);
    // The host gave a seat away: the promise is another one.
    Line.lines[0]!.say({ ...waiting, commitment: 'c1' });
    expect(nonces(Line.lines[0]!)).toBe(2);
    // A line that was lost may have lost it.
    seat.socket.anew();
    Line.lines[1]!.say({ ...waiting, commitment: 'c1' });
    expect(nonces(Line.lines[1]!)).toBe(1);
  });
});
