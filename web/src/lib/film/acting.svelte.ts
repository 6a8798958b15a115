/** What goes along with the scene that is shown: counters that glide along their path, and noises. */
import { untrack } from 'svelte';
import type { Point } from '../geometry';
import type { Game } from '../game.svelte';
import type { Unit, UnitId } from '../protocol';
import { settings } from '../settings.svelte';
import { noiseOf } from './noises';
import type { Scene } from './scenes';
import type { Sounds } from './sound';

/** How counters are drawn: the side of one, and how far its middle lies below its place, in map units. */
export interface Drawn {
  readonly size: number;
  readonly low: number;
}

/** The scene that the map shows; none while it shows a moment of the past. */
export const sceneOf = ({ film, past }: Game): Scene | null => (past.moment ? null : film.scene);

/** The film reads the log as it grows, and is forgotten with the page. Called as a component is made. */
export function reading(game: () => Game): void {
  $effect(() => {
    const { film, log, seats } = game();
    const covered = seats.handOver !== null;
    if (!covered) untrack(() => film.read(log));
  });
  $effect(() => () => untrack(() => game().film.clear()));
}

/** The counters of a move follow its path. Called as a component is made. */
export function gliding(game: () => Game, path: () => readonly Point[], drawn: () => Drawn): void {
  let glides: Animation[] = [];

  $effect(() => {
    const { film } = game();
    const scene = sceneOf(game());
    if (scene?.kind !== 'move' || film.beat !== 'go') return;
    const ms = untrack(() => film.lasting ?? 0);
    const way = film.whole ? path() : path().slice(scene.gone);
    glides = film.stills || ms === 0 ? [] : scene.units.flatMap((unit) => glide(unit, way, ms, drawn()));
    return () => glides.forEach((one) => one.cancel());
  });

  $effect(() => {
    const still = game().film.reel.paused;
    for (const one of glides)
      if (still) one.pause();
      else if (one.playState === 'paused') one.play();
  });
}

function glide(unit: UnitId, stops: readonly Point[], duration: number, { size, low }: Drawn): Animation[] {
  const element = document.querySelector<HTMLElement>(`.counters [data-unit="${CSS.escape(unit)}"]`);
  if (!element || stops.length < 2) return [];
  const frames = stops.map((p) => ({
    transform: `translate(${p.x - size / 2}px, ${p.y + low - size / 2}px)`,
    zIndex: 900,
  }));
  return [element.animate(frames, { duration, easing: 'ease-in-out' })];
}

/** Each beat has its noise, for players who want to hear it. Called as a component is made. */
export function sounding(game: () => Game, firer: () => Unit | null): void {
  let sounds: Sounds | null = null;

  // Sounds are made only once they are wanted.
  $effect(() => {
    if (!settings.sound) return;
    let open = true;
    void import('./sound').then(({ Sounds: Made }) => {
      if (open) sounds = new Made();
    });
    return () => {
      open = false;
      sounds?.close();
      sounds = null;
    };
  });

  $effect(() => {
    const { film, units } = game();
    const scene = sceneOf(game());
    if (!scene || !settings.sound || film.reel.paused) return;
    const moved = scene.units.map((id) => units.get(id) ?? null);
    const noise = noiseOf(scene, film.beat, firer(), moved);
    if (noise) sounds?.play(noise);
  });
}
