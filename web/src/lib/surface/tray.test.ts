import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../game.svelte';
import { Tray } from './tray.svelte';

const screen = vi.hoisted(() => ({ sheeted: { current: true } }));
vi.mock('../screen', () => screen);

beforeEach(() => {
  screen.sheeted.current = true;
  vi.stubGlobal('window', { setTimeout: (then: () => void, wait: number) => setTimeout(then, wait) });
});

const standing = (place: string, ...ids: string[]) =>
  [place, ids.map((id) => ({ id, place, carrier: null }))] as const;

/** Germans a and b lie on one another, and Soviets x and y; `able` can act, or be acted on. */
function table(able: string[], asked = true) {
  const game = {
    asked,
    clicks: { made: [] },
    handling: { fans: 0 },
    offer: { able: new Set(able) },
    stacks: new Map([standing('0101', 'a', 'b'), standing('0505', 'x', 'y')]),
  };
  return new Tray(game as unknown as Game);
}

describe('a stack in the tray', () => {
  it('is put away on a phone when the player goes on elsewhere', () => {
    const tray = table(['a']);
    tray.show('0505');
    tray.goOn('0505');
    expect(tray.stack.map(({ id }) => id)).toEqual(['y', 'x']);
    tray.goOn('0303');
    expect(tray.place).toBeNull();
  });

  it('is put away for a unit that waits off the map', () => {
    const tray = table(['a']);
    tray.show('0505');
    tray.goOn(null);
    expect(tray.place).toBeNull();
  });

  it('stays beside the map, where the pointer has left it', () => {
    screen.sheeted.current = false;
    const tray = table(['a']);
    tray.show('0505');
    tray.goOn('0303');
    tray.renew();
    expect(tray.place).toBe('0505');
  });

  it('is put away for good by hand, even while a pointer settles on it', () => {
    vi.useFakeTimers();
    screen.sheeted.current = false;
    const tray = table(['a']);
    tray.show('0505');
    tray.point('0101');
    expect(tray.putAway()).toBe(true);
    vi.runAllTimers();
    expect(tray.place).toBeNull();
    expect(tray.putAway()).toBe(false);
    vi.useRealTimers();
  });

  it('stays with the next question while one of its units can act or be acted on', () => {
    const tray = table(['a']);
    tray.show('0101');
    tray.renew();
    expect(tray.place).toBe('0101');
    tray.show('0505');
    tray.renew();
    expect(tray.place).toBeNull();
  });

  it('stays while the other side decides', () => {
    const tray = table([], false);
    tray.show('0505');
    tray.renew();
    expect(tray.place).toBe('0505');
  });
});
