/** Hints at the table: each is shown at its first occasion, and never again once that is over or it was read. */
import { FACTS, type Fact, type Known } from './facts';
import type { Catalogue } from './i18n';
import { setting } from './storage';

export type HintId = keyof Catalogue['hints']['once'];

/** The first that fits is shown: what has just happened comes before where one is. */
export const HINTS: readonly { id: HintId; when: Fact }[] = [
  { id: 'reaction', when: 'reaction-fire' },
  { id: 'opportunity', when: 'opportunity-fire' },
  { id: 'why', when: 'refused' },
  { id: 'danger', when: 'danger' },
  { id: 'undo', when: 'can-undo' },
  { id: 'set-up', when: 'set-up' },
  { id: 'placed', when: 'placed' },
  { id: 'activate', when: 'activating' },
  { id: 'designate', when: 'designating' },
  { id: 'perform', when: 'performing' },
  { id: 'posture', when: 'posture' },
  { id: 'indirect', when: 'indirect' },
  { id: 'registration', when: 'registration' },
  { id: 'direct', when: 'direct' },
  { id: 'vehicle', when: 'vehicle' },
  { id: 'non-vehicle', when: 'non-vehicle' },
  { id: 'assault', when: 'assault' },
];

/** The hint for now, or null. The one on show stays as long as its occasion lasts, unless a weightier one comes. */
export function hintFor(known: Known, seen: ReadonlySet<string>): HintId | null {
  return HINTS.find(({ id, when }) => !seen.has(id) && FACTS[when](known))?.id ?? null;
}

/** Whether the occasion of a hint is over. */
export function isOver(hint: HintId, known: Known): boolean {
  return !HINTS.some(({ id, when }) => id === hint && FACTS[when](known));
}

const SEEN = 'hints-seen';

export const seenHints = () => new Set(setting.read<string[]>(SEEN, []));
export const keepSeen = (seen: ReadonlySet<string>) => setting.write(SEEN, [...seen]);
