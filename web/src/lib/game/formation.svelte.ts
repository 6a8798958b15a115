/** Units that act together: which of them can, and where each goes with the one that is led. */
import type { Game } from '../game.svelte';
import type { Choice, CostAnswer, Place, ReachAnswer, ReachPlace, TogetherAnswer, UnitId } from '../protocol';
import { followers, leadsOver, legsOf } from '../surface/formation';
import { nearestOnMap, wishes, type Manner } from '../surface/hexes/column';

export class Formation {
  members = $state.raw<readonly UnitId[]>([]);
  /** What each of the others would pay, by its unit. */
  prices = $state.raw<ReadonlyMap<UnitId, CostAnswer>>(new Map());
  private round = 0;
  /** Where each of a group on hexes can go. */
  private reaches = $state.raw<ReadonlyMap<UnitId, readonly ReachPlace[]>>(new Map());
  /** A drag over the ground draws a lasso. */
  gathering = $state(false);
  /** How a group on hexes goes. */
  manner = $state<Manner>('keep');
  /** The direction that a group on hexes faces at its end, 0 north and clockwise; null for each as it came. */
  front = $state<number | null>(null);

  constructor(private readonly game: Game) {}

  has(unit: UnitId): boolean {
    return this.members.includes(unit);
  }

  toggle(unit: UnitId): void {
    this.members = this.has(unit) ? this.members.filter((id) => id !== unit) : [...this.members, unit];
    void this.explore();
  }

  /** Units that have gone their way together are in the group no more. */
  leave(units: readonly UnitId[]): void {
    this.members = this.members.filter((id) => !units.includes(id));
  }

  clear(): void {
    this.members = [];
    this.forget();
  }

  /** The stand that is led has gone on: what was known of the others holds no more. */
  forget(): void {
    this.round++;
    if (this.prices.size > 0) this.prices = new Map();
    if (this.reaches.size > 0) this.reaches = new Map();
  }

  /** Where the others of the group go with the stand that is led. */
  following = $derived.by(() => {
    const { ghost } = this.game.stand;
    if (!ghost?.moved || ghost.region.kind !== 'move' || !this.has(ghost.unit.id)) return [];
    return followers(
      this.members.flatMap((id) => this.game.units.get(id) ?? []),
      ghost,
    );
  });

  /** Those of the group in whose way others of it still stand: what bars them now will have gone. */
  yielding = $derived.by(() => {
    const { ghost } = this.game.stand;
    const { following } = this;
    if (!ghost || following.length === 0) return new Set<UnitId>();
    const ways = [{ unit: ghost.unit, way: ghost.way }, ...following];
    const width = this.game.ground?.standWidth ?? 0;
    const barred = ways.filter(({ unit, way }) =>
      ways.some((other) => other.unit.id !== unit.id && leadsOver(way, other.way[0]!, width)),
    );
    return new Set(barred.map(({ unit }) => unit.id));
  });

  /**
   * What several units can do at once: get orders, be designated, go a way that the rules know, or move; null where each
   * acts for itself.
   */
  joint = $derived.by((): 'orders' | 'roles' | 'ways' | 'moves' | null => {
    if (!this.game.asked) return null;
    if (this.game.desk.sheet) return 'orders';
    if (this.game.view?.designation) return 'roles';
    if (this.game.view?.together?.length) return 'ways';
    return this.game.ground?.grip || this.game.table?.prompt?.together ? 'moves' : null;
  });

  /** All units that can. */
  joinable = $derived.by(() => this.together([...this.game.units.keys()]));

  /** Whether those of the group have a front to turn. */
  fronted = $derived.by(
    () =>
      !!this.game.ground?.lattice && this.members.some((id) => this.game.units.get(id)?.facing !== undefined),
  );

  /** Those of the units that can get an order, be designated or move together; nobody is taken off another's back. */
  together(ids: readonly UnitId[]): UnitId[] {
    const { joint } = this;
    const { view } = this.game;
    if (joint === 'orders') return ids.filter((id) => this.game.desk.has(id));
    if (joint === 'ways') return ids.filter((id) => view?.together?.includes(id));
    const { designation, activation } = view ?? {};
    if (joint === 'roles')
      return ids.filter((id) => designation?.units.includes(id) && !designation.roles[id]);
    if (joint === null) return [];
    const mayMove = (id: UnitId) => !activation || activation.roles[id] === 'move';
    return ids.filter(
      (id) => this.game.offer.actors.includes(id) && mayMove(id) && this.game.units.get(id)?.carrier === null,
    );
  }

  /** What these units can do at one word; null if the server does not say. */
  waysOf(units: readonly UnitId[]): Promise<TogetherAnswer | null> {
    return this.game.ask<TogetherAnswer>({ type: 'together', units });
  }

  /** Takes a stand into the group, or out of it; the stand that is chosen is of the group, too. */
  toggleWithChosen(unit: UnitId): void {
    const chosen = this.game.clicks.made.flatMap((token) => ('unit' in token ? [token.unit] : []))[0];
    this.game.inspected = unit;
    if (this.joint !== 'moves') {
      if (this.together([unit]).length > 0) this.toggle(unit);
      return;
    }
    if (
      this.members.length === 0 &&
      chosen !== undefined &&
      chosen !== unit &&
      this.game.offer.actors.includes(chosen)
    )
      this.toggle(chosen);
    if (!this.game.offer.actors.includes(unit)) return void this.game.clicks.unit(unit);
    this.toggle(unit);
    const [lead] = this.members;
    if (lead !== undefined && (chosen === undefined || !this.has(chosen))) void this.game.stand.pickUp(lead);
  }

  /** Of the stands within a lasso those that can act become the group; nobody is taken off another's back. */
  gather(ringed: readonly UnitId[]): void {
    const found = this.together(ringed);
    this.gathering = false;
    if (this.joint === 'orders') return this.game.desk.choose([...this.game.desk.chosen, ...found]);
    this.members = found;
    void this.explore();
    const places = new Set(found.map((id) => this.game.units.get(id)?.place));
    this.manner = places.size === 1 ? 'join' : 'keep';
    if (this.joint === 'moves' && found[0] !== undefined) void this.game.stand.pickUp(found[0]);
    else this.game.clicks.made = [];
  }

  /** Asks what each of the others would pay, now that it is known of the one that is led, until that goes on. */
  async survey(): Promise<void> {
    const { ghost, askCost } = this.game.stand;
    if (!ghost) return;
    this.forget();
    const { round } = this;
    for (const follower of this.following) {
      const price = await askCost(() => legsOf(follower, ghost));
      if (round !== this.round) return;
      if (price) this.prices = new Map([...this.prices, [follower.unit.id, price]]);
    }
  }

  /** Those of the group that are still to move stay in it. */
  keep(): void {
    this.forget();
    if (this.members.length === 0) return;
    this.members = this.members.filter((id) => {
      const unit = this.game.units.get(id);
      return unit?.place && !unit.moved;
    });
    if (this.joint === 'roles' || this.joint === 'ways') this.members = this.together(this.members);
    const idle = this.game.asked && this.game.march.underWay === 0;
    if (idle && !this.members.some((id) => this.game.offer.actors.includes(id))) this.clear();
    void this.explore();
  }

  /** Asks where those of a group on hexes can go: no way is shown that one of them cannot take. */
  private async explore(): Promise<void> {
    const { round } = this;
    if (!this.game.ground?.lattice || this.joint !== 'moves' || this.game.march.underWay > 0) return;
    for (const unit of this.members.length > 1 ? this.members : []) {
      if (this.reaches.has(unit)) continue;
      const answer = await this.game.ask<ReachAnswer>({ type: 'reach', unit });
      if (round !== this.round) return;
      if (answer) this.reaches = new Map([...this.reaches, [unit, answer.places]]);
    }
  }

  /** Where each of a group on hexes would go, were the chosen unit to go along the way that is shown. */
  wished = $derived.by((): Map<UnitId, Place> => {
    const { route } = this.game.reach;
    const { ground } = this.game;
    const lead = this.game.reach.unit;
    if (!route || lead === null || !this.has(lead) || !ground?.lattice) return new Map();
    const units = this.members.flatMap((id) => {
      const place = this.game.units.get(id)?.place;
      return place ? [{ id, place }] : [];
    });
    const wished = wishes(ground.lattice, units, { id: lead, path: route.path }, this.manner);
    return new Map([...wished].map(([id, wish]) => [id, this.nearest(id, wish)]));
  });

  /** The place nearest to a wish that a unit can go to, or where it stands. */
  private nearest(id: UnitId, wish: Place): Place {
    const [reach, place] = [this.reaches.get(id), this.game.units.get(id)?.place];
    const lattice = this.game.ground?.lattice;
    if (!reach || !place || !lattice) return wish;
    return nearestOnMap(lattice, place, wish, reach)?.place ?? place;
  }

  /** The choices to designate those of the group that can take a role and do something in it: no gun is told to move. */
  designations(role: string): Choice[] {
    const idle = this.game.view?.designation?.idle ?? {};
    return this.game.offer.choices.filter(
      ({ action, kind, units: [unit] }) =>
        kind === 'designate' &&
        action.role === role &&
        unit !== undefined &&
        this.has(unit) &&
        !(role === 'move' && this.game.units.get(unit)?.work) &&
        !idle[unit]?.includes(role),
    );
  }

  /** Designates those of the group that can take a role. */
  designate(role: string): void {
    const [first, ...then] = this.designations(role).map(({ action }) => action);
    if (first) this.game.decisions.playAction(first, then);
  }
}
