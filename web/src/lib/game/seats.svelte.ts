/** The seats of this browser: which of them is at the screen, and the cover between them. */
import type { Game } from '../game.svelte';
import { t } from '../i18n';
import { Seat } from '../seat.svelte';
import { keptGame, updateGame, type KeptGame } from '../storage';

export class Seats {
  all = $state.raw<Seat[]>([]);
  /** Which of them is at the screen, by its number. */
  active = $state(0);
  /** The name of the seat for whose player the table is covered; null while it is not. */
  handOver = $state<string | null>(null);
  /** Whose turn it is at the screen, shown for a moment. */
  banner = $state<string | null>(null);
  /** What this browser keeps of the game. */
  readonly kept: KeptGame | null;
  private bannerTimer = 0;

  constructor(private readonly game: Game) {
    this.kept = keptGame(game.id);
    const tokens = Object.entries(this.kept?.seats ?? {});
    this.all =
      tokens.length > 0 ? tokens.map(([name, token]) => this.seat(name, token)) : [this.seat(null, null)];
  }

  private seat(name: string | null, token: string | null): Seat {
    const { game } = this;
    return new Seat(
      game.id,
      name,
      token,
      (seat, before) => game.changed(seat, before),
      (text, rule) => game.say(t.play.whyNot, text, rule),
      (text) => (game.failed = text),
    );
  }

  /** A seat in words: its own name where it has one, and its side. */
  nameOf(seat: string | null): string {
    if (seat === null) return t.play.spectator;
    const side = this.all.find((one) => one.name === seat)?.side ?? seat;
    return side === seat ? this.game.sideName(side) : `${seat} (${this.game.sideName(side)})`;
  }

  /** Turns to the seat of this browser that has something to decide. */
  followDecision(): void {
    if (this.game.seat?.decides) return;
    const next = this.all.findIndex((s) => s.decides);
    if (next < 0 || next === this.active) return;
    const { name } = this.all[next]!;
    if (!this.kept?.cover) this.turnTo(next);
    else if (this.handOver !== name) this.cover(name);
  }

  /** Covers the table until the player of that seat is there; what the last one knew leaves the page. */
  private cover(name: string | null): void {
    this.handOver = name;
    this.all.forEach((seat) => seat.veil());
    this.game.forgetSeat();
    this.banner = null;
    updateGame(this.game.id, { at: null });
  }

  /** A page that is opened shows the seat that it showed before, and none that may belong to somebody else. */
  open(): void {
    const { kept } = this;
    if (!kept?.cover || this.all.length < 2) return;
    if (kept.at === null) return this.cover(this.all[0]!.name);
    this.active = Math.max(
      0,
      this.all.findIndex((seat) => seat.name === kept.at),
    );
    this.all.forEach((seat, index) => index !== this.active && seat.veil());
  }

  turnTo(index: number): void {
    this.game.film.clear();
    this.active = index;
    this.handOver = null;
    if (this.kept?.cover) updateGame(this.game.id, { at: this.all[index]!.name });
    this.all[index]!.unveil();
    this.game.past.leave();
    this.game.fresh();
    this.banner = t.play.now(this.nameOf(this.game.seat?.name ?? null));
    clearTimeout(this.bannerTimer);
    this.bannerTimer = window.setTimeout(() => (this.banner = null), 2600);
  }

  takeOver(): void {
    const index = this.all.findIndex((s) => s.name === this.handOver);
    if (index >= 0) this.turnTo(index);
  }

  /** The key to this seat's part of the record. */
  get token(): string | null {
    return this.kept?.seats[this.game.seat?.name ?? ''] ?? null;
  }
}
