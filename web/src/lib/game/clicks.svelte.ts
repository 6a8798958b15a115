/** What the player has clicked of the present position, and what a click on a unit or a place means. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import * as narrow from '../narrow';
import type { Token } from '../narrow';
import type { Action, Choice, Place, UnitId, WhyAnswer } from '../protocol';
import { wired } from '../surface/places';

export class Clicks {
  /** Clicks that mean something together, the first one first. */
  made = $state.raw<Token[]>([]);
  /** Units that are to join the attack that is being built, once its kind is chosen. */
  joining = $state.raw<UnitId[]>([]);
  /** Those of them whose attack has begun, and how it was begun. */
  joiners: { units: readonly UnitId[]; like: Action } = { units: [], like: { type: '' } };
  /** The unit whose role is to be changed. */
  changing = $state<UnitId | null>(null);
  /** The choice of a list whose button a finger has pressed: it waits to be confirmed. */
  private picked = $state.raw<Choice | null>(null);
  /** What a click waits for; later clicks wait for it too. */
  private reading: Promise<void> | null = null;

  constructor(private readonly game: Game) {}

  /** Another position: what was clicked in the last one is forgotten. */
  forget(): void {
    this.made = [];
    this.joining = [];
    this.reading = null;
    this.changing = null;
    this.picked = null;
  }

  /** Takes one choice of several, to be confirmed; null puts it back among the others. */
  pick(choice: Choice | null): void {
    if (choice === null && this.picked) this.game.calculations.previewed = null;
    this.picked = choice;
  }

  /** The choice that has been taken and waits to be confirmed, while it is still offered. */
  held = $derived.by(() => this.game.offer.choices.find((choice) => choice === this.picked) ?? null);

  /** The units among what was clicked, in order. */
  units = $derived(this.made.flatMap((c) => ('unit' in c ? [c.unit] : [])));

  /** Before the first click what was asked for meanwhile glows no more than what was not. */
  glow = $derived.by(() => {
    const alone = this.made.length === 0 && this.game.offer.known === 'some';
    const found = narrow.glowing(
      alone ? (this.game.table?.choices ?? []) : this.game.offer.choices,
      this.made,
    );
    if (alone) this.game.offer.actors.forEach((unit) => found.units.add(unit));
    return found;
  });

  /** The choices that are left by the clicks. */
  left = $derived.by(() => narrow.shared(this.game.offer.choices, this.made, this.joining));

  /** The choice that a confirmation means. */
  primary = $derived.by(() => {
    if (this.held) return this.held;
    return this.game.reach.goal === null && !(this.game.stand.ghost && this.made.length === 1)
      ? narrow.primary(this.game.offer.choices, this.made, this.game.offer.known)
      : null;
  });

  /** The next unit joins the attack that has been begun for it, too; says whether one is about to. */
  joinNext(): boolean {
    const [next, ...rest] = this.joiners.units;
    if (next === undefined) return false;
    const { position } = this.game;
    const { like } = this.joiners;
    const attacks = this.game.asked && !!this.game.view?.building;
    this.joiners = { units: attacks ? rest : [], like };
    if (!attacks) return false;
    const join = () => {
      if (this.game.position !== position) return;
      const choice = narrow.likest(this.game.offer.choices, next, like);
      if (choice) void this.game.decisions.sendPlay(choice.action, []);
      else this.narrowTo({ unit: next });
    };
    const reading = this.game.offer.unread({ unit: next });
    if (reading) void reading.then(join);
    else join();
    return true;
  }

  private readonly around: narrow.Surroundings = {
    placeOf: (unit) => this.game.units.get(unit)?.place ?? null,
    unitsAt: (place) => this.game.tray.pile(place).map((u) => u.id),
  };

  /** A click on a unit. */
  unit(id: UnitId, more = false): void {
    if (this.game.owes) this.game.film.release();
    this.game.inspected = id;
    const place = this.game.units.get(id)?.place ?? null;
    this.game.tray.goOn(place);
    if (this.game.tape.inHand) return this.game.tape.measureTo(id, place);
    if (this.game.los.tool) {
      if (place !== null) this.game.los.click(place);
      return;
    }
    if (this.game.desk.has(id)) return this.game.desk.click(id, more);
    if (this.hasRole(id)) return this.changeRole(id);
    if (this.game.ahead.keep({ unit: id })) return;
    if (this.game.next.isChosen && this.made.some((c) => 'unit' in c && c.unit === id)) {
      this.game.next.isChosen = false;
      return;
    }
    if (this.onceRead({ unit: id }, () => this.unit(id))) return;
    if (this.stopFor(id)) return;
    const known = narrow.candidates(this.game.offer.choices, [...this.made, { unit: id }]).length > 0;
    const alone = narrow.candidates(this.game.offer.choices, [{ unit: id }]).length > 0;
    if (known || alone || place === null) this.narrowTo({ unit: id });
    else if (this.game.reach.asked) this.game.reach.onceKnown(() => this.unit(id));
    else if (this.game.reach.places.has(place)) this.game.reach.click(place);
    else this.narrowTo({ unit: id });
  }

  /** Whether a unit has been given a role that may still be changed. */
  private hasRole(id: UnitId): boolean {
    return this.game.asked && id in (this.game.view?.designation?.roles ?? {});
  }

  /** The panel offers other roles for a unit; another click puts them away. */
  private changeRole(id: UnitId): void {
    const { changing } = this;
    this.forget();
    this.changing = changing === id ? null : id;
  }

  /** A click on a place. */
  place(place: Place): void {
    if (this.game.owes) this.game.film.release();
    this.game.tray.goOn(place);
    if (this.game.tape.inHand) this.game.tape.measureTo(null, place);
    else if (this.game.los.tool) this.game.los.click(place);
    else if (this.game.desk.sheet) this.game.desk.choose([]);
    else if (!this.game.hasToPlace && this.game.ahead.keep({ place })) return;
    else if (this.reading) this.afterwards(() => this.place(place));
    else if (this.game.reach.asked) this.game.reach.onceKnown(() => this.place(place));
    else if (this.game.reach.places.has(place)) this.game.reach.click(place);
    else if (!this.onceRead({ place }, () => this.place(place))) this.narrowTo({ place });
  }

  /** Does something once what a click needs is known; says whether that is not so yet. */
  private onceRead(token: Token, then: () => void): boolean {
    const reading = this.reading ?? this.game.offer.unread(token);
    if (!reading) return false;
    this.reading ??= reading;
    this.afterwards(then);
    return true;
  }

  private afterwards(then: () => void): void {
    const { position } = this.game;
    const { reading } = this;
    void reading?.then(() => {
      if (this.reading === reading) this.reading = null;
      if (this.game.position === position) then();
    });
  }

  /** The choice to stop that is meant by a click on another unit. */
  stopsFor(unit: UnitId): Choice | null {
    return narrow.stopFor(this.game.offer.choices, this.game.view?.activation ?? null, unit);
  }

  /** A click on another unit that is still to act: the one that moves stops where it is. */
  private stopFor(unit: UnitId): boolean {
    const stop = this.stopsFor(unit);
    if (!stop) return false;
    this.game.next.afterStop = unit;
    this.game.decisions.play(stop);
    return true;
  }

  /** Goes on with what a click may mean; one that was made ahead decides nothing. */
  narrowTo(token: Token, isAhead = false): void {
    this.game.saying = null;
    this.game.reach.goal = null;
    this.changing = null;
    this.pick(null);
    const aimedAhead = this.game.ahead.aimed;
    this.game.ahead.aimed = isAhead ? token : null;
    if (!this.game.asked) {
      if ('place' in token) this.game.lit = new Set([token.place]);
      return;
    }
    if ('unit' in token && this.game.offer.regionsOf(token.unit).length > 0) {
      if (!this.game.formation.has(token.unit)) this.game.formation.clear();
      this.game.stand.choose(token.unit);
      return;
    }
    if ('unit' in token && this.joins(token.unit)) return;
    const found = (aimedAhead && this.decides(token, aimedAhead)) ?? this.meaning(token, this.made);
    this.joining = [];
    if (found.kind === 'nothing') {
      void this.askWhy(token);
      return;
    }
    this.explainDropped(token, found.clicked);
    this.game.next.isChosen = false;
    if ('unit' in token && !this.game.formation.has(token.unit)) this.game.formation.clear();
    if (found.kind === 'play' && !isAhead) {
      this.game.decisions.play(found.choice);
      return;
    }
    this.made = found.clicked;
    if ('choice' in found) this.game.calculations.preview(found.choice);
    this.game.reach.ask();
  }

  private meaning(token: Token, clicked: Token[]): narrow.Narrowed {
    return narrow.click(this.game.offer.choices, clicked, token, this.around);
  }

  /** What the second click on something that was clicked ahead decides, if the first would have decided it. */
  private decides(token: Token, aimed: Token): narrow.Narrowed | null {
    if (!narrow.sameToken(token, aimed)) return null;
    const found = this.meaning(
      token,
      this.made.filter((one) => !narrow.sameToken(one, token)),
    );
    return found.kind === 'play' ? found : null;
  }

  /** Adds a unit to the attack that is being built, or takes it out again; says whether it could join. */
  private joins(unit: UnitId): boolean {
    const { joining, made: clicked } = this;
    const { choices } = this.game.offer;
    const had = joining.includes(unit);
    if (!had && !(joining.length > 0 || narrow.isOpenAttack(this.left, clicked))) return false;
    if (clicked.some((token) => narrow.sameToken(token, { unit }))) return false;
    const now = had ? joining.filter((one) => one !== unit) : [...joining, unit];
    const left = narrow.shared(choices, clicked, now);
    if (left.length === 0) return false;
    this.joining = now;
    if (left.length === 1) this.game.calculations.preview(left[0]!);
    return true;
  }

  /** Others can do something to the enemy that was clicked, and the chosen unit cannot: tells why. */
  private explainDropped(token: Token, clicked: readonly Token[]): void {
    const chosen = this.units[0];
    if (chosen === undefined || clicked.some((one) => narrow.sameToken(one, { unit: chosen }))) return;
    const side = this.game.units.get(chosen)?.side;
    const aimed = 'unit' in token ? [token.unit] : this.around.unitsAt(token.place);
    const enemy = aimed.map((id) => this.game.units.get(id)).find((unit) => unit && unit.side !== side);
    if (side === this.game.side && enemy?.place) void this.askWhyOf(chosen, enemy.place);
  }

  private async askWhyOf(unit: UnitId, place: Place): Promise<void> {
    const { position } = this.game;
    const lines = await this.reasons(unit, place);
    const late = this.game.position !== position || this.units.includes(unit);
    if (lines && lines.length > 0 && !late) this.game.saying = { title: t.play.whyNot, lines };
  }

  /** Why a unit can do nothing at a place; null without an answer. */
  private async reasons(unit: UnitId | undefined, place: Place | null) {
    const answer = await this.game.ask<WhyAnswer>({
      type: 'why',
      ...(unit ? { unit } : {}),
      ...(place ? { place: wired(place) } : {}),
    });
    if (!answer) return null;
    const meant =
      answer.meant ?? (answer.text ? [{ label: '', text: answer.text, rule: answer.rule ?? null }] : []);
    return narrow.reasons(meant);
  }

  /** Whether an own unit was chosen before the click on an enemy: then it is that unit which cannot act on him. */
  private aimsAt(unit: UnitId, chosen: UnitId | undefined): boolean {
    if (chosen === undefined) return false;
    const [own, aimed] = [chosen, unit].map((id) => this.game.units.get(id)?.side);
    return own === this.game.side && aimed !== own;
  }

  /** Asks why nothing can be done there. */
  private async askWhy(token: Token): Promise<void> {
    const place = 'place' in token ? token.place : (this.game.units.get(token.unit)?.place ?? null);
    // Each action of each unit would have its own reason, and all of them the same.
    const far = place === null ? null : this.game.reach.tooFar(place);
    if (far) {
      const name = this.game.units.get(far.unit)?.name ?? far.unit;
      return this.game.say(t.play.whyNot, t.group.tooFar(name, far.away, far.most), far.rule);
    }
    const chosen = this.units[0];
    const clicked = 'unit' in token ? token.unit : chosen;
    const aims = clicked !== undefined && this.aimsAt(clicked, chosen);
    let lines = await this.reasons(aims ? chosen : clicked, place);
    if (aims && lines?.length === 0) lines = await this.reasons(clicked, place);
    if (!lines) return;
    this.game.saying = {
      title: t.play.whyNot,
      lines: lines.length > 0 ? lines : [{ label: '', text: t.play.nothingHere, rule: null }],
    };
  }
}
