import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../game.svelte';
import type { Point } from '../geometry';
import { Camera } from './camera.svelte';
import type { Ground } from './ground';
import { Views } from './views';

vi.mock('../screen', () => ({
  fingers: { current: true },
  low: { current: false },
  sheeted: { current: true },
}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { setTimeout, devicePixelRatio: 1 });
});

/** Where everybody stands on a map of 2000 by 2000; counters are 40 wide, and "own" is chosen. */
const PLACES: Record<string, Point> = {
  own: { x: 1000, y: 1000 },
  near: { x: 1300, y: 1000 },
  behind: { x: 750, y: 1000 },
  far: { x: 1960, y: 1000 },
};

/** A telephone of 390 by 500 pixels that shows "own" in its middle, a unit of the map to a pixel. */
function phone(lit: string[], finger = false) {
  const units = new Map(
    Object.keys(PLACES).map((id) => [id, { id, side: id === 'own' ? 'german' : 'soviet', place: id }]),
  );
  const game = {
    side: 'german',
    units,
    offer: { actors: ['own'], choices: [], reaction: false },
    clicks: { units: ['own'], glow: { units: new Set(['own', ...lit]), places: new Set() } },
    desk: { chosen: [] },
    view: { building: null },
    reach: { goal: null },
    tray: { place: null as string | null },
  };
  const ground = { counter: 40, at: (place: string) => PLACES[place] ?? null } as unknown as Ground;
  const camera = new Camera(
    () => ({ x: 0, y: 0, width: 2000, height: 2000 }),
    () => {},
  );
  Object.assign(camera, { width: 390, height: 500, zoom: 1, x: 195 - 1000, y: 250 - 1000 });
  return {
    camera,
    game,
    views: new Views(
      game as unknown as Game,
      camera,
      () => ground,
      () => finger,
    ),
  };
}

describe('a target beyond the glass', () => {
  it('comes into view together with its attacker, as near as before', () => {
    const { camera, views } = phone(['near']);
    expect(camera.shows(PLACES.near!)).toBe(false);
    views.asked();
    expect([camera.shows(PLACES.own!, 20), camera.shows(PLACES.near!, 20)]).toEqual([true, true]);
    expect(camera.zoom).toBe(1);
  });

  it('takes the map away as far as it must', () => {
    // From 750 to 1300, and a counter on each side: 630 in 390 pixels.
    const { camera, views } = phone(['near', 'behind']);
    views.asked();
    expect(camera.zoom).toBeCloseTo(390 / 630);
    expect([camera.shows(PLACES.behind!, 12), camera.shows(PLACES.near!, 12)]).toEqual([true, true]);
  });

  it('takes it no further away than to counters that can still be hit', () => {
    // 960 between them, and a counter on each side: 1040 do not go into 390 pixels at 24 to a counter of 40.
    const { camera, views } = phone(['far']);
    views.asked();
    expect(camera.shows(PLACES.own!, 20)).toBe(true);
    expect(camera.zoom).toBe(1);
  });

  it('is the nearest where the glass is too small for all', () => {
    const { camera, views } = phone(['far', 'near']);
    views.asked();
    expect([camera.shows(PLACES.own!, 20), camera.shows(PLACES.near!, 20)]).toEqual([true, true]);
    expect(camera.shows(PLACES.far!)).toBe(false);
  });

  it('stays there while a finger is on the map', () => {
    const { camera, views } = phone(['near'], true);
    views.asked();
    expect(camera.x).toBe(195 - 1000);
  });

  it('is brought in once: a player who looks elsewhere is left there', () => {
    const { camera, views } = phone(['near']);
    views.asked();
    camera.pan(700, 0);
    const { x } = camera;
    views.asked();
    expect(camera.x).toBe(x);
  });
});

it('the map does not move where all targets are in view', () => {
  const { camera, views } = phone([]);
  views.asked();
  expect([camera.x, camera.y, camera.zoom]).toEqual([195 - 1000, 250 - 1000, 1]);
});

describe('the sheet', () => {
  it('that rises leaves the stack in the tray in view', () => {
    const { camera, game, views } = phone([]);
    game.clicks.units = [];
    camera.handled = true;
    game.tray.place = 'own';
    camera.foot = 300;
    expect(camera.shows(PLACES.own!)).toBe(false);
    views.covered();
    expect(camera.shows(PLACES.own!)).toBe(true);
  });

  it('that sinks leaves no bare table below a map whose top is hidden', () => {
    const { camera, views } = phone([]);
    Object.assign(camera, { fitted: true, handled: true, zoom: 0.2, x: 0, y: -150, foot: 300 });
    views.covered();
    const { y } = camera;
    camera.foot = 0;
    views.covered();
    // 400 pixels high in a glass of 500: its top comes to the edge, and no farther.
    expect([y < 0, camera.y]).toEqual([true, 0]);
  });

  it('that sinks moves nothing under a finger', () => {
    const { camera, views } = phone([], true);
    Object.assign(camera, { fitted: true, handled: true, zoom: 0.2, x: 0, y: -150, foot: 300 });
    views.covered();
    const { y } = camera;
    camera.foot = 0;
    views.covered();
    expect(camera.y).toBe(y);
  });
});
