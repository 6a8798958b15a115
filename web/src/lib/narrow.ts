/** Click, narrow, act: what a click means among the choices. Pure; the page's state lives elsewhere. */
import type { Action, Activation, Choice, Place, UnitId } from './protocol';

export type Token = { unit: UnitId } | { place: Place };

export type Narrowed =
  /** The click narrowed the choices; several are left. */
  | { kind: 'narrowed'; clicked: Token[]; left: Choice[] }
  /** One is left and may be played at once. */
  | { kind: 'play'; clicked: Token[]; choice: Choice }
  /** One is left and needs a button. */
  | { kind: 'offer'; clicked: Token[]; choice: Choice }
  /** Clicked a second time: the last click is taken back. */
  | { kind: 'released'; clicked: Token[]; left: Choice[] }
  /** Nothing can be done there. */
  | { kind: 'nothing' };

/** Kinds that go somewhere: a click on the unit alone is never enough to play them. */
const GOING = new Set(['move', 'place', 'unload', 'exit']);
/** Kinds that have buttons of their own and are not narrowed away. */
const STANDING = new Set(['done', 'pass', 'cancel', 'confirm']);
/** Kinds that wait for their button, though they could be taken back: they begin something. */
const ASKING = new Set(['activate', 'give-up']);

export function isStanding(choice: Choice): boolean {
  return STANDING.has(choice.kind);
}

/**
 * The standing choices that have a button now: where several units have one each, such as to move no further, those of
 * the unit that was clicked.
 */
export function standing(choices: readonly Choice[], clicked: readonly Token[]): Choice[] {
  const all = choices.filter(isStanding);
  const ofUnits = all.filter(({ units }) => units.length > 0);
  if (ofUnits.length <= 1) return all;
  return all.filter(
    (choice) => choice.units.length === 0 || clicked.some((token) => involves(choice, token)),
  );
}

export function sameToken(a: Token, b: Token): boolean {
  return 'unit' in a ? 'unit' in b && a.unit === b.unit : 'place' in b && a.place === b.place;
}

function involves(choice: Choice, token: Token): boolean {
  return 'unit' in token ? choice.units.includes(token.unit) : choice.places.includes(token.place);
}

/** The choices that involve everything that was clicked. */
export function candidates(choices: readonly Choice[], clicked: readonly Token[]): Choice[] {
  return choices.filter((choice) => clicked.every((token) => involves(choice, token)));
}

/**
 * The choices that involve everything that was clicked, of kinds that the others could begin in the same way in place
 * of the first unit: those in which they may join it.
 */
export function shared(
  choices: readonly Choice[],
  clicked: readonly Token[],
  others: readonly UnitId[],
): Choice[] {
  const open = candidates(choices, clicked);
  if (others.length === 0) return open;
  return open.filter((choice) => {
    const aims = clicked.filter((token) => !('unit' in token && token.unit === choice.units[0]));
    const alike = choices.filter(({ action }) => action.type === choice.action.type);
    return others.every((other) =>
      candidates(alike, [...aims, { unit: other }]).some(({ units }) => units[0] === other),
    );
  });
}

/** The only way in which a unit can join a fire, or the way that is most like another's; null where that is not told. */
export function likest(choices: readonly Choice[], unit: UnitId, like: Action): Choice | null {
  const ways = choices.filter(({ kind, units }) => kind === 'fire' && units[0] === unit);
  const likeness = ({ action }: Choice) =>
    Object.entries(action).filter(([field, value]) => JSON.stringify(like[field]) === JSON.stringify(value))
      .length;
  const most = Math.max(...ways.map(likeness));
  const best = ways.filter((way) => likeness(way) === most);
  return best.length === 1 ? best[0]! : null;
}

/** Whether an attack has its target, but more than one kind of fire is open: then another unit may be added to it. */
export function isOpenAttack(left: readonly Choice[], clicked: readonly Token[]): boolean {
  const [first] = left;
  const chosen = (unit: UnitId) => clicked.some((token) => 'unit' in token && token.unit === unit);
  return (
    clicked.length > 1 &&
    left.length > 1 &&
    left.every(
      ({ kind, units: [unit] }) =>
        kind === 'fire' && unit !== undefined && unit === first!.units[0] && chosen(unit),
    )
  );
}

/** Everything that a click may fall on, given what was clicked already. */
export function glowing(
  choices: readonly Choice[],
  clicked: readonly Token[],
): { units: Set<UnitId>; places: Set<Place> } {
  const units = new Set<UnitId>();
  const places = new Set<Place>();
  const alone = clicked.length === 0;
  for (const choice of candidates(choices, clicked)) {
    choice.units.forEach((u) => units.add(u));
    // Before the first click the units that move are shown, not every place that they could go to.
    if (!(alone && choice.kind === 'move' && choice.units.length > 0)) {
      choice.places.forEach((h) => places.add(h));
    }
  }
  return { units, places };
}

/** The unit that a click must mean when all moves are one unit's, else null. */
export function onlyMover(choices: readonly Choice[]): UnitId | null {
  const movers = new Set<UnitId>();
  for (const choice of choices) {
    if (isStanding(choice)) continue;
    if (choice.kind !== 'move') {
      choice.units.slice(0, 1).forEach((u) => movers.add(u));
      continue;
    }
    const unit = choice.units[0];
    if (unit === undefined) return null;
    movers.add(unit);
  }
  const [first] = movers;
  return movers.size === 1 && first !== undefined && choices.some((c) => c.kind === 'move') ? first : null;
}

function needsGoal(choice: Choice, clicked: readonly Token[]): boolean {
  return GOING.has(choice.kind) && choice.places.length > 0 && !clicked.some((token) => 'place' in token);
}

function settle(clicked: Token[], left: Choice[]): Narrowed {
  const [only] = left;
  if (left.length === 1 && only && !needsGoal(only, clicked)) {
    const asks = only.confirm || ASKING.has(only.kind);
    return { kind: asks ? 'offer' : 'play', clicked, choice: only };
  }
  return { kind: 'narrowed', clicked, left };
}

/** What else a click on a token may have meant: the place of a unit, a unit at a place. */
export interface Surroundings {
  placeOf(unit: UnitId): Place | null;
  unitsAt(place: Place): readonly UnitId[];
}

export function click(
  choices: readonly Choice[],
  clicked: readonly Token[],
  token: Token,
  around: Surroundings,
): Narrowed {
  if (clicked.some((t) => sameToken(t, token))) {
    const fewer = clicked.filter((t) => !sameToken(t, token));
    return { kind: 'released', clicked: fewer, left: candidates(choices, fewer) };
  }
  const aimed = aimedAnew(choices, clicked, token);
  for (const tokens of [
    ...(aimed ? [[...clicked, token], aimed] : []),
    ...readings(clicked, token, around),
  ]) {
    const left = candidates(choices, tokens);
    if (left.length > 0) return settle(tokens, left);
  }
  return { kind: 'nothing' };
}

/** Of a fire that is being aimed the target stays when another firer is chosen; null if it is none of his. */
function aimedAnew(choices: readonly Choice[], clicked: readonly Token[], token: Token): Token[] | null {
  const [first] = candidates(choices, clicked);
  if (clicked.length < 2 || first?.kind !== 'fire' || !('unit' in token)) return null;
  const others = clicked.filter((one) => !('unit' in one && one.unit === first.units[0]));
  const fires = candidates(choices, [...others, token]).some(
    ({ kind, units: [firer] }) => kind === 'fire' && firer === token.unit,
  );
  return fires && others.length < clicked.length ? [token, ...others] : null;
}

/** What a click may have meant, the likeliest first. */
function readings(clicked: readonly Token[], token: Token, around: Surroundings): Token[][] {
  if ('unit' in token) {
    const place = around.placeOf(token.unit);
    const under: Token[] = place === null ? [] : [{ place }];
    // A unit that can act itself is chosen rather than taken for the place under it.
    return [[...clicked, token], [token], ...under.flatMap((p) => [[...clicked, p], [p]])];
  }
  // The top of the stack is what one sees, so it is what one means.
  const inside = [
    token,
    ...around
      .unitsAt(token.place)
      .map((unit) => ({ unit }))
      .reverse(),
  ];
  return [...inside.map((t) => [...clicked, t]), ...inside.map((t) => [t])];
}

/** What Enter would play: the offered choice, the one confirmation, or the only choice there is if all are known. */
export function primary(
  choices: readonly Choice[],
  clicked: readonly Token[],
  known: Known = 'all',
): Choice | null {
  if (clicked.length > 0) {
    const left = candidates(choices, clicked);
    if (left.length === 1 && left[0] && !needsGoal(left[0], clicked)) return left[0];
  }
  const confirming = choices.filter((c) => c.kind === 'confirm');
  if (confirming.length === 1 && confirming[0]) return confirming[0];
  return known === 'all' && choices.length === 1 && choices[0] ? choices[0] : null;
}

/** Whether every choice is known, or only those that were asked for. */
export type Known = 'all' | 'some';

/** Puts choices that have come behind those that are known, none twice. */
export function joined(known: readonly Choice[], more: readonly Choice[]): Choice[] {
  if (more.length === 0) return [...known];
  const seen = new Set(known.map(keyOf));
  return [...known, ...more.filter((choice) => !seen.has(keyOf(choice)))];
}

/** A choice as its action in writing: two are the same if this is. */
export function keyOf(choice: Pick<Choice, 'action'>): string {
  return JSON.stringify(choice.action);
}

export function sameAction(a: Action, b: Action): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Own units that something can be done with, in the order of the choices. */
export function actors(choices: readonly Choice[], isOwn: (unit: UnitId) => boolean): UnitId[] {
  const found = new Set<UnitId>();
  for (const choice of choices) choice.units.filter(isOwn).forEach((u) => found.add(u));
  return [...found];
}

/** Whether the side is asked to answer an enemy's doing: it may fire, or let it pass. */
export function isReaction(
  choices: readonly Choice[],
  current: string | null,
  side: string | null,
  known: Known = 'all',
): boolean {
  // Where units can act whose choices are not known, a player who may pass in the enemy's turn is asked to react.
  const mayAnswer = known === 'some' && choices.some((c) => c.kind === 'pass');
  const answers = mayAnswer || choices.some((c) => c.kind === 'react' || c.kind === 'fire');
  return answers && current !== side && choices.some((c) => c.kind === 'pass' || c.kind === 'done');
}

/** The choice to stop that is meant by a click on another unit which is still to act in this segment, else null. */
export function stopFor(choices: readonly Choice[], active: Activation | null, unit: UnitId): Choice | null {
  const waits = active !== null && unit in active.roles && !active.done.includes(unit);
  if (!waits || candidates(choices, [{ unit }]).length > 0) return null;
  return choices.find((c) => c.action.type === 'Stop') ?? null;
}

/** A chance such as "5/6" as a number between 0 and 1. */
export function chanceValue(chance: string): number {
  const [above, below] = chance.split('/').map(Number);
  if (above === undefined || Number.isNaN(above)) return 0;
  return below === undefined ? above : below === 0 ? 0 : above / below;
}

/** The reasons against what a click may have meant: one that speaks against all of it is told once. */
export function reasons<R extends { label: string; text: string; rule: string | null }>(
  meant: readonly R[],
): R[] {
  const [first] = meant;
  const alike = meant.every(({ text, rule }) => text === first?.text && rule === first.rule);
  return first && meant.length > 1 && alike ? [{ ...first, label: '' }] : [...meant];
}
