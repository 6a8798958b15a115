/** The page's state of one game: its seats, what was clicked, and what the server said about it. */
import * as ahead from './ahead';
import { ApiError, api } from './api';
import { PLAIN_LOOKS, looks } from './counters/looks.svelte';
import { marked } from './counters/marked.svelte';
import type { Handling } from './facts';
import { Film } from './film/film.svelte';
import { About } from './game/about.svelte';
import { Calculations } from './game/calculations.svelte';
import { Facing } from './game/facing.svelte';
import { LineOfSight } from './game/los.svelte';
import { Passes } from './game/passes.svelte';
import { Past } from './game/past.svelte';
import { Rings } from './game/rings.svelte';
import { Seats } from './game/seats.svelte';
import { TapeMeasure } from './game/tape.svelte';
import { hazardsAlong, hazardsOn } from './hazards';
import { language, t } from './i18n';
import * as narrow from './narrow';
import type { Token } from './narrow';
import { Desk } from './orders/desk.svelte';
import { unforeseen } from './plan';
import { Presses } from './presses';
import type {
  Action,
  Choice,
  ChoicesAnswer,
  CostAnswer,
  Meant,
  Orders,
  Place,
  ReachAnswer,
  ReachPlace,
  Region,
  Side,
  SuggestAnswer,
  TableMessage,
  TogetherAnswer,
  Unit,
  UnitId,
  UnitMark,
  Vote,
  WhyAnswer,
} from './protocol';
import { markOfRole } from './roles';
import type { Seat } from './seat.svelte';
import { Refused } from './socket';
import { updateGame } from './storage';
import { Formation, followers, inOrder, leadsOver, legsOf } from './surface/formation.svelte';
import { Ghost, NO_STAND, type Legs } from './surface/ghost.svelte';
import type { Ground } from './surface/ground';
import { groundOf } from './surface/grounds';
import { nearestOnMap, wishes, type Manner } from './surface/hexes/column';
import { paced } from './surface/pace';
import { textOf, wired, type Spot } from './surface/places';
import { nearestOf, roseOf, sidesApart, wayOf } from './surface/rose';
import { Tray } from './surface/tray.svelte';

/** All that a player chooses by. A message may bring nothing new of it, as when a draw is offered. */
function position({ choices, actors, view }: TableMessage): string {
  return JSON.stringify([choices, actors, view]);
}

export interface Saying {
  title: string;
  lines: Meant[];
}

/** A stand that is being set down, and whether its move is taken, once that is known. */
interface SettingDown {
  ghost: Ghost;
  taken: Promise<boolean>;
}

/** Kinds of choices about which there may be a caution. */
const CAUTIOUS = new Set(['activate', 'designate', 'done']);

/** The status of units that stand where their place says. */
const IN_PLAY = new Set(['on the map', 'on the table']);

const sameAction = (a: Action, b: Action): boolean => JSON.stringify(a) === JSON.stringify(b);

export class Game {
  /** The line of sight that the player asks for, and what is seen from a place. */
  readonly los = new LineOfSight(this);
  /** The tape measure of the free table, and the tapes that are left lying. */
  readonly tape = new TapeMeasure(this);
  /** The rings round a stand of the free table: its range, command and field of fire. */
  readonly rings = new Rings(this);
  /** Looking back: the moment of the game that is on the table instead of now. */
  readonly past = new Past(this);
  /** What the server tells about units when it is asked. */
  readonly about = new About(this);
  /** The seats of this browser: which of them is at the screen, and the cover between them. */
  readonly seats: Seats;
  /** Facings on hexes: the direction to which hull or turret of the chosen unit is about to turn. */
  readonly facing = new Facing(this);
  /** Calculations of choices: asked for before a decision, and shown. */
  readonly calculations = new Calculations(this);
  /** Passing by itself: where nothing else is possible, or on an order of the player. */
  readonly passes = new Passes(this);

  ground = $state.raw<Ground | null>(null);
  failed = $state<string | null>(null);
  clicked = $state.raw<Token[]>([]);
  goal = $state<Place | null>(null);
  reach = $state.raw<Map<Place, ReachPlace>>(new Map());
  reachOf = $state<UnitId | null>(null);
  hoverPlace = $state<Place | null>(null);
  cursor = $state<Place | null>(null);
  saying = $state.raw<Saying | null>(null);
  suggestion = $state.raw<SuggestAnswer | null>(null);
  lit = $state.raw<Set<Place>>(new Set());
  /** The score is open: the map shows where points come from. */
  scored = $state(false);
  openRule = $state<string | null>(null);
  /** The entry of the log whose calculation is open. */
  openEntry = $state<number | null>(null);
  /** How often the player has done something with the table itself. */
  readonly handling = $state<Handling>({ zooms: 0, fans: 0, undos: 0, plays: 0 });
  inspected = $state<UnitId | null>(null);
  orders = $state.raw<Orders | null>(null);
  busy = $state(false);
  /** The page holds a record that was opened from a file. */
  readonly isRecord: boolean;
  private chosenForPlayer = false;
  private lastKind = '';
  /** The choice that the player has been cautioned about. */
  private cautioned: string | null = null;

  constructor(readonly id: string) {
    this.isRecord = id.startsWith('look-');
    this.seats = new Seats(this);
    this.seats.open();
    updateGame(id, { seen: Date.now() });
    api.map(id, language.code).then(
      async (data) => {
        marked.forget();
        looks.now = data.counters ?? PLAIN_LOOKS;
        looks.read(data);
        this.about.asks = new Set(data.asks ?? []);
        this.ground = await groundOf(data);
      },
      (error: unknown) => (this.failed = error instanceof ApiError ? error.message : t.play.noGame),
    );
  }

  close(): void {
    this.seats.all.forEach((s) => s.socket.close());
  }

  /** Has every seat told everything anew, as in another language. */
  joinAnew(): void {
    this.seats.all.forEach((seat) => seat.socket.anew());
    void api.map(this.id, language.code).then((data) => looks.read(data));
  }

  /** The seat that is at the screen. */
  seat = $derived.by(() => this.seats.all[this.seats.active] ?? null);
  waiting = $derived(this.seat?.waiting ?? null);
  table = $derived(this.seat?.table ?? null);
  view = $derived(this.past.moment?.view ?? this.table?.view ?? null);
  /** Choices that were asked for since the position last changed. */
  private fetched = $state.raw<Choice[]>([]);
  /** Where the units may move whose choices were asked for, on the free table. */
  private regions = $state.raw<Region[]>([]);
  /** The line of the plot sheet that is pointed at. */
  pointed = $state<string | null>(null);
  /** The stand that is about to be moved. */
  ghost = $state.raw<Ghost | null>(null);
  /** Whether all choices have been asked for. */
  private fetchedAll = $state(false);
  /** What is known of what can be done. */
  choices = $derived(this.past.moment ? [] : narrow.joined(this.table?.choices ?? [], this.fetched));
  known = $derived<narrow.Known>((this.table?.whole ?? true) || this.fetchedAll ? 'all' : 'some');
  side = $derived(this.seat?.side ?? null);
  log = $derived(this.seat?.log ?? []);
  units = $derived(new Map((this.view?.units ?? []).map((u) => [u.id, u])));

  stacks = $derived.by(() => {
    const stacks = new Map<Place, Unit[]>();
    const units = this.view?.units ?? [];
    for (const unit of this.past.moment ? units : this.film.cast(units)) {
      if (unit.place === null || !IN_PLAY.has(unit.status)) continue;
      const stack = stacks.get(unit.place);
      if (stack) stack.push(unit);
      else stacks.set(unit.place, [unit]);
    }
    const depth = (u: Unit) => (u.carrier !== null ? -1 : 0);
    for (const stack of stacks.values()) stack.sort((a, b) => depth(a) - depth(b) || a.order - b.order);
    return stacks;
  });

  /** It is for this seat to decide, whether it looks or not. */
  owes = $derived(this.seat?.decides ?? false);
  asked = $derived(this.owes && this.past.moment === null);
  /** Places to be written down that are no unit's matter. */
  freeRegions = $derived(this.asked ? (this.table?.regions ?? []) : []);

  /** Before the first click what was asked for meanwhile glows no more than what was not. */
  glow = $derived.by(() => {
    const alone = this.clicked.length === 0 && this.known === 'some';
    const found = narrow.glowing(alone ? (this.table?.choices ?? []) : this.choices, this.clicked);
    if (alone) this.actors.forEach((unit) => found.units.add(unit));
    return found;
  });

  /** Units that are to join the attack that is being built, once its kind is chosen. */
  joining = $state.raw<UnitId[]>([]);
  /** Those of them whose attack has begun, and how it was begun. */
  private joiners: { units: readonly UnitId[]; like: Action } = { units: [], like: { type: '' } };
  left = $derived(narrow.shared(this.choices, this.clicked, this.joining));

  primary = $derived(
    this.goal === null && !(this.ghost && this.clicked.length === 1)
      ? narrow.primary(this.choices, this.clicked, this.known)
      : null,
  );

  reaction = $derived(narrow.isReaction(this.choices, this.view?.current ?? null, this.side, this.known));
  mover = $derived(this.reachOf);

  route = $derived.by(() => {
    const goal = this.goal ?? this.hoverPlace;
    return goal === null ? null : (this.reach.get(goal) ?? null);
  });

  /** Enemies that may fire somewhere along the route. */
  routeFire = $derived([
    ...new Set((this.route?.path ?? []).slice(1).flatMap((place) => this.reach.get(place)?.fire ?? [])),
  ]);

  /** The stack that is shown beside the map. */
  readonly tray = new Tray(this);

  /** The marker on a unit: its order, or what it is activated for until it has done it. */
  markOf(id: UnitId): UnitMark | null {
    const { designation, activation } = this.view ?? {};
    const waits = activation && !activation.done.includes(id) ? activation.roles[id] : undefined;
    const role = designation?.roles[id] ?? waits;
    return role === undefined ? this.desk.mark(id) : markOfRole(role, this.units.get(id));
  }

  /** What the route would come upon: known mines, wrecks and the like. */
  hazards = $derived.by(() => {
    const markers = this.view?.markers ?? [];
    const { ghost } = this;
    if (!ghost) return hazardsOn(this.route?.path ?? [], markers);
    const moves = ghost.moved && ghost.region.kind === 'move';
    return moves ? hazardsAlong(ghost.way, markers, this.ground?.standWidth ?? 0) : [];
  });

  /** What others do, as it is shown. */
  readonly film = new Film(this);
  /** Written orders. */
  readonly desk = new Desk(this);

  /** Own units that something can be done with. */
  actors = $derived.by(() => {
    const isOwn = (id: UnitId) => this.units.get(id)?.side === this.side;
    if (this.past.moment) return [];
    if (this.desk.sheet) return this.desk.sheet.units;
    return [...new Set([...(this.table?.actors ?? []).filter(isOwn), ...narrow.actors(this.choices, isOwn)])];
  });

  /** Own units wait to be set up. */
  hasToPlace = $derived(
    this.view?.units.some((u) => u.side === this.side && u.status === 'to place') ?? false,
  );

  /** Units that something can be done with, or to, as far as it is known. */
  able = $derived(new Set([...this.actors, ...this.choices.flatMap((c) => c.units)]));

  sideName(side: Side | null): string {
    const sides = this.view?.sides ?? this.seats.all.find((seat) => seat.sides.length > 0)?.sides ?? [];
    return sides.find((s) => s.id === side)?.name ?? side ?? t.play.spectator;
  }

  // What comes from the server

  /** A seat has been told of another table. */
  changed(seat: Seat, before: TableMessage | null): void {
    this.arrivals.splice(0).forEach((arrived) => arrived());
    const table = seat.table;
    if (table && before === null && this.seats.kept && table.view.title !== this.seats.kept.title) {
      updateGame(this.id, { title: table.view.title, scenario: table.view.scenario });
    }
    if (table?.result && !before?.result) updateGame(this.id, { over: table.result.level });
    this.seats.followDecision();
    if (!table || seat !== this.seat) return;
    if (before === null) this.past.lookWhereTheAddressSays();
    this.film.changed(before, table);
    // A message may bring no new choices, as when a draw is offered: then what was clicked stays.
    if (before === null || position(before) !== position(table)) this.fresh();
  }

  /** Forgets what only the player who has left the screen may know. */
  forgetSeat(): void {
    this.film.clear();
    this.past.leave();
    this.fresh();
    this.saying = null;
    this.los.tool = null;
    this.orders = null;
    this.openRule = null;
    this.openEntry = null;
    this.inspected = null;
    this.about.glance = null;
  }

  /** A new position: what was clicked in the old one is forgotten. */
  fresh(): void {
    this.desk.choose([]);
    this.presses.arrived(performance.now());
    this.clicked = [];
    this.joining = [];
    this.goal = null;
    this.cursor = null;
    this.reach = new Map();
    this.reachOf = null;
    this.reaching = null;
    this.calculations.forget();
    this.suggestion = null;
    this.chosenForPlayer = false;
    this.aimedAhead = null;
    this.busy = false;
    this.cautioned = null;
    this.keepFormation();
    this.position++;
    this.rings.ask();
    this.about.renew();
    this.reading = null;
    this.fetched = [];
    this.regions = [];
    this.aimOn();
    this.fetchedAll = false;
    this.pointed = null;
    this.asking.clear();
    this.settled.clear();
    if (this.joinNext() || this.passes.passOn()) return;
    const kept = this.takeAhead();
    if (kept && this.clickKept(kept)) return;
    const mover = this.nextToAct() ?? this.onlyMover() ?? this.nextToPlace();
    const aim = kept && ahead.aimed(kept);
    if (mover !== null) this.chooseForPlayer(mover, aim);
    else if (aim) void this.aim(aim);
  }

  /** The next unit joins the attack that has been begun for it, too; says whether one is about to. */
  private joinNext(): boolean {
    const [next, ...rest] = this.joiners.units;
    if (next === undefined) return false;
    const { position } = this;
    const { like } = this.joiners;
    const attacks = this.asked && !!this.view?.building;
    this.joiners = { units: attacks ? rest : [], like };
    if (!attacks) return false;
    const join = () => {
      if (this.position !== position) return;
      const choice = narrow.likest(this.choices, next, like);
      if (choice) void this.sendPlay(choice.action, []);
      else this.narrowTo({ unit: next });
    };
    const reading = this.unread({ unit: next });
    if (reading) void reading.then(join);
    else join();
    return true;
  }

  /** Chooses a unit, and aims at what the player has clicked ahead for it. */
  private chooseForPlayer(unit: UnitId, aim: Token | null = null): void {
    const chosen = (this.clicked = [{ unit }]);
    this.chosenForPlayer = true;
    const known = () => {
      this.askReach();
      if (aim && this.clicked === chosen) void this.aim(aim);
    };
    const reading = this.unread({ unit });
    if (reading) void reading.then(known);
    else known();
  }

  /** The unit that a click must mean when all moves are one unit's. */
  private onlyMover(): UnitId | null {
    const [only, ...others] = this.actors;
    if (this.known === 'some') return only !== undefined && others.length === 0 ? only : null;
    return narrow.onlyMover(this.choices);
  }

  private nextToAct(): UnitId | null {
    const next = this.next;
    this.next = null;
    return next !== null && this.actors.includes(next) ? next : null;
  }

  private nextToPlace(): UnitId | null {
    if (this.lastKind !== 'place') return null;
    // What stands on the map already is there to be taken up again, if anything.
    const waits = (c: Choice) =>
      c.kind === 'place' && c.units[0] && this.units.get(c.units[0])?.place === null;
    const known = this.choices.find(waits)?.units[0] ?? null;
    return known ?? this.actors.find((id) => this.units.get(id)?.status === 'to place') ?? null;
  }

  // What can be done, as far as the player looks into it

  /** Rises with every new position: answers about an old one are dropped. */
  position = $state(0);
  /** What was asked of this position, by the question. */
  private readonly asking = new Map<string, Promise<void>>();
  /** The questions of this position that are answered. */
  private readonly settled = new Set<string>();

  /** Asks for choices of this position, once for each question. */
  private read(question: Record<string, string | Spot>): Promise<void> {
    const key = JSON.stringify(question);
    const known = this.asking.get(key);
    if (known) return known;
    const { position } = this;
    const asked = this.ask<ChoicesAnswer>({ type: 'choices', ...question }).then((answer) => {
      if (this.position !== position) return;
      this.settled.add(key);
      if (!answer?.choices) return;
      this.fetched = narrow.joined(this.fetched, answer.choices);
      this.regions = [...this.regions, ...answer.regions];
      if (Object.keys(question).length === 0) this.fetchedAll = true;
    });
    this.asking.set(key, asked);
    return asked;
  }

  /** The answer that must come before it is known what a click means; null if all is known that it needs. */
  private unread(token: Token): Promise<void> | null {
    if (this.known === 'all' || !this.asked) return null;
    const question: Record<string, string | Spot> =
      'place' in token
        ? { place: wired(token.place) }
        : this.actors.includes(token.unit)
          ? { unit: token.unit }
          : { target: token.unit };
    if (this.settled.has(JSON.stringify(question))) return null;
    // What the chosen units do to it is known with them.
    const within = this.clicked.length > 0 && !('unit' in question);
    if (within && narrow.candidates(this.choices, [...this.clicked, token]).length > 0) return null;
    return this.read(question);
  }

  /** Asks for all choices, for lists that name them all. */
  readAll(): void {
    if (this.known === 'some' && this.asked) void this.read({});
  }

  say(title: string, text: string, rule: string | null): void {
    // What is said of a press is to be read: a click that was made before it came is forgotten.
    this.clickedAhead = null;
    if (text) this.saying = { title, lines: [{ label: '', text, rule }] };
  }

  // What the player does

  private readonly around: narrow.Surroundings = {
    placeOf: (unit) => this.units.get(unit)?.place ?? null,
    unitsAt: (place) => this.tray.pile(place).map((u) => u.id),
  };

  clickUnit(id: UnitId, more = false): void {
    if (this.owes) this.film.release();
    this.inspected = id;
    const place = this.units.get(id)?.place ?? null;
    if (this.tape.inHand) return this.tape.measureTo(id, place);
    if (this.los.tool) {
      if (place !== null) this.los.click(place);
      return;
    }
    if (this.desk.has(id)) return this.desk.click(id, more);
    if (this.keepClick({ unit: id })) return;
    if (this.chosenForPlayer && this.clicked.some((c) => 'unit' in c && c.unit === id)) {
      this.chosenForPlayer = false;
      return;
    }
    if (this.onceRead({ unit: id }, () => this.clickUnit(id))) return;
    if (this.stopFor(id)) return;
    const known = narrow.candidates(this.choices, [...this.clicked, { unit: id }]).length > 0;
    const alone = narrow.candidates(this.choices, [{ unit: id }]).length > 0;
    if (known || alone || place === null) this.narrowTo({ unit: id });
    else if (this.reaching) this.onceReached(() => this.clickUnit(id));
    else if (this.reach.has(place)) this.clickGoal(place);
    else this.narrowTo({ unit: id });
  }

  /** What was clicked while a decision was on its way. */
  private clickedAhead: ahead.Ahead | null = null;
  /** What was aimed at by such a click: a second click on it decides what the first would have decided. */
  private aimedAhead: Token | null = null;

  /** Keeps a click until the answer to what was decided before it has come; says whether it has to wait. */
  private keepClick(token: Token): boolean {
    const { table, side } = this;
    if (!table) return false;
    if (!this.busy) {
      // The player has gone on to something else.
      if (this.clickedAhead?.when.side === side) this.clickedAhead = null;
      return false;
    }
    const meant = this.asked && !this.reaction && !this.presses.again;
    const isOwn = 'unit' in token && this.units.get(token.unit)?.side === side;
    const { turn, current } = table.view;
    const when = { side, turn, current, step: table.prompt?.step };
    if (meant) this.clickedAhead = ahead.kept(this.clickedAhead, token, isOwn, when);
    return true;
  }

  /** The clicks that were kept, where they still mean what is asked; they wait while another side is asked. */
  private takeAhead(): ahead.Ahead | null {
    const { clickedAhead: kept, table, side, asked, reaction } = this;
    if (!kept || !table) return null;
    const { turn, current } = table.view;
    const fate = ahead.fateOf(kept, { side, turn, current, asked, reaction });
    if (fate !== 'wait') this.clickedAhead = null;
    return fate === 'take' ? kept : null;
  }

  /** Makes the click on a unit that was kept: it goes on with an attack or chooses the unit, which then aims at what was
   * clicked for it. Says whether there was one. Nothing else is decided on a position that nobody has looked at. */
  private clickKept(kept: ahead.Ahead): boolean {
    if (kept.when.step !== this.table?.prompt?.step) return false;
    const joiner = ahead.joiner(kept);
    if (this.view?.building && joiner !== null) this.clickUnit(joiner);
    else if (kept.unit !== null && this.actors.includes(kept.unit)) this.chooseForPlayer(kept.unit, kept.aim);
    else return false;
    return true;
  }

  /** Aims at what was clicked ahead, once all is known that it needs: sets a goal or a target, and decides nothing. */
  private async aim(token: Token): Promise<void> {
    const { position, clicked } = this;
    const place = 'place' in token ? token.place : (this.units.get(token.unit)?.place ?? null);
    await this.reaching;
    const goes = () => place !== null && this.reach.has(place);
    if (!('place' in token && goes())) await this.unread(token);
    // The player has clicked something else meanwhile.
    if (this.position !== position || this.clicked !== clicked || this.goal !== null) return;
    const hits = narrow.candidates(this.choices, [...clicked, token]).length > 0;
    if (goes() && ('place' in token || !hits)) {
      this.chosenForPlayer = false;
      this.clickGoal(place!);
    } else if (clicked.some((one) => narrow.sameToken(one, token))) this.chosenForPlayer = false;
    // That the one who moves is to stop for another is decided by a click that is made on this position.
    else if (!('unit' in token && this.stopsFor(token.unit))) this.narrowTo(token, true);
  }

  clickPlace(place: Place): void {
    if (this.owes) this.film.release();
    if (this.tape.inHand) this.tape.measureTo(null, place);
    else if (this.los.tool) this.los.click(place);
    else if (this.desk.sheet) this.desk.choose([]);
    else if (!this.hasToPlace && this.keepClick({ place })) return;
    else if (this.reading) this.afterwards(() => this.clickPlace(place));
    else if (this.reaching) this.onceReached(() => this.clickPlace(place));
    else if (this.reach.has(place)) this.clickGoal(place);
    else if (!this.onceRead({ place }, () => this.clickPlace(place))) this.narrowTo({ place });
  }

  /** What a click waits for; later clicks wait for it too. */
  private reading: Promise<void> | null = null;

  /** Does something once what a click needs is known; says whether that is not so yet. */
  private onceRead(token: Token, then: () => void): boolean {
    const reading = this.reading ?? this.unread(token);
    if (!reading) return false;
    this.reading ??= reading;
    this.afterwards(then);
    return true;
  }

  private afterwards(then: () => void): void {
    const { position, reading } = this;
    void reading?.then(() => {
      if (this.reading === reading) this.reading = null;
      if (this.position === position) then();
    });
  }

  /** Whose turn it is after the one that is moving has stopped. */
  private next: UnitId | null = null;

  private stopsFor(unit: UnitId): Choice | null {
    return narrow.stopFor(this.choices, this.view?.activation ?? null, unit);
  }

  /** A click on another unit that is still to act: the one that moves stops where it is. */
  private stopFor(unit: UnitId): boolean {
    const stop = this.stopsFor(unit);
    if (!stop) return false;
    this.next = unit;
    this.play(stop);
    return true;
  }

  /** Goes on with what a click may mean; one that was made ahead decides nothing. */
  private narrowTo(token: Token, isAhead = false): void {
    this.saying = null;
    this.goal = null;
    const { aimedAhead } = this;
    this.aimedAhead = isAhead ? token : null;
    if (!this.asked) {
      if ('place' in token) this.lit = new Set([token.place]);
      return;
    }
    if ('unit' in token && this.regionsOf(token.unit).length > 0) {
      if (!this.formation.has(token.unit)) this.formation.clear();
      this.chooseStand(token.unit);
      return;
    }
    if ('unit' in token && this.joins(token.unit)) return;
    const found = (aimedAhead && this.decides(token, aimedAhead)) ?? this.meaning(token, this.clicked);
    this.joining = [];
    if (found.kind === 'nothing') {
      void this.askWhy(token);
      return;
    }
    this.chosenForPlayer = false;
    if ('unit' in token && !this.formation.has(token.unit)) this.formation.clear();
    if (found.kind === 'play' && !isAhead) {
      this.play(found.choice);
      return;
    }
    this.clicked = found.clicked;
    if ('choice' in found) this.calculations.preview(found.choice);
    this.askReach();
  }

  private meaning(token: Token, clicked: Token[]): narrow.Narrowed {
    return narrow.click(this.choices, clicked, token, this.around);
  }

  /** What the second click on something that was clicked ahead decides, if the first would have decided it. */
  private decides(token: Token, aimed: Token): narrow.Narrowed | null {
    if (!narrow.sameToken(token, aimed)) return null;
    const found = this.meaning(
      token,
      this.clicked.filter((one) => !narrow.sameToken(one, token)),
    );
    return found.kind === 'play' ? found : null;
  }

  /** Adds a unit to the attack that is being built, or takes it out again; says whether it could join. */
  private joins(unit: UnitId): boolean {
    const { joining, choices, clicked } = this;
    const had = joining.includes(unit);
    if (!had && !(joining.length > 0 || narrow.isOpenAttack(this.left, clicked))) return false;
    if (clicked.some((token) => narrow.sameToken(token, { unit }))) return false;
    const now = had ? joining.filter((one) => one !== unit) : [...joining, unit];
    const left = narrow.shared(choices, clicked, now);
    if (left.length === 0) return false;
    this.joining = now;
    if (left.length === 1) this.calculations.preview(left[0]!);
    return true;
  }

  private clickGoal(place: Place): void {
    this.saying = null;
    if (this.goal === place) this.go();
    else this.goal = place;
  }

  // Facings on hexes

  // Stands on the free table

  /** The regions of a unit that the player can turn to by a button of their own. */
  regionsOf(unit: UnitId | undefined): Region[] {
    return this.regions.filter((region) => region.unit === unit && !this.offered(region));
  }

  /** A template that has a button among the choices is laid by that. */
  private offered(region: Region): boolean {
    return !!region.template && this.choices.some((choice) => sameAction(choice.action, region.action));
  }

  /** The region that is meant by a stand alone: to go somewhere comes before all else. */
  private regionOf(unit: UnitId | undefined): Region | undefined {
    const found = this.regionsOf(unit).filter((region) => !region.template);
    return (
      found.find(({ kind }) => kind === 'move' || kind === 'place') ??
      found.find(({ open }) => open.includes('to')) ??
      found.find(({ unit: its, action }) => action.unit === its)
    );
  }

  /** Chooses a stand; chosen already, it is let go. */
  private chooseStand(unit: UnitId): void {
    const chosen = this.clicked.length > 0 && narrow.sameToken(this.clicked[0]!, { unit });
    this.clicked = chosen ? [] : [{ unit }];
    this.chosenForPlayer = false;
    this.askReach();
  }

  /** Takes up a stand, chosen before or not. */
  async pickUp(unit: UnitId): Promise<void> {
    this.inspected = unit;
    this.led = null;
    if (this.ghost?.unit.id === unit) return;
    const { position } = this;
    await this.unread({ unit });
    if (this.position !== position || (this.ground?.grip && !this.regionOf(unit))) return;
    if (!this.formation.has(unit)) this.formation.clear();
    this.goal = null;
    this.clicked = [{ unit }];
    this.chosenForPlayer = false;
    this.askReach();
    if (this.led) this.ghost?.lead(this.led);
  }

  /** Where the pointer has led a stand that is still being taken up. */
  private led: Spot | null = null;

  leadGhost(spot: Spot): void {
    this.saying = null;
    this.led = spot;
    this.ghost?.lead(spot);
  }

  /** What was aimed at no unit's behalf is aimed at still, if only its other terms have changed. */
  private aimOn(): void {
    const aimed = this.ghost?.unit === NO_STAND && this.ghost.moved ? this.ghost.at : null;
    this.letGo();
    const [region, ...others] = this.freeRegions;
    if (!aimed || !region || others.length > 0) return;
    this.turnToRegion(region);
    if (this.ghost) this.ghost.following = false;
    this.ghost?.lead(aimed);
  }

  private letGo(): void {
    this.ghost?.close();
    this.ghost = null;
  }

  /** Asks what a move would cost, whoever of a group would make it; never more often than the server is to be asked. */
  private readonly askCost = paced((legs: () => Legs) => {
    const [action, ...then] = legs();
    return this.ask<CostAnswer>({ type: 'cost', action, ...(then.length > 0 ? { then } : {}) });
  });

  /** The ghost of the chosen stand, where it may move. */
  private haunt(unit: UnitId | undefined): void {
    if (this.ghost?.unit.id === unit && this.ghost) return;
    this.letGo();
    const region = this.regionOf(unit);
    if (region) this.turnToRegion(region);
  }

  /** Goes on with one of the regions of a unit: its move, its turn, a template to be laid. */
  turnToRegion(region: Region): void {
    this.letGo();
    const stand = this.units.get(region.unit) ?? (region.template ? NO_STAND : null);
    if (!stand) return;
    const ghost = new Ghost(stand, region, this.askCost);
    this.ghost = ghost;
    if (ghost.template && ghost.fixed) void ghost.settled();
    if (region.kind === 'move') void this.survey(ghost);
  }

  /** Asks for the costs of a reach, to be shown and to go by between two answers. */
  private async survey(ghost: Ghost): Promise<void> {
    const answer = await this.ask<ReachAnswer>({ type: 'reach', unit: ghost.unit.id });
    if (!answer?.nodes || this.ghost !== ghost) return;
    const { Lattice } = await import('./surface/table/lattice');
    ghost.lattice = new Lattice(answer.nodes);
    ghost.left = answer.left ?? 0;
    ghost.unitOfCost = answer.unit ?? null;
  }

  /** The last stand that was let go, until its move is taken or refused. */
  private down: SettingDown | null = null;

  /** Moves the stand to where its ghost is, or says why it cannot go there. */
  async setDown(): Promise<void> {
    const ghost = this.ghost;
    if (!ghost?.moved || this.down?.ghost === ghost) return;
    if (this.following.length > 0) return this.setOut(ghost);
    const down = (this.down = { ghost, taken: this.drop(ghost, this.presses.position) });
    await down.taken;
    if (this.down === down) this.down = null;
  }

  /** Plays the move of a ghost, decided on at a position, when its price is known; says whether it was taken. */
  private async drop(ghost: Ghost, position: number | null): Promise<boolean> {
    const price = ghost.price ?? (await ghost.settled());
    if (ghost !== this.ghost || !ghost.moved || this.busy) return false;
    if (price?.text) {
      this.say(t.play.whyNot, price.text, price.rule);
      return false;
    }
    this.lastKind = ghost.region.kind;
    const [first, ...then] = ghost.legs;
    this.marchNoMore();
    return this.sendPlay(first, then, position);
  }

  /** A press while a stand is being set down is made on the table after its move: there "done" ends that move. */
  private async pressAfter({ ghost, taken }: SettingDown, choice: Choice): Promise<void> {
    if (!(await taken)) return;
    await this.unread({ unit: ghost.unit.id });
    const meant =
      this.choices.find((one) => sameAction(one.action, choice.action)) ??
      this.choices.find((one) => one.kind === 'done' && choice.kind === 'done');
    if (meant) this.play(meant);
  }

  // Groups of stands

  readonly formation = new Formation(this.askCost);
  /** A drag over the ground draws a lasso. */
  gathering = $state(false);

  /** Where the others of the group go with the stand that is led. */
  following = $derived.by(() => {
    const { ghost, formation } = this;
    if (!ghost?.moved || ghost.region.kind !== 'move' || !formation.has(ghost.unit.id)) return [];
    return followers(
      formation.members.flatMap((id) => this.units.get(id) ?? []),
      ghost,
    );
  });

  /** Those of the group in whose way others of it still stand: what bars them now will have gone. */
  yielding = $derived.by(() => {
    const { ghost, following } = this;
    if (!ghost || following.length === 0) return new Set<UnitId>();
    const ways = [{ unit: ghost.unit, way: ghost.way }, ...following];
    const width = this.ground?.standWidth ?? 0;
    const barred = ways.filter(({ unit, way }) =>
      ways.some((other) => other.unit.id !== unit.id && leadsOver(way, other.way[0]!, width)),
    );
    return new Set(barred.map(({ unit }) => unit.id));
  });

  /**
   * What several units can do at once: get orders, be designated, go a way that the rules know, or move; null where each
   * acts for itself.
   */
  joint = $derived.by((): 'orders' | 'roles' | 'ways' | 'moves' | null => {
    if (!this.asked) return null;
    if (this.desk.sheet) return 'orders';
    if (this.view?.designation) return 'roles';
    if (this.view?.together?.length) return 'ways';
    return this.ground?.grip || this.table?.prompt?.together ? 'moves' : null;
  });

  /** All units that can. */
  joinable = $derived(this.together([...this.units.keys()]));
  /** How a group on hexes goes. */
  manner = $state<Manner>('keep');
  /** The direction that a group on hexes faces at its end, 0 north and clockwise; null for each as it came. */
  front = $state<number | null>(null);

  /** Whether those of the group have a front to turn. */
  fronted = $derived(
    !!this.ground?.lattice && this.formation.members.some((id) => this.units.get(id)?.facing !== undefined),
  );

  /** Those of the units that can get an order, be designated or move together; nobody is taken off another's back. */
  together(ids: readonly UnitId[]): UnitId[] {
    const { joint, view } = this;
    if (joint === 'orders') return ids.filter((id) => this.desk.has(id));
    if (joint === 'ways') return ids.filter((id) => view?.together?.includes(id));
    const { designation, activation } = view ?? {};
    if (joint === 'roles')
      return ids.filter((id) => designation?.units.includes(id) && !designation.roles[id]);
    if (joint === null) return [];
    const mayMove = (id: UnitId) => !activation || activation.roles[id] === 'move';
    return ids.filter(
      (id) => this.actors.includes(id) && mayMove(id) && this.units.get(id)?.carrier === null,
    );
  }

  /** What these units can do at one word; null if the server does not say. */
  waysOf(units: readonly UnitId[]): Promise<TogetherAnswer | null> {
    return this.ask<TogetherAnswer>({ type: 'together', units });
  }

  /** Takes a stand into the group, or out of it; the stand that is chosen is of the group, too. */
  toggleInFormation(unit: UnitId): void {
    const chosen = this.clicked.flatMap((token) => ('unit' in token ? [token.unit] : []))[0];
    const { formation } = this;
    this.inspected = unit;
    if (this.joint !== 'moves') {
      if (this.together([unit]).length > 0) formation.toggle(unit);
      return;
    }
    if (
      formation.members.length === 0 &&
      chosen !== undefined &&
      chosen !== unit &&
      this.actors.includes(chosen)
    )
      formation.toggle(chosen);
    if (!this.actors.includes(unit)) return void this.clickUnit(unit);
    formation.toggle(unit);
    const [lead] = formation.members;
    if (lead !== undefined && (chosen === undefined || !formation.has(chosen))) void this.pickUp(lead);
  }

  /** Of the stands within a lasso those that can act become the group; nobody is taken off another's back. */
  gather(ringed: readonly UnitId[]): void {
    const found = this.together(ringed);
    this.gathering = false;
    if (this.joint === 'orders') return this.desk.choose([...this.desk.chosen, ...found]);
    this.formation.members = found;
    const places = new Set(found.map((id) => this.units.get(id)?.place));
    this.manner = places.size === 1 ? 'join' : 'keep';
    if (this.joint === 'moves' && found[0] !== undefined) void this.pickUp(found[0]);
    else this.clicked = [];
  }

  /** Asks what the others of the group would pay, now that it is known of the one that is led. */
  surveyFormation(): void {
    if (this.ghost) void this.formation.survey(this.following, this.ghost);
  }

  /** Those of the group that are still to move stay in it. */
  private keepFormation(): void {
    const { formation } = this;
    formation.forget();
    if (formation.members.length === 0) return;
    formation.members = formation.members.filter((id) => {
      const unit = this.units.get(id);
      return unit?.place && !unit.moved;
    });
    if (this.joint === 'roles' || this.joint === 'ways') formation.members = this.together(formation.members);
    const idle = this.asked && this.marching === 0;
    if (idle && !formation.members.some((id) => this.actors.includes(id))) formation.clear();
  }

  /** The number of the march that is under way; 0 for none. */
  private marching = 0;
  private marches = 0;
  /** Whoever waits for the next table. */
  private readonly arrivals: (() => void)[] = [];

  /** The group sets out, those in front first, each by the rules; what halts one of them halts the rest. */
  private async setOut(ghost: Ghost): Promise<void> {
    const all = [
      { unit: ghost.unit, legs: ghost.legs },
      ...this.following.map((one) => ({ unit: one.unit, legs: legsOf(one, ghost) })),
    ];
    const going: Spot = [ghost.at[0] - ghost.from[0], ghost.at[1] - ghost.from[1]];
    const march = (this.marching = ++this.marches);
    this.marchingSide = this.side;
    for (const { unit, legs } of inOrder(all, going)) {
      if (!(await this.marchOne(march, unit, legs))) break;
    }
    if (this.marching === march) this.marching = 0;
  }

  private marchingSide: Side | null = null;
  /** The plan that is being played: which of its steps, counted from 1. */
  plan = $state.raw<{ step: number; of: number } | null>(null);

  /** Plays a plan step by step, until it is done or something happens that it did not foresee. */
  async playPlan(steps: readonly Action[]): Promise<void> {
    const march = (this.marching = ++this.marches);
    this.marchingSide = this.side;
    for (const [i, step] of steps.entries()) {
      this.plan = { step: i + 1, of: steps.length };
      if (!(await this.planStep(march, step)) || this.marching !== march) break;
    }
    this.plan = null;
    if (this.marching === march) this.marching = 0;
  }

  /** One step of a plan; says whether all is as it was when the plan was made. */
  private async planStep(march: number, step: Action): Promise<boolean> {
    if (!(await this.turnComes(march))) return false;
    const [known, before] = [this.log.length, this.table?.position];
    if (!(await this.sendPlay(step, []))) return false;
    while (this.table?.position === before) await new Promise<void>((arrived) => this.arrivals.push(arrived));
    if (!(await this.turnComes(march))) return false;
    const surprise = unforeseen(this.log.slice(known), this.marchingSide);
    if (surprise) this.say(t.plan.halted, surprise.text, surprise.rule);
    return surprise === null;
  }

  /** Leaves the rest of a plan to the player. */
  stopPlan(): void {
    this.marching = 0;
    this.plan = null;
  }

  /** One of the group goes its way and stops; says whether it has come to its end. */
  private async marchOne(
    march: number,
    unit: Unit,
    [first, ...then]: [Action, ...Action[]],
  ): Promise<boolean> {
    if (!(await this.turnComes(march)) || !(await this.sendPlay(first, then))) return false;
    if (!(await this.turnComes(march))) return false;
    return this.arrived(unit, textOf((then.at(-1) ?? first).to as Spot));
  }

  /** One of the group ends its move if it has come to its end; says whether it has. */
  private async arrived(unit: Unit, goal: Place): Promise<boolean> {
    if (this.units.get(unit.id)?.place !== goal) {
      this.say(t.table.halted, t.table.haltedAt(unit.name), null);
      return false;
    }
    await this.unread({ unit: unit.id });
    if (!(await this.facesFront(unit.id))) return false;
    const stop = this.choices.find((c) => c.kind === 'done' && c.action.unit === unit.id);
    if (stop && !(await this.sendPlay(stop.action, []))) return false;
    if (this.formation.has(unit.id)) this.formation.toggle(unit.id);
    return true;
  }

  /** One of the group turns to the front as far as it can; says whether the march is still on. */
  private async facesFront(unit: UnitId): Promise<boolean> {
    const [{ front }, march] = [this, this.marching];
    if (front === null) return true;
    const placeOf = () => this.units.get(unit)?.place ?? null;
    const ring = roseOf(this.choices, [{ unit }], placeOf)?.hull;
    const way = ring ? nearestOf(ring, 60 * front) : null;
    const now = wayOf(this.units.get(unit), 'hull');
    if (way === null || sidesApart(way, front) >= sidesApart(now, front)) return true;
    if (!(await this.sendPlay(ring!.get(way)!.action, [])) || !(await this.turnComes(march))) return false;
    await this.unread({ unit });
    return true;
  }

  /** Where each of a group on hexes would go, were the chosen unit to go along the way that is shown. */
  wished = $derived.by((): Map<UnitId, Place> => {
    const { route, ground, formation } = this;
    const lead = this.reachOf;
    if (!route || lead === null || !formation.has(lead) || !ground?.lattice) return new Map();
    const units = formation.members.flatMap((id) => {
      const place = this.units.get(id)?.place;
      return place ? [{ id, place }] : [];
    });
    return wishes(ground.lattice, units, { id: lead, path: route.path }, this.manner);
  });

  /** A group on hexes sets out, those in front first; each goes as near to its place as it can by the rules. */
  private async setOutOnMap(): Promise<void> {
    const lattice = this.ground?.lattice;
    if (!lattice) return;
    const goals = [...this.wished];
    const march = (this.marching = ++this.marches);
    this.marchingSide = this.side;
    const behind: string[] = [];
    for (const [id, wish] of goals) {
      if (!(await this.turnComes(march))) break;
      const unit = this.units.get(id);
      const answer = await this.ask<ReachAnswer>({ type: 'reach', unit: id });
      const found = unit?.place ? nearestOnMap(lattice, unit.place, wish, answer?.places ?? []) : null;
      if (unit && found?.place !== wish) behind.push(unit.name);
      if (!unit || !found) continue;
      const [first, ...then] = found.steps;
      if (!first || !(await this.sendPlay(first, then)) || !(await this.turnComes(march))) break;
      if (!(await this.arrived(unit, found.place))) return void (this.marching = 0);
    }
    if (this.marching !== march) return;
    this.marching = 0;
    if (behind.length > 0) this.say(t.group.behind, behind.join(', '), null);
  }

  /** Waits until the side of the march is asked again; says whether the march is still on. */
  private async turnComes(march: number): Promise<boolean> {
    while (this.marching === march && !this.table?.result) {
      if (this.asked && this.side === this.marchingSide) return true;
      await new Promise<void>((arrived) => this.arrivals.push(arrived));
    }
    return false;
  }

  /** Sets out along the route that is shown. */
  go(): void {
    const route = this.goal === null ? null : this.reach.get(this.goal);
    const [first, ...then] = route?.steps ?? [];
    if (!first) return;
    this.lastKind = 'move';
    if (this.wished.size > 1) void this.setOutOnMap();
    else this.playAction(first, then);
  }

  /** The choices to designate those of the group that can take a role and do something in it: no gun is told to move. */
  designations(role: string): Choice[] {
    const idle = this.view?.designation?.idle ?? {};
    return this.choices.filter(
      ({ action, kind, units: [unit] }) =>
        kind === 'designate' &&
        action.role === role &&
        unit !== undefined &&
        this.formation.has(unit) &&
        !(role === 'move' && this.units.get(unit)?.work) &&
        !idle[unit]?.includes(role),
    );
  }

  /** Designates those of the group that can take a role. */
  designate(role: string): void {
    const [first, ...then] = this.designations(role).map(({ action }) => action);
    if (first) this.playAction(first, then);
  }

  play(choice: Choice): void {
    if (this.down) return void this.pressAfter(this.down, choice);
    if (this.layTemplate(choice)) return;
    this.lastKind = choice.kind;
    this.joiners = { units: choice.kind === 'fire' ? this.joining : [], like: choice.action };
    if (this.reaction) this.passes.inRow = choice.kind === 'pass' ? this.passes.inRow + 1 : 0;
    // Quick clicks on one place put one unit there after the other: each means the table as it is by then.
    const position = choice.kind === 'place' ? this.table?.position : undefined;
    if (CAUTIOUS.has(choice.kind) && this.cautioned !== narrow.keyOf(choice)) void this.playWithCare(choice);
    else this.playAction(choice.action, [], position);
  }

  /** A template is looked at and turned where it would lie, before it is played; says whether it is one. */
  private layTemplate(choice: Choice): boolean {
    const region = this.regions.find((r) => r.template && sameAction(r.action, choice.action));
    if (!region) return false;
    this.turnToRegion(region);
    this.calculations.preview(choice);
    return true;
  }

  /** Plays a choice that there is no caution about; otherwise says it, and plays only when pressed again. */
  private async playWithCare(choice: Choice): Promise<void> {
    const { position } = this;
    const pressedOn = this.presses.position;
    // A button pressed before the caution is known would overtake this one.
    const weighed = this.bar();
    const { caution } = await this.calculations.of(choice);
    weighed();
    // A press on a table that has changed meanwhile: the server drops it and says so.
    const late = pressedOn !== (this.table?.position ?? null);
    if (!late && position !== this.position) return;
    if (late || !caution) return this.playAction(choice.action, [], pressedOn);
    this.cautioned = narrow.keyOf(choice);
    this.say(t.play.caution, caution.text, caution.rule);
  }

  /** What the player presses, and the position that it is decided on. */
  readonly presses = new Presses(() => this.table?.position ?? null);

  /** A decision other than an action: to write an order, to strike one off, to hand them in. */
  decide(message: Record<string, unknown>): void {
    this.saying = null;
    const answered = this.bar();
    this.seat?.socket
      // Quick clicks give one order after the other: each means the sheet as it is by then.
      .ask({ position: this.table?.position, ...message })
      .catch((error: unknown) => this.refused(error))
      .finally(answered);
  }

  /** Says why a decision was not taken. */
  private refused(error: unknown): void {
    if (error instanceof Refused) this.say(t.play.whyNot, error.message || t.play.notSent, error.rule);
  }

  playAction(action: Action, then: Action[] = [], position = this.presses.position): void {
    this.marchNoMore();
    void this.sendPlay(action, then, position);
  }

  /** Whoever decides something else meanwhile ends the march of a group. */
  private marchNoMore(): void {
    if (this.side === this.marchingSide) this.marching = 0;
  }

  /** The number of the last decision that was sent: an answer to one before it does not end the waiting. */
  private sent = 0;

  /** What decides is barred until the server has answered; returns what to call then. */
  private bar(): () => void {
    const mine = ++this.sent;
    this.busy = true;
    return () => {
      if (mine === this.sent) this.busy = false;
    };
  }

  /** Plays an action; says whether it was taken. */
  async sendPlay(action: Action, then: Action[], position = this.table?.position ?? null): Promise<boolean> {
    this.handling.plays++;
    this.passes.takenBack = false;
    this.saying = null;
    const answered = this.bar();
    try {
      await this.seat?.socket.ask({ type: 'play', position, action, ...(then.length > 0 ? { then } : {}) });
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    } finally {
      answered();
    }
  }

  confirm(): boolean {
    if (this.desk.sheet) return false;
    if (this.facing.heading) return this.facing.turn();
    if (this.ghost?.moved) {
      void this.setDown();
      return true;
    }
    if (this.goal !== null) {
      this.go();
      return true;
    }
    if (!this.primary) return false;
    this.play(this.primary);
    return true;
  }

  /** Steps back one step; says whether there was anything to step back from. */
  stepBack(): boolean {
    if (this.past.moment) this.past.toNow();
    else if (this.passes.order) this.passes.order = null;
    else if (this.tape.inHand?.from) this.tape.inHand = { from: null };
    else if (this.tape.inHand) this.tape.inHand = null;
    else if (this.los.tool) this.los.tool = null;
    else if (this.about.overlay) this.about.hideOverlay();
    else if (this.about.glance) this.about.glance = null;
    else if (this.saying) this.saying = null;
    else if (this.suggestion) this.suggestion = null;
    else if (this.goal !== null) this.goal = null;
    else if (this.facing.heading) this.facing.meant = null;
    else if (this.ghost?.moved && !(this.ghost.fixed && this.ghost.template)) this.ghost.back();
    else if (this.formation.members.length > 0) this.formation.clear();
    else if (this.desk.chosen.size > 0) this.desk.choose([]);
    else if (this.joining.length > 0) this.joining = this.joining.slice(0, -1);
    else if (this.clicked.length > 0) {
      this.clicked = this.clicked.slice(0, -1);
      this.askReach();
    } else {
      const cancel = this.choices.find((c) => c.kind === 'cancel');
      if (!cancel) return false;
      this.play(cancel);
    }
    return true;
  }

  /** The position on which the present presses began to take decisions back. */
  private undoing: number | null = null;

  undo(): void {
    this.handling.undos++;
    this.passes.takenBack = true;
    this.passes.order = null;
    const pressed = this.presses.position;
    // Quick clicks take back one decision after the other, which can be seen: each means the table as it is by then.
    // A double click that began on another button means the table that is gone.
    const position = this.undoing === pressed ? this.table?.position : pressed;
    this.undoing = pressed;
    if (this.table?.undo.can)
      this.seat?.socket.send({ type: 'undo', position: position ?? this.table.position });
    else if (this.table?.undo.barrier) this.say(t.play.undo, t.play.barrier(this.table.undo.barrier), null);
  }

  send(type: 'auto' | 'decline' | Vote, what?: Exclude<Vote, 'draw'>): void {
    const { position } = this.presses;
    this.seat?.socket.send({ type, position, ...(what ? { what } : {}) });
  }

  /** Places the rest sensibly and declares the set-up complete; stops where something is still to be decided. */
  async placeAndBegin(): Promise<void> {
    const { seat, position } = this;
    if (!seat || !(await this.ask({ type: 'auto', position: this.presses.position }))) return;
    while (this.position === position) await new Promise<void>((arrived) => this.arrivals.push(arrived));
    const done = this.table?.choices.find((choice) => choice.kind === 'done');
    if (this.seat !== seat || this.table?.prompt?.step !== 'set-up' || !done || this.hasToPlace) return;
    await this.sendPlay(done.action, []);
  }

  // What the player asks

  ask<T extends object>(message: Record<string, unknown>): Promise<T | null> {
    return (
      this.seat?.socket.ask<T>(message).catch((error: unknown) => {
        if (error instanceof Refused) this.say(t.play.whyNot, error.message, error.rule);
        return null;
      }) ?? Promise.resolve(null)
    );
  }

  /** The answer to where a unit can go is on its way: until then nobody knows what a click on a place means. */
  reaching: Promise<void> | null = null;

  private onceReached(then: () => void): void {
    const unit = this.reachOf;
    void this.reaching?.then(() => {
      if (this.reachOf === unit) then();
    });
  }

  private askReach(): void {
    const unit = this.clicked.flatMap((c) => ('unit' in c ? [c.unit] : []))[0];
    this.about.askGroup(unit);
    this.haunt(unit);
    // On hexes a unit may have to turn before it can move.
    const setsOut = (c: Choice) => c.kind === 'move' || (c.kind === 'turn' && !!this.ground?.lattice);
    const moves = unit !== undefined && this.left.some((c) => setsOut(c) && c.units.includes(unit));
    if (!moves || unit === undefined) {
      this.reach = new Map();
      this.reachOf = null;
      this.reaching = null;
      return;
    }
    if (this.reachOf === unit) return;
    this.reachOf = unit;
    this.reach = new Map();
    const reaching = this.ask<ReachAnswer>({ type: 'reach', unit }).then((answer) => {
      if (this.reaching !== reaching) return;
      this.reaching = null;
      if (answer?.places) {
        this.reach = new Map(answer.places.filter((h) => h.steps.length > 0).map((h) => [h.place, h]));
      }
    });
    this.reaching = reaching;
  }

  private async askWhy(token: Token): Promise<void> {
    const place = 'place' in token ? token.place : (this.units.get(token.unit)?.place ?? null);
    const chosen = this.clicked.flatMap((c) => ('unit' in c ? [c.unit] : []))[0];
    const unit = 'unit' in token ? token.unit : chosen;
    const answer = await this.ask<WhyAnswer>({
      type: 'why',
      ...(unit ? { unit } : {}),
      ...(place ? { place: wired(place) } : {}),
    });
    if (!answer) return;
    const meant =
      answer.meant ?? (answer.text ? [{ label: '', text: answer.text, rule: answer.rule ?? null }] : []);
    this.saying = {
      title: t.play.whyNot,
      lines: meant.length > 0 ? meant : [{ label: '', text: t.play.nothingHere, rule: null }],
    };
  }

  async suggest(): Promise<void> {
    const { position } = this;
    const suggestion = await this.ask<SuggestAnswer>({ type: 'suggest' });
    if (this.position !== position) return;
    this.suggestion = suggestion;
    this.lit = new Set(this.suggestion?.places ?? []);
  }

  async readOrders(): Promise<void> {
    const answer = await this.ask<{ orders?: Orders } & Partial<Orders>>({ type: 'orders' });
    if (answer) this.orders = answer.orders ?? (answer.fire ? (answer as unknown as Orders) : null);
  }

  async setOrders(orders: Orders): Promise<boolean> {
    this.orders = orders;
    return (await this.ask({ type: 'orders', position: this.table?.position, orders })) !== null;
  }

  // Range, command and field of fire

  // The tape measure

  // Looking back

  /** The next or previous own unit that can act after the one chosen. */
  cycle(step: 1 | -1): UnitId | null {
    const list = this.actors;
    if (list.length === 0) return null;
    const now = this.inspected === null ? -1 : list.indexOf(this.inspected);
    const next = list[(now + step + list.length + (now < 0 && step < 0 ? 1 : 0)) % list.length]!;
    this.inspected = next;
    return next;
  }
}
