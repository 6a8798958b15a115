/** The chosen stand of the free table: taken up, led as a ghost, and set down. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import * as narrow from '../narrow';
import type { Choice, CostAnswer, ReachAnswer, Region, UnitId } from '../protocol';
import { Ghost, NO_STAND, type Legs } from '../surface/ghost.svelte';
import { paced } from '../surface/pace';
import type { Spot } from '../surface/places';

/** A stand that is being set down, and whether its move is taken, once that is known. */
interface SettingDown {
  ghost: Ghost;
  taken: Promise<boolean>;
}

export class ChosenStand {
  /** The stand that is about to be moved. */
  ghost = $state.raw<Ghost | null>(null);
  /** Where the pointer has led a stand that is still being taken up. */
  private led: Spot | null = null;
  /** The last stand that was let go, until its move is taken or refused. */
  down: SettingDown | null = null;

  constructor(private readonly game: Game) {}

  /** Chooses a stand; chosen already, it is let go. */
  choose(unit: UnitId): void {
    const chosen = this.game.clicks.made.length > 0 && narrow.sameToken(this.game.clicks.made[0]!, { unit });
    this.game.clicks.made = chosen ? [] : [{ unit }];
    this.game.next.isChosen = false;
    this.game.reach.ask();
  }

  /** Takes up a stand, chosen before or not. */
  async pickUp(unit: UnitId): Promise<void> {
    this.game.inspected = unit;
    this.game.tray.goOn(this.game.units.get(unit)?.place ?? null);
    this.led = null;
    if (this.ghost?.unit.id === unit) return;
    const { position } = this.game;
    await this.game.offer.unread({ unit });
    if (this.game.position !== position || (this.game.ground?.grip && !this.game.offer.regionOf(unit)))
      return;
    if (!this.game.formation.has(unit)) this.game.formation.clear();
    this.game.reach.goal = null;
    this.game.clicks.made = [{ unit }];
    this.game.next.isChosen = false;
    this.game.reach.ask();
    if (this.led) this.ghost?.lead(this.led);
  }

  /** Leads the stand to where the pointer is. */
  lead(spot: Spot): void {
    this.game.saying = null;
    this.led = spot;
    this.ghost?.lead(spot);
  }

  /**
   * A template that is no unit's is in hand as soon as its place is asked for; what was aimed at is aimed at still, if
   * only its other terms have changed.
   */
  aimOn(): void {
    const before = this.ghost?.unit === NO_STAND && this.ghost.moved ? this.ghost : null;
    this.letGo();
    const [region, ...others] = this.game.offer.freeRegions;
    if (!region?.template || others.length > 0) return;
    this.turnTo(region);
    if (!before || !this.ghost) return;
    this.ghost.following = before.following;
    this.ghost.lead(before.at);
  }

  private letGo(): void {
    this.ghost?.close();
    this.ghost = null;
  }

  /** Asks what a move would cost, whoever of a group would make it; never more often than the server is to be asked. */
  readonly askCost = paced((legs: () => Legs) => {
    const [action, ...then] = legs();
    return this.game.ask<CostAnswer>({ type: 'cost', action, ...(then.length > 0 ? { then } : {}) });
  });

  /** The ghost of the chosen stand, where it may move. */
  haunt(unit: UnitId | undefined): void {
    if (this.ghost?.unit.id === unit && this.ghost) return;
    this.letGo();
    const region = this.game.offer.regionOf(unit);
    if (region) this.turnTo(region);
  }

  /** Goes on with one of the regions of a unit: its move, its turn, a template to be laid. */
  turnTo(region: Region): void {
    this.letGo();
    const stand = this.game.units.get(region.unit) ?? (region.template ? NO_STAND : null);
    if (!stand) return;
    const ghost = new Ghost(stand, region, this.askCost);
    this.ghost = ghost;
    if (ghost.template && ghost.fixed) void ghost.settled();
    if (region.kind === 'move') void this.survey(ghost);
  }

  /** Asks for the costs of a reach, to be shown and to go by between two answers. */
  private async survey(ghost: Ghost): Promise<void> {
    const answer = await this.game.ask<ReachAnswer>({ type: 'reach', unit: ghost.unit.id });
    if (!answer?.nodes || this.ghost !== ghost) return;
    const { Lattice } = await import('../surface/table/lattice');
    ghost.lattice = new Lattice(answer.nodes);
    ghost.left = answer.left ?? 0;
    ghost.unitOfCost = answer.unit ?? null;
  }

  /** Why the stand cannot go where its ghost is; null where it can, or where only the march of a group can tell. */
  get refused(): string | null {
    const { ghost, game } = this;
    if (!ghost?.moved || game.formation.yielding.has(ghost.unit.id)) return null;
    return ghost.price?.text ?? null;
  }

  /** Moves the stand to where its ghost is, or says why it cannot go there. */
  async setDown(): Promise<void> {
    const ghost = this.ghost;
    if (!ghost?.moved || this.down?.ghost === ghost) return;
    if (this.game.formation.following.length > 0) return this.game.march.setOut(ghost);
    const down = (this.down = { ghost, taken: this.drop(ghost, this.game.decisions.presses.position) });
    await down.taken;
    if (this.down === down) this.down = null;
  }

  /** Plays the move of a ghost, decided on at a position, when its price is known; says whether it was taken. */
  private async drop(ghost: Ghost, position: number | null): Promise<boolean> {
    const price = ghost.price ?? (await ghost.settled());
    if (ghost !== this.ghost || !ghost.moved || this.game.decisions.busy) return false;
    if (price?.text) {
      this.game.say(t.play.whyNot, price.text, price.rule);
      return false;
    }
    this.game.next.lastKind = ghost.region.kind;
    const [first, ...then] = ghost.legs;
    this.game.march.halt();
    return this.game.decisions.sendPlay(first, then, position);
  }

  /** A press while a stand is being set down is made on the table after its move: there "done" ends that move. */
  async pressAfter({ ghost, taken }: SettingDown, choice: Choice): Promise<void> {
    if (!(await taken)) return;
    await this.game.offer.unread({ unit: ghost.unit.id });
    const meant =
      this.game.offer.choices.find((one) => narrow.sameAction(one.action, choice.action)) ??
      this.game.offer.choices.find((one) => one.kind === 'done' && choice.kind === 'done');
    if (meant) this.game.decisions.play(meant);
  }

  /** Whether a click on a unit lays the template that is in hand there: the unit has nothing else to do. */
  laysOn(unit: UnitId): boolean {
    const { ghost, game } = this;
    if (!ghost?.template || ghost.fixed || game.los.tool || game.tape.inHand) return false;
    return !game.offer.actors.includes(unit);
  }

  /** A template is looked at and turned where it would lie, before it is played; says whether it is one. */
  layTemplate(choice: Choice): boolean {
    const region = this.game.offer.regions.find(
      (r) => r.template && narrow.sameAction(r.action, choice.action),
    );
    if (!region) return false;
    this.turnTo(region);
    this.game.calculations.preview(choice);
    return true;
  }
}
