/** The page's state of one game: its seats, what was clicked, and what the server said about it. */
import { ApiError, api } from './api';
import { PLAIN_LOOKS, looks } from './counters/looks.svelte';
import { marked } from './counters/marked.svelte';
import type { Handling } from './facts';
import { Film } from './film/film.svelte';
import { About } from './game/about.svelte';
import { ClicksAhead } from './game/ahead.svelte';
import { Calculations } from './game/calculations.svelte';
import { Clicks } from './game/clicks.svelte';
import { Decisions } from './game/decisions.svelte';
import { Facing } from './game/facing.svelte';
import { Formation } from './game/formation.svelte';
import { LineOfSight } from './game/los.svelte';
import { March } from './game/march.svelte';
import { NextUnit } from './game/next.svelte';
import { Offer } from './game/offer.svelte';
import { Passes } from './game/passes.svelte';
import { Past } from './game/past.svelte';
import { Reach } from './game/reach.svelte';
import { Rings } from './game/rings.svelte';
import { Seats } from './game/seats.svelte';
import { ChosenStand } from './game/stand.svelte';
import { TapeMeasure } from './game/tape.svelte';
import { hazardsAlong, hazardsOn } from './hazards';
import { language, t } from './i18n';
import { Desk } from './orders/desk.svelte';
import type {
  Meant,
  Orders,
  Place,
  Side,
  SuggestAnswer,
  TableMessage,
  Unit,
  UnitId,
  UnitMark,
} from './protocol';
import { markOfRole } from './roles';
import type { Seat } from './seat.svelte';
import { Refused } from './socket';
import { updateGame } from './storage';
import type { Ground } from './surface/ground';
import { groundOf } from './surface/grounds';
import { Tray } from './surface/tray.svelte';

/** All that a player chooses by. A message may bring nothing new of it, as when a draw is offered. */
function position({ choices, actors, view }: TableMessage): string {
  return JSON.stringify([choices, actors, view]);
}

export interface Saying {
  title: string;
  lines: Meant[];
}

/** The status of units that stand where their place says. */
const IN_PLAY = new Set(['on the map', 'on the table']);

export class Game {
  /** The seats of this browser: which of them is at the screen, and the cover between them. */
  readonly seats: Seats;
  /** What can be done, as far as the player looks into it. */
  readonly offer = new Offer(this);
  /** What the player has clicked, and what a click means. */
  readonly clicks = new Clicks(this);
  /** Clicks that are made while a decision is on its way. */
  readonly ahead = new ClicksAhead(this);
  /** The unit that is chosen for the player. */
  readonly next = new NextUnit(this);
  /** Where the chosen unit can go on hexes, and the way to its goal. */
  readonly reach = new Reach(this);
  /** The direction to which the chosen unit on hexes is about to turn. */
  readonly facing = new Facing(this);
  /** The chosen stand of the free table, taken up and set down. */
  readonly stand = new ChosenStand(this);
  /** Units that act together. */
  readonly formation = new Formation(this);
  /** Several decisions in a row: the march of a group, or a plan. */
  readonly march = new March(this);
  /** What the player presses, on its way to the server. */
  readonly decisions = new Decisions(this);
  /** Passing by itself. */
  readonly passes = new Passes(this);
  /** Written orders. */
  readonly desk = new Desk(this);

  /** Calculations of choices, and those that are shown. */
  readonly calculations = new Calculations(this);
  /** What the server tells about units when it is asked. */
  readonly about = new About(this);
  readonly los = new LineOfSight(this);
  readonly tape = new TapeMeasure(this);
  /** The rings round a stand of the free table. */
  readonly rings = new Rings(this);
  /** Looking back: the moment that is on the table instead of now. */
  readonly past = new Past(this);
  /** What others do, as it is shown. */
  readonly film = new Film(this);
  /** The stack that is shown beside the map. */
  readonly tray = new Tray(this);

  /** Rises with every new position: answers about an old one are dropped. */
  position = $state(0);
  ground = $state.raw<Ground | null>(null);
  failed = $state<string | null>(null);
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
  /** The line of the plot sheet that is pointed at. */
  pointed = $state<string | null>(null);
  /** Whoever waits for the next table. */
  private readonly arrivals: (() => void)[] = [];
  /** The page holds a record that was opened from a file. */
  readonly isRecord: boolean;

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
    const { ghost } = this.stand;
    if (!ghost) return hazardsOn(this.reach.route?.path ?? [], markers);
    const moves = ghost.moved && ghost.region.kind === 'move';
    return moves ? hazardsAlong(ghost.way, markers, this.ground?.standWidth ?? 0) : [];
  });

  /** Own units wait to be set up. */
  hasToPlace = $derived(
    this.view?.units.some((u) => u.side === this.side && u.status === 'to place') ?? false,
  );

  sideName(side: Side | null): string {
    const sides = this.view?.sides ?? this.seats.all.find((seat) => seat.sides.length > 0)?.sides ?? [];
    return sides.find((s) => s.id === side)?.name ?? side ?? t.play.spectator;
  }

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
    this.decisions.presses.arrived(performance.now());
    this.clicks.forget();
    this.reach.forget();
    this.cursor = null;
    this.calculations.forget();
    this.suggestion = null;
    this.next.isChosen = false;
    this.ahead.aimed = null;
    this.decisions.forget();
    this.formation.keep();
    this.position++;
    this.rings.ask();
    this.about.renew();
    this.offer.forget();
    this.tray.renew();
    this.stand.aimOn();
    this.pointed = null;
    if (!this.clicks.joinNext() && !this.passes.passOn()) this.ahead.goOn();
  }

  nextTable(): Promise<void> {
    return new Promise((arrived) => this.arrivals.push(arrived));
  }

  say(title: string, text: string, rule: string | null): void {
    // What is said of a press is to be read: a click that was made before it came is forgotten.
    this.ahead.kept = null;
    if (text) this.saying = { title, lines: [{ label: '', text, rule }] };
  }

  confirm(): boolean {
    if (this.desk.sheet) return false;
    if (this.facing.heading) return this.facing.turn();
    if (this.stand.ghost?.moved) {
      void this.stand.setDown();
      return true;
    }
    if (this.reach.goal !== null) {
      this.reach.go();
      return true;
    }
    if (!this.clicks.primary) return false;
    this.decisions.play(this.clicks.primary);
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
    else if (this.reach.goal !== null) this.reach.goal = null;
    else if (this.facing.heading) this.facing.meant = null;
    else if (this.stand.ghost?.moved && !(this.stand.ghost.fixed && this.stand.ghost.template))
      this.stand.ghost.back();
    else if (this.formation.members.length > 0) this.formation.clear();
    else if (this.desk.chosen.size > 0) this.desk.choose([]);
    else if (this.clicks.joining.length > 0) this.clicks.joining = this.clicks.joining.slice(0, -1);
    else if (this.clicks.held) this.clicks.pick(null);
    else if (this.clicks.made.length > 0) {
      this.clicks.made = this.clicks.made.slice(0, -1);
      this.reach.ask();
    } else {
      const cancel = this.offer.choices.find((c) => c.kind === 'cancel');
      if (!cancel) return this.tray.putAway();
      this.decisions.play(cancel);
    }
    return true;
  }

  ask<T extends object>(message: Record<string, unknown>): Promise<T | null> {
    return (
      this.seat?.socket.ask<T>(message).catch((error: unknown) => {
        if (error instanceof Refused) this.say(t.play.whyNot, error.message, error.rule);
        return null;
      }) ?? Promise.resolve(null)
    );
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

  /** The next or previous own unit that can act after the one chosen. */
  cycle(step: 1 | -1): UnitId | null {
    const list = this.offer.actors;
    if (list.length === 0) return null;
    const now = this.inspected === null ? -1 : list.indexOf(this.inspected);
    const next = list[(now + step + list.length + (now < 0 && step < 0 ? 1 : 0)) % list.length]!;
    this.inspected = next;
    return next;
  }
}
