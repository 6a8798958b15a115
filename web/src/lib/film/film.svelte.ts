/** The film of what others do: it follows the events as they come in, and holds units where they were until it has
 * shown how they got away. Nothing waits for it: a click of the player ends it. */
import { SvelteMap } from 'svelte/reactivity';
import type { Game } from '../game.svelte';
import type { GameEvent, TableMessage, Unit, UnitId } from '../protocol';
import type { Seat } from '../seat.svelte';
import { settings } from '../settings.svelte';
import * as reels from './reel';
import type { Reel } from './reel';
import { castFrom, continued, scenesOf, type Loss, type Scene } from './scenes';

/** A loss that the map still shows, and whose part of the turn it fell in. */
export interface Mark extends Loss {
  stage: string;
}

const motionless = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Units that look the same to the film. */
const same = (a: Unit | undefined, b: Unit | undefined) => JSON.stringify(a) === JSON.stringify(b);

export class Film {
  reel = $state.raw<Reel<Scene>>(reels.EMPTY);
  /** Units that are drawn as they were before the scenes that are still to come; null: not yet drawn. */
  private held = $state.raw<ReadonlyMap<UnitId, Unit | null>>(new Map());
  /** What each seat of this browser has seen lost. */
  private readonly markedBy = new SvelteMap<Seat | null, readonly Mark[]>();
  /** The question that stopped the film was asked here; it stays until it is answered. */
  stoppedAt = $state<number | null>(null);
  /** Those without motion see stills. */
  stills = $state(false);
  /** Whether the map goes where the scene is; a player who drags it goes where the player wants. */
  follows = true;

  scene = $derived(reels.sceneOf(this.reel));
  beat = $derived(reels.beatOf(this.reel));
  running = $derived(this.scene !== null && !this.reel.paused);
  /** The map is not yet as the table is: the end of the game, too, is still to be shown. */
  holding = $derived(this.held.size > 0);
  /** Whether there are deeds of others to be shown, or to be shown again. */
  offered = $derived(this.reel.scenes.some(({ mine }) => !mine));

  /** The player looks again: a move is shown from its beginning, however often it went on. */
  whole = false;
  private seen: readonly GameEvent[] = [];
  private told = false;
  private timer = 0;
  /** The units as the player saw them when the events came that are still to be read. */
  private before: ReadonlyMap<UnitId, Unit> = new Map();
  /** How long the beat lasts, in ms; null where nothing runs. */
  lasting = $derived(reels.lasting(this.reel, settings.pace));
  private readonly marked = new WeakSet<Loss>();
  /** The player has acted since the film ended: the next scenes begin a new one. */
  over = $state(true);

  constructor(private readonly game: Game) {}

  get marks(): readonly Mark[] {
    return this.markedBy.get(this.game.seat) ?? [];
  }

  private set marks(marks: readonly Mark[]) {
    this.markedBy.set(this.game.seat, marks);
  }

  /** What was shown is forgotten, as another seat looks. */
  clear(): void {
    this.reel = reels.EMPTY;
    this.held = new Map();
    this.stoppedAt = null;
    this.told = false;
    this.seen = [];
    this.before = new Map();
    clearTimeout(this.timer);
  }

  /** A new table came: units that changed are held until the events tell how; what the player has done is shown at once. */
  changed(before: TableMessage | null, now: TableMessage): void {
    if (before === null) return;
    this.before = new Map(before.view.units.map((unit) => [unit.id, unit]));
    const asked = before.side !== null && before.asked.includes(before.side);
    if (asked && before.position !== now.position) this.acted(before, now);
    else if (this.holds && now.log_length > this.seen.length) this.hold(now.view.units);
    this.askedToReact();
  }

  /** A question that others' deeds have led to stops the film where it arose: the answer need not wait. */
  private askedToReact(): void {
    if (!this.game.owes || !this.game.offer.reaction || reels.ended(this.reel)) return;
    this.turn(reels.stopped(this.reel));
    this.stoppedAt = this.scene?.n ?? null;
  }

  private get holds(): boolean {
    return this.told && settings.pace !== 'instant' && !motionless();
  }

  private hold(units: readonly Unit[]): void {
    const held = new Map(this.held);
    const now = new Map(units.map((unit) => [unit.id, unit]));
    for (const id of new Set([...now.keys(), ...this.before.keys()]))
      if (!held.has(id) && !same(this.before.get(id), now.get(id))) held.set(id, this.before.get(id) ?? null);
    this.held = held;
  }

  /** What was still to be shown is over; with the first deed of the player's own turn old marks are, too. */
  private acted(before: TableMessage, now: TableMessage): void {
    this.finish();
    this.stoppedAt = null;
    const { current } = before.view;
    // Where all decide at once nobody is on turn.
    if (current && current !== now.side) return;
    this.over = true;
    const stage = this.stageOf(before);
    this.marks = this.marks.filter((mark) => mark.stage === stage);
  }

  private stageOf({ view: { turn, current } }: TableMessage): string {
    return `${turn} ${current ?? ''}`;
  }

  /** Reads the log; what came with joining is not shown. */
  read(log: readonly GameEvent[]): void {
    const { game } = this;
    const joined = game.seat?.joinedAfter ?? null;
    if (joined === null) return;
    const undone = this.seen.length > log.length || this.seen.at(-1) !== log[this.seen.length - 1];
    if (this.told && undone) this.takeBack();
    const events = this.told ? log.slice(this.seen.length) : [];
    this.told = true;
    this.seen = log;
    if (events.length > 0) this.show(events);
  }

  /** What was undone has not happened. */
  private takeBack(): void {
    this.clear();
    this.marks = [];
  }

  private show(events: readonly GameEvent[]): void {
    if (this.over) {
      this.reel = reels.EMPTY;
      this.over = false;
      this.follows = true;
    }
    this.stills = motionless();
    const waiting = this.reel.scenes.slice(this.reel.at);
    const units = this.game.units;
    const scenes = scenesOf(
      events,
      {
        before: (id) => this.held.get(id) ?? this.before.get(id) ?? null,
        after: (id) => units.get(id) ?? null,
        own: this.game.side,
        drama: settings.drama && !this.stills,
        stills: this.stills,
      },
      waiting,
    );
    this.whole = false;
    this.append(scenes);
    if (settings.pace === 'instant') this.reel = reels.finished(this.reel);
    this.settle();
    this.askedToReact();
  }

  /** A move that has not just set out takes in what comes next of it. */
  private append(scenes: readonly Scene[]): void {
    const { reel } = this;
    const last = reel.scenes.length - 1;
    const open = last >= 0 && !(reel.at === last && this.beat === 'go');
    const merged = open && scenes[0] ? continued(reel.scenes[last]!, scenes[0]) : null;
    this.reel = merged
      ? reels.added(reels.cutBack(reel, last), [merged, ...scenes.slice(1)])
      : reels.added(reel, scenes);
  }

  /** The units as the film has them. */
  cast(units: readonly Unit[]): readonly Unit[] {
    if (this.held.size === 0) return units;
    const known = new Map(units.map((unit) => [unit.id, unit]));
    const drawn = units.flatMap((unit) => this.drawn(unit, known));
    const gone = [...this.held].flatMap(([id, unit]) => (unit && !known.has(id) ? [unit] : []));
    return [...drawn, ...gone];
  }

  /** A unit that is carried is where its carrier is. */
  private drawn(unit: Unit, known: ReadonlyMap<UnitId, Unit>): Unit[] {
    const held = this.held.get(unit.id);
    if (held !== undefined) return held ? [held] : [];
    const carrier = unit.carrier === null ? undefined : this.held.get(unit.carrier);
    if (carrier && known.get(unit.carrier!)?.place === unit.place) return [{ ...unit, place: carrier.place }];
    return [unit];
  }

  /** What is held, and when the next beat is due. */
  private settle(): void {
    clearTimeout(this.timer);
    const { reel } = this;
    const begun = this.scene !== null && (this.scene.kind === 'move' || this.beat === 'result');
    this.held = this.holds ? castFrom(reel.scenes, begun ? reel.at + 1 : reel.at) : new Map();
    this.mark();
    if (this.lasting !== null) this.timer = window.setTimeout(() => this.tick(), this.lasting);
  }

  private tick(): void {
    this.turn(reels.ticked(this.reel));
  }

  /** Losses that have been shown leave their mark. */
  private mark(): void {
    const { table } = this.game;
    if (!table) return;
    const shown = this.reel.scenes.slice(0, this.reel.at + (this.beat === 'result' ? 1 : 0));
    const stage = this.stageOf(table);
    const fresh = shown.flatMap(({ losses }) => losses).filter((loss) => !this.marked.has(loss));
    fresh.forEach((loss) => this.marked.add(loss));
    if (fresh.length > 0) this.marks = [...this.marks, ...fresh.map((loss) => ({ ...loss, stage }))];
  }

  // What the player does with it

  private turn(reel: Reel<Scene>, whole = this.whole): void {
    this.whole = whole;
    this.reel = reel;
    this.settle();
  }

  toggle(): void {
    this.turn(reels.toggled(this.reel));
  }

  back(): void {
    this.turn(reels.back(this.reel), true);
  }

  again(): void {
    this.turn(reels.again(this.reel), true);
  }

  skip(): void {
    this.turn(reels.skipped(this.reel), true);
  }

  /** To the end: the map is as it is. */
  finish(): void {
    this.turn(reels.finished(this.reel));
  }

  /** A click is meant for the map as it is: what is still held is let go. */
  release(): void {
    if (this.holding) this.finish();
  }
}
