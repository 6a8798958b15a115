/** What can be done, as far as the player looks into it: the choices and regions that the server has told so far. */
import type { Game } from '../game.svelte';
import * as narrow from '../narrow';
import type { Token } from '../narrow';
import type { Choice, ChoicesAnswer, Region, UnitId } from '../protocol';
import { wired, type Spot } from '../surface/places';

export class Offer {
  /** Choices that were asked for since the position last changed. */
  private fetched = $state.raw<Choice[]>([]);
  /** Where the units may move whose choices were asked for, on the free table. */
  regions = $state.raw<Region[]>([]);
  /** Whether all choices have been asked for. */
  private fetchedAll = $state(false);
  /** What was asked of this position, by the question. */
  private readonly asking = new Map<string, Promise<void>>();
  /** The questions of this position that are answered. */
  private readonly settled = new Set<string>();

  constructor(private readonly game: Game) {}

  /** What is known of what can be done. */
  choices = $derived.by(() =>
    this.game.past.moment ? [] : narrow.joined(this.game.table?.choices ?? [], this.fetched),
  );
  /** Whether every choice is known, or only those that were asked for. */
  known = $derived.by((): narrow.Known =>
    (this.game.table?.whole ?? true) || this.fetchedAll ? 'all' : 'some',
  );
  /** Places to be written down that are no unit's matter. */
  freeRegions = $derived.by(() => (this.game.asked ? (this.game.table?.regions ?? []) : []));
  /** Whether the side is asked to answer an enemy's doing. */
  reaction = $derived.by(() =>
    narrow.isReaction(this.choices, this.game.view?.current ?? null, this.game.side, this.known),
  );

  /** Own units that something can be done with. */
  actors = $derived.by(() => {
    const isOwn = (id: UnitId) => this.game.units.get(id)?.side === this.game.side;
    if (this.game.past.moment) return [];
    if (this.game.desk.sheet) return this.game.desk.sheet.units;
    return [
      ...new Set([...(this.game.table?.actors ?? []).filter(isOwn), ...narrow.actors(this.choices, isOwn)]),
    ];
  });

  /** Units that something can be done with, or to, as far as it is known. */
  able = $derived.by(() => new Set([...this.actors, ...this.choices.flatMap((c) => c.units)]));

  /** Another position: what was told of the last one holds no more. */
  forget(): void {
    this.fetched = [];
    this.regions = [];
    this.fetchedAll = false;
    this.asking.clear();
    this.settled.clear();
  }

  /** Asks for choices of this position, once for each question. */
  private read(question: Record<string, string | Spot>): Promise<void> {
    const key = JSON.stringify(question);
    const known = this.asking.get(key);
    if (known) return known;
    const { position } = this.game;
    const asked = this.game.ask<ChoicesAnswer>({ type: 'choices', ...question }).then((answer) => {
      if (this.game.position !== position) return;
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
  unread(token: Token): Promise<void> | null {
    if (this.known === 'all' || !this.game.asked) return null;
    const question: Record<string, string | Spot> =
      'place' in token
        ? { place: wired(token.place) }
        : this.actors.includes(token.unit)
          ? { unit: token.unit }
          : { target: token.unit };
    if (this.settled.has(JSON.stringify(question))) return null;
    // What the chosen units do to it is known with them.
    const within = this.game.clicks.made.length > 0 && !('unit' in question);
    if (within && narrow.candidates(this.choices, [...this.game.clicks.made, token]).length > 0) return null;
    return this.read(question);
  }

  /** Asks for all choices, for lists that name them all. */
  readAll(): void {
    if (this.known === 'some' && this.game.asked) void this.read({});
  }

  /** The regions of a unit that the player can turn to by a button of their own. */
  regionsOf(unit: UnitId | undefined): Region[] {
    return this.regions.filter((region) => region.unit === unit && !this.hasButton(region));
  }

  /** A template that has a button among the choices is laid by that. */
  private hasButton(region: Region): boolean {
    return (
      !!region.template && this.choices.some((choice) => narrow.sameAction(choice.action, region.action))
    );
  }

  /** The region that is meant by a stand alone: to go somewhere comes before all else. */
  regionOf(unit: UnitId | undefined): Region | undefined {
    const found = this.regionsOf(unit).filter((region) => !region.template);
    return (
      found.find(({ kind }) => kind === 'move' || kind === 'place') ??
      found.find(({ open }) => open.includes('to')) ??
      found.find(({ unit: its, action }) => action.unit === its)
    );
  }
}
