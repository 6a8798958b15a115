/** Where the chosen unit can go on hexes, and the way to the goal that has been set for it. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import type { Choice, Place, ReachAnswer, ReachPlace, UnitId } from '../protocol';

export class Reach {
  /** The place that has been set as the goal. */
  goal = $state<Place | null>(null);
  /** Where the unit can go, and how. */
  places = $state.raw<Map<Place, ReachPlace>>(new Map());
  /** The unit of whose reach it is. */
  unit = $state<UnitId | null>(null);
  /** The rule of its movement allowance. */
  private rule: string | null = null;
  /** The rulebook's word for what a move costs. */
  counted: 'points' | 'factors' = 'points';
  /** The answer to where a unit can go is on its way: until then nobody knows what a click on a place means. */
  asked: Promise<void> | null = null;

  constructor(private readonly game: Game) {}

  /** The way to the goal, or to the place under the pointer. */
  route = $derived.by(() => {
    const goal = this.goal ?? this.game.hoverPlace;
    return goal === null ? null : (this.places.get(goal) ?? null);
  });

  /** What a way costs and leaves, in the rulebook's word. */
  priceOf({ cost, left }: ReachPlace): string {
    return t.play.costLeft(t.play.counted[this.counted](Number(cost)), Number(left));
  }

  /** Enemies that may fire somewhere along the route. */
  fire = $derived.by(() => [
    ...new Set((this.route?.path ?? []).slice(1).flatMap((place) => this.places.get(place)?.fire ?? [])),
  ]);

  /** How far a unit that moves with a group can go, in hexes, and by which rule, for a place that is farther away than
   * that; else null. */
  tooFar(place: Place): { unit: UnitId; away: number; most: number; rule: string | null } | null {
    const { unit, places, rule } = this;
    const { formation, ground, units } = this.game;
    const here = unit === null ? null : (units.get(unit)?.place ?? null);
    if (unit === null || here === null || places.size === 0 || !ground?.lattice) return null;
    if (formation.joint !== 'moves' || !formation.has(unit)) return null;
    const far = (to: Place) => ground.lattice!.apart(here, to);
    const [away, most] = [far(place), Math.max(...[...places.keys()].map(far))];
    return away > most ? { unit, away, most, rule } : null;
  }

  /** A click on a place sets it as the goal; on the goal it sets out. */
  click(place: Place): void {
    this.game.saying = null;
    if (this.goal === place) this.go();
    else this.goal = place;
  }

  /** Sets out along the route that is shown. */
  go(): void {
    const route = this.goal === null ? null : this.places.get(this.goal);
    const [first, ...then] = route?.steps ?? [];
    if (!first) return;
    this.game.next.lastKind = 'move';
    if (this.game.formation.wished.size > 1) void this.game.march.setOutOnMap();
    else this.game.decisions.playAction(first, then);
  }

  /** Does something when the answer has come, if it is about the same unit still. */
  onceKnown(then: () => void): void {
    const unit = this.unit;
    void this.asked?.then(() => {
      if (this.unit === unit) then();
    });
  }

  forget(): void {
    this.goal = null;
    this.hide();
  }

  private hide(): void {
    this.places = new Map();
    this.unit = null;
    this.asked = null;
  }

  /** Asks where the chosen unit can go. */
  ask(): void {
    const unit = this.game.clicks.units[0];
    this.game.about.askGroup(unit);
    this.game.stand.haunt(unit);
    // On hexes a unit may have to turn before it can move.
    const setsOut = (c: Choice) => c.kind === 'move' || (c.kind === 'turn' && !!this.game.ground?.lattice);
    const moves =
      unit !== undefined && this.game.clicks.left.some((c) => setsOut(c) && c.units.includes(unit));
    if (!moves || unit === undefined) return this.hide();
    if (this.unit === unit) return;
    this.unit = unit;
    this.places = new Map();
    const reaching = this.game.ask<ReachAnswer>({ type: 'reach', unit }).then((answer) => {
      if (this.asked !== reaching) return;
      this.asked = null;
      this.rule = answer?.rule ?? null;
      this.counted = answer?.counted ?? 'points';
      if (answer?.places) {
        this.places = new Map(answer.places.filter((h) => h.steps.length > 0).map((h) => [h.place, h]));
      }
    });
    this.asked = reaching;
  }
}
