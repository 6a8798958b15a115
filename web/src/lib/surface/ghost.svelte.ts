/** A stand about to be moved: its ghost goes where the player leads it, and the server says what that costs. */
import type { Action, CostAnswer, Region, Unit } from '../protocol';
import { bearing, spotOf, textOf, type Spot } from './places';
import type { Lattice } from './table/lattice';

/** A move: its first leg, then the others. */
export type Legs = [Action, ...Action[]];

/** Asks what a move costs. It may have to wait for its turn: the move is read when that has come. */
export type AskCost = (legs: () => Legs) => Promise<CostAnswer | null>;

/** In place of the stand where a template is no unit's. */
export const NO_STAND: Unit = {
  id: '',
  side: '',
  nation: '',
  name: '',
  type: '',
  place: null,
  order: 0,
  attack: 0,
  weapon: '',
  range: 0,
  doubles: false,
  defence: 0,
  movement: 0,
  size: '',
  points: 0,
  vehicle: false,
  armoured: false,
  dispersed: '',
  spotted: '',
  moved: false,
  fired: false,
  carrier: null,
  cargo: [],
  below: '',
  status: '',
  badges: [],
};

const same = (a: Spot, b: Spot) => a[0] === b[0] && a[1] === b[1];

export class Ghost {
  at = $state.raw<Spot>([0, 0]);
  facing = $state(0);
  /** What the move as it stands would cost; null until the server has said so. */
  price = $state.raw<CostAnswer | null>(null);
  /** Where the way bends, by the player's will. */
  corners = $state.raw<readonly Spot[]>([]);
  /** Where it bends because the straight way is barred. */
  detour = $state.raw<readonly Spot[]>([]);
  /** The reach and its costs, once the server has sent them. */
  lattice = $state.raw<Lattice | null>(null);
  /** What the magnet holds it by. */
  heldBy = $state<string | null>(null);
  left = $state(0);
  unitOfCost = $state<string | null>(null);
  /** It goes where the pointer goes, until it has been led somewhere else. */
  following = $state(true);
  readonly from: Spot;
  readonly faced: number;
  /** The stand is not on the table yet. */
  readonly placing: boolean;
  /** It is turned, or turns a template, and goes nowhere. */
  readonly fixed: boolean;
  /** What lies at the pointer instead of a stand: the size of a template. */
  readonly template: Spot | null;
  private led = $state(false);
  /** It has gone on since the server was last asked. */
  private stale = false;
  private pursuing = false;
  private asked = 0;
  private closed = false;

  constructor(
    readonly unit: Unit,
    readonly region: Region,
    private readonly ask: AskCost,
  ) {
    const stands = spotOf(unit.place ?? '');
    const { action, open, box } = region;
    this.template = region.template ?? null;
    this.fixed = !open.includes('to');
    this.placing = stands === null || this.template !== null;
    this.from = this.fixed ? [box[0], box[1]] : this.placing ? (action.to as Spot) : stands!;
    this.faced = this.placing || this.fixed ? Number(action.facing ?? 0) : (unit.facing ?? 0);
    if (this.fixed && !this.template) this.faced = unit.facing ?? 0;
    this.following = !this.fixed;
    this.at = this.from;
    this.facing = this.faced;
  }

  get moved(): boolean {
    if (this.template && this.fixed) return true;
    if (this.placing) return this.led;
    return this.corners.length > 0 || !same(this.at, this.from) || this.facing !== this.faced;
  }

  get place(): string {
    return textOf(this.at);
  }

  /** Every point of the way, from where the stand is to where it is led. */
  get way(): Spot[] {
    const bends = this.corners.length > 0 ? this.corners : this.detour;
    const way = [this.from, ...bends, this.at];
    return way.filter((spot, i) => i === 0 || i === way.length - 1 || !same(spot, way[i - 1]!));
  }

  /** The length of the way in 1/1000 inch. */
  get length(): number {
    const { way } = this;
    return way.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - way[i]![0], y - way[i]![1]), 0);
  }

  /** What it costs as far as is known before the server has said it. */
  get guess(): number | null {
    return this.corners.length === 0 && !this.placing ? (this.lattice?.costAt(this.at) ?? null) : null;
  }

  /** The move as it stands. */
  get legs(): Legs {
    const goals = this.placing || this.fixed ? [this.at] : this.way.slice(1);
    const legs = goals.map((to, i) => this.leg(to, i === goals.length - 1 ? this.facing : this.faced));
    return legs as Legs;
  }

  /** The action of the region with its open fields filled in. */
  private leg(to: Spot, facing: number): Action {
    const { action, open } = this.region;
    return {
      ...action,
      ...(open.includes('to') ? { to } : {}),
      ...(open.includes('facing') ? { facing } : {}),
    };
  }

  /** To a point; what stays where it is turns towards it. */
  lead([x, y]: Spot): void {
    if (this.fixed) {
      this.facing = bearing(this.at, [x, y]);
      this.changed();
      return;
    }
    this.at = [Math.round(x), Math.round(y)];
    this.led = true;
    this.changed();
  }

  nudge(x: number, y: number): void {
    if (this.fixed) return;
    this.following = false;
    this.lead([this.at[0] + x, this.at[1] + y]);
  }

  turn(degrees: number): void {
    this.facing = (((this.facing + degrees) % 360) + 360) % 360;
    this.changed();
  }

  /** The way bends here: whatever comes next is led on from this point. */
  bend(): void {
    if (this.placing || this.fixed || same(this.at, this.corners.at(-1) ?? this.from)) return;
    this.corners = [...this.corners, this.at];
    this.following = true;
    this.changed();
  }

  /** Takes back the last corner, or else the whole move. */
  back(): void {
    const last = this.corners.at(-1);
    this.corners = this.corners.slice(0, -1);
    this.at = last ?? this.from;
    if (last === undefined) {
      this.facing = this.faced;
      this.led = false;
    }
    this.following = !this.fixed;
    this.changed();
  }

  /** What the move as it stands costs, said by the server now; round what bars it, where a way is known. */
  async settled(): Promise<CostAnswer | null> {
    let number = ++this.asked;
    const price = await this.ask(() => {
      number = this.asked;
      this.stale = false;
      return this.legs;
    });
    if (number !== this.asked || this.closed) return price;
    const round = price?.text ? this.wayRound() : null;
    if (round) {
      this.detour = round;
      const longer = await this.ask(() => this.legs);
      if (number !== this.asked || this.closed) return longer;
      if (longer && !longer.text) return (this.price = longer);
      this.detour = [];
    }
    return (this.price = price);
  }

  private wayRound(): Spot[] | null {
    if (this.corners.length > 0 || this.detour.length > 0) return null;
    const way = this.lattice?.wayTo(this.at);
    return way && way.length > 0 ? way : null;
  }

  close(): void {
    this.closed = true;
  }

  private changed(): void {
    this.price = null;
    this.detour = [];
    this.asked++;
    this.stale = true;
    void this.pursue();
  }

  /** Asks for the place that it was last led to, and again as long as it goes on; one question waits at a time. */
  private async pursue(): Promise<void> {
    if (this.pursuing) return;
    this.pursuing = true;
    while (this.stale && this.moved && !this.closed) await this.settled();
    this.pursuing = false;
  }
}
