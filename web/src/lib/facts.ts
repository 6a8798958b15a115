/** What a table knows at a moment, as facts that lessons and hints wait for. Pure. */
import type { Game } from './game.svelte';
import { unplacedOf } from './offers';

/** What the player does with the table itself: it leaves no trace in the game, so it is counted. */
export interface Handling {
  zooms: number;
  fans: number;
  undos: number;
  plays: number;
}

/** From where on something is new. */
export interface Since extends Handling {
  events: number;
  /** The tapes that lie on the table. */
  tapes: number;
}

export interface Known extends Handling {
  step: string;
  /** Units are set up by the answer: plans are asked for in the set-up, too. */
  places: boolean;
  /** Units of one's own are still to be placed. */
  waiting: boolean;
  /** Sides take turns by action segments, in which they activate units. */
  segments: boolean;
  asked: boolean;
  reaction: boolean;
  /** An own unit is chosen. */
  chosen: boolean;
  /** An enemy is chosen with it. */
  aimed: boolean;
  los: 'away' | 'open' | 'answered';
  /** An attack is being put together, and its calculation is on show. */
  calculation: boolean;
  reach: boolean;
  goal: boolean;
  /** An enemy may fire at the way that is shown. */
  danger: boolean;
  /** The table has said why something cannot be done, and by which rule. */
  refused: boolean;
  canUndo: boolean;
  /** A rule, a log entry is open. */
  rule: boolean;
  entry: boolean;
  tab: string;
  past: boolean;
  tape: 'away' | 'open';
  /** The tapes laid on the free table. */
  tapes: number;
  /** Own units have fired, have moved. */
  fired: boolean;
  moved: boolean;
}

export const sinceOf = (game: Game): Since => ({
  events: game.log.at(-1)?.n ?? -1,
  tapes: game.tape.laid.length,
  ...game.handling,
});

export function knownOf(game: Game, since: Since, tab = 'log'): Known {
  const own = (kind: string) =>
    game.log.some((e) => e.n > since.events && e.kind === kind && e.side === game.side);
  const los = game.los.tool;
  return {
    step: game.table?.prompt?.step ?? '',
    places: game.table?.prompt?.places ?? false,
    waiting: unplacedOf(game).length > 0,
    segments: game.view?.segments !== undefined,
    asked: game.asked,
    reaction: game.offer.reaction,
    chosen: game.clicks.made.some((c) => 'unit' in c && game.units.get(c.unit)?.side === game.side),
    aimed: game.clicks.made.some((c) => 'unit' in c && game.units.get(c.unit)?.side !== game.side),
    los: los === null ? 'away' : los.answer === null ? 'open' : 'answered',
    calculation: game.asked && (game.view?.building?.calculation ?? null) !== null,
    reach: game.reach.places.size > 0 || (game.stand.ghost?.lattice ?? null) !== null,
    goal: game.reach.goal !== null,
    danger:
      (game.reach.goal !== null && game.reach.fire.length > 0) ||
      (game.stand.ghost?.price?.fire?.length ?? 0) > 0,
    refused: game.saying?.lines.some((line) => line.rule !== null) ?? false,
    canUndo: game.table?.undo.can ?? false,
    rule: game.openRule !== null,
    entry: game.openEntry !== null,
    tab,
    past: game.past.moment !== null,
    tape: game.tape.inHand === null ? 'away' : 'open',
    tapes: game.tape.laid.length - since.tapes,
    fired: own('fired'),
    moved: own('moved'),
    zooms: game.handling.zooms - since.zooms,
    fans: game.handling.fans - since.fans,
    undos: game.handling.undos - since.undos,
    plays: game.handling.plays - since.plays,
  };
}

const at = (step: string) => (k: Known) => k.asked && !k.segments && k.step === step;
const inSegment = (step: string) => (k: Known) => k.asked && k.segments && k.step === step;

/** A player who has fired has seen the chances, and one who has moved has chosen a destination, in whichever way. */
export const FACTS = {
  zoomed: (k: Known) => k.zooms > 0,
  fanned: (k: Known) => k.fans > 0,
  'rule-open': (k: Known) => k.rule,
  'rule-closed': (k: Known) => !k.rule,
  chosen: (k: Known) => k.chosen || k.calculation || k.fired,
  aimed: (k: Known) => k.aimed || k.calculation || k.fired,
  'let-go': (k: Known) => !k.chosen,
  'los-open': (k: Known) => k.los !== 'away',
  'los-answered': (k: Known) => k.los === 'answered',
  'los-away': (k: Known) => k.los === 'away',
  calculation: (k: Known) => k.calculation || k.fired,
  fired: (k: Known) => k.fired,
  entry: (k: Known) => k.entry,
  moving: (k: Known) => k.asked && ['vehicle', 'non-vehicle', 'movement'].includes(k.step),
  reach: (k: Known) => k.reach || k.moved,
  goal: (k: Known) => k.goal || k.moved,
  moved: (k: Known) => k.moved,
  danger: (k: Known) => k.danger,
  warned: (k: Known) => k.danger || k.moved,
  'tape-open': (k: Known) => k.tape === 'open' || k.tapes > 0,
  taped: (k: Known) => k.tapes > 0,
  'tape-away': (k: Known) => k.tape === 'away',
  undone: (k: Known) => k.undos > 0,
  'can-undo': (k: Known) => k.asked && k.canUndo && k.plays > 0,
  refused: (k: Known) => k.refused,
  reaction: (k: Known) => k.reaction,
  answered: (k: Known) => k.fired || (!k.reaction && !k.past),
  orders: (k: Known) => k.tab === 'orders',
  forces: (k: Known) => k.tab === 'forces',
  past: (k: Known) => k.past,
  now: (k: Known) => !k.past,
  'reaction-fire': (k: Known) => k.reaction && !k.segments,
  'opportunity-fire': (k: Known) => k.reaction && k.segments,
  activating: inSegment('segment'),
  designating: inSegment('designate'),
  performing: inSegment('perform'),
  'set-up': (k: Known) => k.asked && k.places && k.waiting,
  placed: (k: Known) => k.asked && k.places && !k.waiting && k.step === 'set-up',
  posture: at('posture'),
  indirect: at('indirect'),
  registration: at('registration'),
  direct: at('direct'),
  vehicle: at('vehicle'),
  'non-vehicle': at('non-vehicle'),
  assault: at('assault'),
} satisfies Record<string, (k: Known) => boolean>;

export type Fact = keyof typeof FACTS;
