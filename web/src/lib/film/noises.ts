/** The noise that belongs to a beat of a scene. Pure. */
import type { Unit } from '../protocol';
import type { Beat } from './reel';
import type { Scene } from './scenes';
import type { Noise } from './sound';
import { calibreWith } from './words';

/** The heaviest gun that still sounds heavier than others, in mm. */
const HEAVIEST_MM = 150;
/** Without a calibre the weight comes from the strength of the attack. */
const STRONGEST = 20;
/** What fires many small shots. */
const SMALL_ARMS = 20;

function weightOf(unit: Unit | null, mm = 0): number {
  const calibre = calibreWith(unit, mm);
  return Math.min(1, calibre ? calibre.mm / HEAVIEST_MM : (unit?.attack ?? 0) / STRONGEST);
}

function isSmall(unit: Unit | null, mm = 0): boolean {
  const calibre = calibreWith(unit, mm);
  return calibre ? calibre.mm <= SMALL_ARMS : unit !== null && !unit.vehicle;
}

export function noiseOf(
  scene: Pick<Scene, 'kind' | 'losses' | 'dice' | 'beats' | 'calibre'>,
  beat: Beat['name'] | null,
  firer: Unit | null,
  units: readonly (Unit | null)[],
): Noise | null {
  const noise = (kind: Noise['kind'], weight = 0.5, seconds = 0.5): Noise => ({ kind, weight, seconds });
  switch (beat) {
    case 'go':
      return units.some((unit) => unit?.vehicle)
        ? noise('engine', 0.5, Math.max(0.4, (scene.beats[0]?.ms ?? 0) / 1000))
        : null;
    case 'fire':
      return isSmall(firer, scene.calibre) ? noise('rattle') : noise('shot', weightOf(firer, scene.calibre));
    case 'dice':
      return noise('dice');
    case 'result':
      return scene.losses.length > 0 ? noise('blast') : null;
    default:
      return null;
  }
}
