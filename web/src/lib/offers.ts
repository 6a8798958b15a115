/** The choices of a decision, sorted by where the page offers them. */
import type { Game } from './game.svelte';
import { isStanding, standing } from './narrow';
import type { Choice, Unit } from './protocol';
import { isRole, type Entry } from './roles';
import { sheeted } from './screen';

/** As many choices stand as buttons before anything is chosen; more wait behind a fold. */
const FEW = 8;

/** So many ways to act with what is chosen are no list to read: the next click on the map tells which are meant. */
const MANY = 24;

export interface Offers {
  /** What can be done whatever is chosen: they have a bar of their own. */
  standing: Entry[];
  /** One that stands in the bar: it waits to be confirmed; or it is the only one, and a phone would hide its list. */
  alone: Entry | null;
  roles: Entry[];
  /** Buttons in the list. */
  shown: Entry[];
  /** Buttons behind a fold. */
  folded: Entry[];
  /** How many choices are left that do not stand. */
  left: number;
  /** Something is chosen, and what it can do waits for another click. */
  many: boolean;
}

/** Steps and placements are made on the map; in words they wait behind a fold. */
function goes(choice: Choice): boolean {
  return (
    choice.kind === 'place' || (choice.kind === 'move' && choice.places.length > 0 && choice.units.length > 0)
  );
}

/** Rare choices, never made by mistake, wait there too. */
function seldom(choice: Choice): boolean {
  return choice.kind === 'give-up' || choice.action.type === 'SplitFire';
}

/** Sorts the choices that the player's clicks have left. */
export function offersOf(game: Game): Offers {
  const all = game.offer.choices.map((choice, index) => ({ choice, index }));
  const chosen = new Set(game.clicks.left);
  const stands = new Set(standing(game.offer.choices, game.clicks.made));
  const left = all.filter(({ choice }) => !isStanding(choice) && chosen.has(choice));
  const folds = ({ choice }: Entry) => goes(choice) || seldom(choice);
  const onMap = left.filter(folds);
  const inWords = left.filter((entry) => !folds(entry) && !isRole(entry.choice));
  // The terms of a written order stand beside its place.
  const writing = game.offer.freeRegions.length > 0;
  const narrowed = game.clicks.made.length > 0;
  const many = narrowed && !writing && !game.offer.reaction && inWords.length > MANY;
  const listed = game.offer.reaction || narrowed || writing || inWords.length <= FEW;
  const held = all.find(({ choice }) => choice === game.clicks.held && !isStanding(choice)) ?? null;
  const roles = left.filter(({ choice }) => isRole(choice));
  const shown = listed && !many && !held ? inWords : [];
  const single =
    sheeted.current && shown.length === 1 && roles.length === 0 && !writing && !game.offer.reaction;
  return {
    standing: all.filter(({ choice }) => stands.has(choice)),
    alone: single ? shown[0]! : held,
    roles,
    shown: single ? [] : shown,
    folded: held ? [] : shown.length === 0 ? [...inWords, ...onMap] : onMap,
    left: left.length,
    many,
  };
}

/** Own units off the map that can be chosen now. */
export function unplacedOf(game: Game): Unit[] {
  return (game.view?.units ?? []).filter(
    (unit) => unit.side === game.side && unit.place === null && game.offer.able.has(unit.id),
  );
}
