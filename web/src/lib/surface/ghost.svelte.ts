/** A stand about to be moved: its ghost goes where the player leads it, and the server says what that costs. */
import type { Action, CostAnswer, Region, Unit } from '../protocol';
import { spotOf, textOf, type Spot } from './places';

type Ask = (action: Action) => Promise<CostAnswer | null>;

/** At most ten questions a second. */
const PAUSE_MS = 100;

export class Ghost {
  at = $state.raw<Spot>([0, 0]);
  facing = $state(0);
  /** What the move as it stands would cost; null until the server has said so. */
  price = $state.raw<CostAnswer | null>(null);
  readonly from: Spot;
  readonly faced: number;
  private timer = 0;
  private asked = 0;
  private closed = false;

  constructor(
    readonly unit: Unit,
    readonly region: Region,
    private readonly ask: Ask,
  ) {
    this.from = spotOf(unit.place ?? '') ?? [0, 0];
    this.faced = unit.facing ?? 0;
    this.at = this.from;
    this.facing = this.faced;
  }

  get moved(): boolean {
    return this.at[0] !== this.from[0] || this.at[1] !== this.from[1] || this.facing !== this.faced;
  }

  get place(): string {
    return textOf(this.at);
  }

  /** The move as it stands. */
  get action(): Action {
    return { ...this.region.action, to: this.at, facing: this.facing };
  }

  lead([x, y]: Spot): void {
    this.at = [Math.round(x), Math.round(y)];
    this.changed();
  }

  nudge(x: number, y: number): void {
    this.lead([this.at[0] + x, this.at[1] + y]);
  }

  turn(degrees: number): void {
    this.facing = (((this.facing + degrees) % 360) + 360) % 360;
    this.changed();
  }

  back(): void {
    this.at = this.from;
    this.facing = this.faced;
    this.changed();
  }

  /** What the move as it stands costs, said by the server now. */
  async settled(): Promise<CostAnswer | null> {
    const number = ++this.asked;
    const price = await this.ask(this.action);
    if (number === this.asked && !this.closed) this.price = price;
    return price;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private changed(): void {
    this.price = null;
    this.asked++;
    if (!this.moved || this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.moved) void this.settled();
    }, PAUSE_MS);
  }
}
