import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../game.svelte';
import type { Seat } from '../seat.svelte';
import { Seats } from './seats.svelte';

/** A line that hears nothing by itself. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = Line.OPEN;
  send(): void {}
  close(): void {}
}

let stored: Record<string, string>;

beforeEach(() => {
  stored = {};
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('window', { setTimeout });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => (stored[key] = value),
  });
});

/** What this browser keeps of the game. */
const kept = () => (JSON.parse(stored['opfire.games'] ?? '[]') as { at?: string | null }[])[0];

/** A game with the seats of Germans and Soviets in this browser, and what it was told to do. */
function table(more: object = {}, seats: Record<string, string> = { german: 'one', soviet: 'two' }) {
  stored['opfire.games'] = JSON.stringify([{ game: 'g', seats, seen: 0, cover: false, ...more }]);
  const done: string[] = [];
  const game = {
    id: 'g',
    film: { clear: () => {} },
    past: { leave: () => {} },
    forgetSeat: () => done.push('forget'),
    fresh: () => done.push('fresh'),
    sideName: (side: string) => ({ german: 'German', soviet: 'Soviet' })[side] ?? side,
    get seat() {
      return made.all[made.active] ?? null;
    },
  };
  const made = new Seats(game as unknown as Game);
  return { seats: made, done };
}

/** These seats have something to decide, the others nothing. */
function decides(seats: Seats, ...names: string[]): void {
  for (const seat of seats.all)
    Object.defineProperty(seat, 'decides', { value: names.includes(seat.name ?? ''), configurable: true });
}

const told = (seat: Seat) => seat.table !== null;

/** A seat is told a secret. */
function tells(seat: Seat): void {
  seat.table = { view: { secret: 'the hidden gun' }, decides: [] } as unknown as Seat['table'];
}

describe('the seats of a browser', () => {
  it('are those that it keeps, or else one that watches', () => {
    expect(table().seats.all.map(({ name }) => name)).toEqual(['german', 'soviet']);
    expect(table({}, {}).seats.all.map(({ name }) => name)).toEqual([null]);
  });

  it('have the name of their side, or their own with it', () => {
    const { seats } = table({}, { german: 'one', anna: 'two' });
    seats.all[1]!.side = 'soviet';
    expect([seats.nameOf('german'), seats.nameOf('anna')]).toEqual(['German', 'anna (Soviet)']);
  });

  it('come to the screen when they have something to decide', () => {
    const { seats, done } = table();
    decides(seats, 'german');
    seats.followDecision();
    expect([seats.active, done]).toEqual([0, []]);
    decides(seats, 'soviet');
    seats.followDecision();
    expect([seats.active, seats.handOver, done]).toEqual([1, null, ['fresh']]);
    expect(seats.banner).toContain('Soviet');
    vi.runAllTimers();
    expect(seats.banner).toBeNull();
  });

  it('stay where they are while nobody here decides', () => {
    const { seats } = table();
    decides(seats);
    seats.followDecision();
    expect(seats.active).toBe(0);
  });
});

describe('a covered table', () => {
  it('forgets what the last player knew before the next one is there', () => {
    const { seats, done } = table({ cover: true, at: 'german' });
    seats.all.forEach(tells);
    decides(seats, 'soviet');
    seats.followDecision();
    expect([seats.active, seats.handOver, done]).toEqual([0, 'soviet', ['forget']]);
    expect([seats.all.map(told), kept()!.at]).toEqual([[false, false], null]);
    // It is covered once, however often the table changes.
    seats.followDecision();
    expect(done).toEqual(['forget']);
  });

  it('opens for the player for whom it was covered', () => {
    const { seats } = table({ cover: true, at: 'german' });
    decides(seats, 'soviet');
    seats.followDecision();
    seats.takeOver();
    expect([seats.active, seats.handOver, kept()!.at]).toEqual([1, null, 'soviet']);
  });

  it('shows after a reload the seat that it showed, and no other', () => {
    const { seats } = table({ cover: true, at: 'soviet' });
    seats.all.forEach(tells);
    seats.open();
    expect([seats.active, seats.handOver, seats.all.map(told)]).toEqual([1, null, [false, true]]);
  });

  it('is covered still after a reload while it was handed over', () => {
    const { seats, done } = table({ cover: true, at: null });
    seats.all.forEach(tells);
    seats.open();
    expect([seats.handOver, seats.all.map(told), done]).toEqual(['german', [false, false], ['forget']]);
  });
});
