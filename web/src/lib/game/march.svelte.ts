/** Several decisions in a row: the march of a group, or a plan, until it is done or something halts it. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import { unforeseen } from '../plan';
import type { Action, Place, ReachAnswer, Side, Unit, UnitId } from '../protocol';
import { inOrder, legsOf } from '../surface/formation';
import type { Ghost } from '../surface/ghost.svelte';
import { nearestOnMap } from '../surface/hexes/column';
import { textOf, type Spot } from '../surface/places';
import { nearestOf, roseOf, sidesApart, wayOf } from '../surface/rose';

export class March {
  /** The number of the march that is under way; 0 for none. */
  underWay = 0;
  private count = 0;
  /** The side that marches. */
  private side: Side | null = null;
  /** The plan that is being played: which of its steps, counted from 1. */
  plan = $state.raw<{ step: number; of: number } | null>(null);

  constructor(private readonly game: Game) {}

  private begin(): number {
    this.side = this.game.side;
    return (this.underWay = ++this.count);
  }

  /** The group sets out, those in front first, each by the rules; what halts one of them halts the rest. */
  async setOut(ghost: Ghost): Promise<void> {
    const all = [
      { unit: ghost.unit, legs: ghost.legs },
      ...this.game.formation.following.map((one) => ({ unit: one.unit, legs: legsOf(one, ghost) })),
    ];
    const going: Spot = [ghost.at[0] - ghost.from[0], ghost.at[1] - ghost.from[1]];
    const march = this.begin();
    for (const { unit, legs } of inOrder(all, going)) {
      if (!(await this.marchOne(march, unit, legs))) break;
    }
    if (this.underWay === march) this.underWay = 0;
  }

  /** Plays a plan step by step, until it is done or something happens that it did not foresee. */
  async playPlan(steps: readonly Action[]): Promise<void> {
    const march = this.begin();
    for (const [i, step] of steps.entries()) {
      this.plan = { step: i + 1, of: steps.length };
      if (!(await this.planStep(march, step)) || this.underWay !== march) break;
    }
    this.plan = null;
    if (this.underWay === march) this.underWay = 0;
  }

  /** One step of a plan; says whether all is as it was when the plan was made. */
  private async planStep(march: number, step: Action): Promise<boolean> {
    if (!(await this.turnComes(march))) return false;
    const [known, before] = [this.game.log.length, this.game.table?.position];
    if (!(await this.game.decisions.sendPlay(step, []))) return false;
    while (this.game.table?.position === before) await this.game.nextTable();
    if (!(await this.turnComes(march))) return false;
    const surprise = unforeseen(this.game.log.slice(known), this.side);
    if (surprise) this.game.say(t.plan.halted, surprise.text, surprise.rule);
    return surprise === null;
  }

  /** Leaves the rest of a plan to the player. */
  stopPlan(): void {
    this.underWay = 0;
    this.plan = null;
  }

  /** One of the group goes its way and stops; says whether it has come to its end. */
  private async marchOne(
    march: number,
    unit: Unit,
    [first, ...then]: [Action, ...Action[]],
  ): Promise<boolean> {
    if (!(await this.turnComes(march)) || !(await this.game.decisions.sendPlay(first, then))) return false;
    if (!(await this.turnComes(march))) return false;
    return this.arrived(unit, textOf((then.at(-1) ?? first).to as Spot));
  }

  /** One of the group ends its move if it has come to its end; says whether it has. */
  private async arrived(unit: Unit, goal: Place): Promise<boolean> {
    if (this.game.units.get(unit.id)?.place !== goal) {
      this.game.say(t.table.halted, t.table.haltedAt(unit.name), null);
      return false;
    }
    await this.game.offer.unread({ unit: unit.id });
    if (!(await this.facesFront(unit.id))) return false;
    const stop = this.game.offer.choices.find((c) => c.kind === 'done' && c.action.unit === unit.id);
    if (stop && !(await this.game.decisions.sendPlay(stop.action, []))) return false;
    if (this.game.formation.has(unit.id)) this.game.formation.toggle(unit.id);
    return true;
  }

  /** One of the group turns to the front as far as it can; says whether the march is still on. */
  private async facesFront(unit: UnitId): Promise<boolean> {
    const { front } = this.game.formation;
    const march = this.underWay;
    if (front === null) return true;
    const placeOf = () => this.game.units.get(unit)?.place ?? null;
    const ring = roseOf(this.game.offer.choices, [{ unit }], placeOf)?.hull;
    const way = ring ? nearestOf(ring, 60 * front) : null;
    const now = wayOf(this.game.units.get(unit), 'hull');
    if (way === null || sidesApart(way, front) >= sidesApart(now, front)) return true;
    if (!(await this.game.decisions.sendPlay(ring!.get(way)!.action, [])) || !(await this.turnComes(march)))
      return false;
    await this.game.offer.unread({ unit });
    return true;
  }

  /** A group on hexes sets out, those in front first; each goes as near to its place as it can by the rules. */
  async setOutOnMap(): Promise<void> {
    const lattice = this.game.ground?.lattice;
    if (!lattice) return;
    const goals = [...this.game.formation.wished];
    const march = this.begin();
    const behind: string[] = [];
    for (const [id, wish] of goals) {
      if (!(await this.turnComes(march))) break;
      const unit = this.game.units.get(id);
      const answer = await this.game.ask<ReachAnswer>({ type: 'reach', unit: id });
      const found = unit?.place ? nearestOnMap(lattice, unit.place, wish, answer?.places ?? []) : null;
      if (unit && found?.place !== wish) behind.push(unit.name);
      if (!unit || !found) continue;
      const [first, ...then] = found.steps;
      if (!first || !(await this.game.decisions.sendPlay(first, then)) || !(await this.turnComes(march)))
        break;
      if (!(await this.arrived(unit, found.place))) return void (this.underWay = 0);
    }
    if (this.underWay !== march) return;
    this.underWay = 0;
    if (behind.length > 0) this.game.say(t.group.behind, behind.join(', '), null);
  }

  /** Waits until the side of the march is asked again; says whether the march is still on. */
  private async turnComes(march: number): Promise<boolean> {
    while (this.underWay === march && !this.game.table?.result) {
      if (this.game.asked && this.game.side === this.side) return true;
      await this.game.nextTable();
    }
    return false;
  }

  /** Whoever decides something else meanwhile ends the march of a group. */
  halt(): void {
    if (this.game.side === this.side) this.underWay = 0;
  }
}
