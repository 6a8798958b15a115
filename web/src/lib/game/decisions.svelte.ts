/** Decisions: what the player presses is sent to the server, and waits for its answer. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import * as narrow from '../narrow';
import { Presses } from '../presses';
import type { Action, Choice, Vote } from '../protocol';
import { byFinger } from '../screen';
import { Refused } from '../socket';

/** Kinds of choices about which there may be a caution. */
const CAUTIOUS = new Set(['activate', 'designate', 'done']);

export class Decisions {
  /** A decision is on its way: its answer has not come yet. */
  busy = $state(false);
  /** The choice that the player has been cautioned about. */
  private cautioned: string | null = null;
  /** What the player presses, and the position that it is decided on. */
  readonly presses = new Presses(() => this.game.table?.position ?? null);
  /** The number of the last decision that was sent: an answer to one before it does not end the waiting. */
  private sent = 0;
  /** The position on which the present presses began to take decisions back. */
  private undoing: number | null = null;

  constructor(private readonly game: Game) {}

  /** Another position: nothing of the last one is waited for. */
  forget(): void {
    this.busy = false;
    this.cautioned = null;
  }

  /** A press on the button of a choice. What is final is told to a finger first, and another press confirms it. */
  press(choice: Choice, event: MouseEvent): void {
    if (choice.confirm && byFinger(event) && this.game.clicks.held !== choice) void this.tellFirst(choice);
    else this.play(choice);
  }

  private async tellFirst(choice: Choice): Promise<void> {
    const { position } = this.game;
    const tells = await this.game.calculations.tellsFirst(choice);
    if (this.game.position !== position) return;
    if (tells) this.game.clicks.pick(choice);
    else this.play(choice);
  }

  /** Plays what the player has chosen; a stand that is being set down comes first. */
  play(choice: Choice): void {
    if (this.game.stand.down) return void this.game.stand.pressAfter(this.game.stand.down, choice);
    if (this.game.stand.layTemplate(choice)) return;
    this.game.next.lastKind = choice.kind;
    this.game.clicks.joiners = {
      units: choice.kind === 'fire' ? this.game.clicks.joining : [],
      like: choice.action,
    };
    if (this.game.offer.reaction)
      this.game.passes.inRow = choice.kind === 'pass' ? this.game.passes.inRow + 1 : 0;
    // Quick clicks on one place put one unit there after the other: each means the table as it is by then.
    const position = choice.kind === 'place' ? this.game.table?.position : undefined;
    if (CAUTIOUS.has(choice.kind) && this.cautioned !== narrow.keyOf(choice)) void this.playWithCare(choice);
    else this.playAction(choice.action, [], position);
  }

  /** Plays a choice that there is no caution about; otherwise says it, and plays only when pressed again. */
  private async playWithCare(choice: Choice): Promise<void> {
    const { position } = this.game;
    const pressedOn = this.presses.position;
    // A button pressed before the caution is known would overtake this one.
    const weighed = this.bar();
    const { caution } = await this.game.calculations.of(choice);
    weighed();
    // A press on a table that has changed meanwhile: the server drops it and says so.
    const late = pressedOn !== (this.game.table?.position ?? null);
    if (!late && position !== this.game.position) return;
    if (late || !caution) return this.playAction(choice.action, [], pressedOn);
    this.cautioned = narrow.keyOf(choice);
    this.game.say(t.play.caution, caution.text, caution.rule);
  }

  /** A decision other than an action: to write an order, to strike one off, to hand them in. */
  decide(message: Record<string, unknown>): void {
    this.game.saying = null;
    const answered = this.bar();
    this.game.seat?.socket
      // Quick clicks give one order after the other: each means the sheet as it is by then.
      .ask({ position: this.game.table?.position, ...message })
      .catch((error: unknown) => this.refused(error))
      .finally(answered);
  }

  /** Says why a decision was not taken. */
  private refused(error: unknown): void {
    if (error instanceof Refused) this.game.say(t.play.whyNot, error.message || t.play.notSent, error.rule);
  }

  playAction(action: Action, then: Action[] = [], position = this.presses.position): void {
    this.game.march.halt();
    void this.sendPlay(action, then, position);
  }

  /** What decides is barred until the server has answered; returns what to call then. */
  private bar(): () => void {
    const mine = ++this.sent;
    this.busy = true;
    return () => {
      if (mine === this.sent) this.busy = false;
    };
  }

  /** Plays an action; says whether it was taken. */
  async sendPlay(
    action: Action,
    then: Action[],
    position = this.game.table?.position ?? null,
  ): Promise<boolean> {
    this.game.handling.plays++;
    this.game.passes.takenBack = false;
    this.game.saying = null;
    const answered = this.bar();
    try {
      await this.game.seat?.socket.ask({
        type: 'play',
        position,
        action,
        ...(then.length > 0 ? { then } : {}),
      });
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    } finally {
      answered();
    }
  }

  undo(): void {
    this.game.handling.undos++;
    this.game.passes.takenBack = true;
    this.game.passes.order = null;
    const pressed = this.presses.position;
    // Quick clicks take back one decision after the other, which can be seen: each means the table as it is by then.
    // A double click that began on another button means the table that is gone.
    const position = this.undoing === pressed ? this.game.table?.position : pressed;
    this.undoing = pressed;
    if (this.game.table?.undo.can)
      this.game.seat?.socket.send({ type: 'undo', position: position ?? this.game.table.position });
    else if (this.game.table?.undo.barrier)
      this.game.say(t.play.undo, t.play.barrier(this.game.table.undo.barrier), null);
  }

  /** Sends what needs no answer: to place units sensibly, a vote, to decline one. */
  send(type: 'auto' | 'decline' | Vote, what?: Exclude<Vote, 'draw'>): void {
    const { position } = this.presses;
    this.game.seat?.socket.send({ type, position, ...(what ? { what } : {}) });
  }

  /** Places the rest sensibly and declares the set-up complete; stops where something is still to be decided. */
  async placeAndBegin(): Promise<void> {
    const { seat, position } = this.game;
    if (!seat || !(await this.game.ask({ type: 'auto', position: this.presses.position }))) return;
    while (this.game.position === position) await this.game.nextTable();
    const done = this.game.table?.choices.find((choice) => choice.kind === 'done');
    if (
      this.game.seat !== seat ||
      this.game.table?.prompt?.step !== 'set-up' ||
      !done ||
      this.game.hasToPlace
    )
      return;
    await this.sendPlay(done.action, []);
  }
}
