/** The reel of the film: scenes one after another, each in beats, and where it stands. Pure; knows no clock. */

export type Pace = 'slow' | 'normal' | 'fast' | 'instant';
export const PACES: readonly Pace[] = ['slow', 'normal', 'fast', 'instant'];

/** A part of a scene, and how long it lasts at the normal pace. */
export interface Beat {
  name: 'go' | 'fire' | 'dice' | 'fall' | 'result' | 'still';
  ms: number;
}

export interface Filmed {
  readonly beats: readonly Beat[];
  /** An own unit is in it. */
  readonly own: boolean;
}

export interface Reel<Scene extends Filmed> {
  readonly scenes: readonly Scene[];
  /** The scene that is shown; as many as there are scenes once all have been shown. */
  readonly at: number;
  readonly beat: number;
  readonly paused: boolean;
}

const FACTOR: Record<Pace, number> = { slow: 2, normal: 1, fast: 0.45, instant: 0.45 };
/** With more scenes than this to come the film hurries. */
const MANY = 24;
const MOST_HURRY = 4;

export const EMPTY: Reel<never> = { scenes: [], at: 0, beat: 0, paused: false };

export const ended = ({ scenes, at }: Reel<Filmed>): boolean => at >= scenes.length;

export const sceneOf = <S extends Filmed>({ scenes, at }: Reel<S>): S | null => scenes[at] ?? null;

export const beatOf = (reel: Reel<Filmed>): Beat['name'] | null =>
  sceneOf(reel)?.beats[reel.beat]?.name ?? null;

/** More scenes at the end. */
export function added<S extends Filmed>(reel: Reel<S>, scenes: readonly S[]): Reel<S> {
  return { ...reel, scenes: [...reel.scenes, ...scenes] };
}

/** Without the scenes from there on. */
export function cutBack<S extends Filmed>(reel: Reel<S>, to: number): Reel<S> {
  const scenes = reel.scenes.slice(0, to);
  return reel.at < to ? { ...reel, scenes } : { ...reel, scenes, at: to, beat: 0 };
}

/** How much faster than its pace the film runs, so that it does not fall behind for minutes. */
export const hurry = ({ scenes, at }: Reel<Filmed>): number =>
  Math.min(MOST_HURRY, 1 + Math.max(0, scenes.length - at - MANY) / MANY);

/** How long the beat lasts, in ms; null where nothing runs. */
export function lasting(reel: Reel<Filmed>, pace: Pace): number | null {
  const beat = sceneOf(reel)?.beats[reel.beat];
  return beat && !reel.paused ? Math.round((beat.ms * FACTOR[pace]) / hurry(reel)) : null;
}

/** The next beat, or the next scene. */
export function ticked<S extends Filmed>(reel: Reel<S>): Reel<S> {
  const scene = sceneOf(reel);
  if (!scene) return reel;
  return reel.beat + 1 < scene.beats.length
    ? { ...reel, beat: reel.beat + 1 }
    : { ...reel, at: reel.at + 1, beat: 0 };
}

/** The beginning of a scene. */
export function seek<S extends Filmed>(reel: Reel<S>, at: number): Reel<S> {
  return { ...reel, at: Math.max(0, Math.min(at, reel.scenes.length)), beat: 0 };
}

/** One scene back, as a still: its last beat. */
export function back<S extends Filmed>(reel: Reel<S>): Reel<S> {
  const before = seek(reel, reel.at - 1);
  const last = (sceneOf(before)?.beats.length ?? 1) - 1;
  return { ...before, beat: last, paused: true };
}

/** The scene once more; from the end, the whole film. */
export function again<S extends Filmed>(reel: Reel<S>): Reel<S> {
  return { ...seek(reel, ended(reel) ? 0 : reel.at), paused: false };
}

/** The next scene with an own unit; without one, the end. */
export function skipped<S extends Filmed>(reel: Reel<S>): Reel<S> {
  const next = reel.scenes.findIndex((scene, i) => i > reel.at && scene.own);
  return { ...seek(reel, next < 0 ? reel.scenes.length : next), paused: false };
}

export const finished = <S extends Filmed>(reel: Reel<S>): Reel<S> => ({
  ...seek(reel, reel.scenes.length),
  paused: false,
});

/** Stopped for a question: at the last scene, which led to it, as a still. */
export function stopped<S extends Filmed>(reel: Reel<S>): Reel<S> {
  if (ended(reel)) return reel;
  const last = reel.scenes.length - 1;
  return { ...reel, at: last, beat: reel.scenes[last]!.beats.length - 1, paused: true };
}

export const toggled = <S extends Filmed>(reel: Reel<S>): Reel<S> =>
  ended(reel) ? again(reel) : { ...reel, paused: !reel.paused };
