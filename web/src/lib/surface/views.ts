/** What of the map is brought into view, and when: at the start, when something is chosen, when the sheet rises. */
import type { Game } from '../game.svelte';
import type { Point } from '../geometry';
import type { Place, UnitId } from '../protocol';
import { fingers, low, sheeted } from '../screen';
import { around } from './camera';
import type { Camera } from './camera.svelte';
import type { Ground } from './ground';

/** A whole map smaller than this is no first view on a large glass. */
const LEGIBLE = 0.44;
/** A first view of all counters is no larger than this. */
const NAMED = 0.62;
/** A first view that is not larger than the whole map by this factor would only cut off its edge. */
const NEARER = 1.25;
/** A counter narrower than this (pixels) is hard to hit with a finger; a chosen one is drawn as wide as HIT. */
const LEAST_HIT = 30;
const HIT = 44;
/** What is smaller than this is not meant by a finger: it brings the map nearer. */
const SPECK = 18;

/** A telephone, upright or held sideways; a low window on a desk is none. */
const isSmall = () => sheeted.current || (low.current && fingers.current);

export class Views {
  /** The pixels at the foot of the map that lay under the sheet when it last moved. */
  private under = 0;

  constructor(
    private readonly game: Game,
    private readonly camera: Camera,
    private readonly ground: () => Ground | null,
  ) {}

  chosenUnits(): Set<UnitId> {
    const { clicks, desk } = this.game;
    return new Set([...clicks.units, ...desk.chosen]);
  }

  private at(place: Place | null | undefined): Point | null {
    return place ? (this.ground()?.at(place) ?? null) : null;
  }

  private points(places: readonly (Place | null | undefined)[]): Point[] {
    return places.map((place) => this.at(place)).filter((point) => point !== null);
  }

  /** The width of a counter, in pixels; null where units are drawn large from afar. */
  private get counterPx(): number | null {
    const ground = this.ground();
    return ground && !ground.swollen ? ground.counter * this.camera.zoom : null;
  }

  /** The first view: the whole map; on a large glass where it would be too small to read, what the player works with. */
  open(): void {
    this.camera.fit();
    if (isSmall() || this.camera.zoom >= LEGIBLE) return;
    if (this.game.view?.turn === 0) this.openZone();
    else this.openBattle();
  }

  /** The glass has another size, or the phone was turned: what the player is busy with stays in view. */
  resized(): void {
    const change = this.camera.resized();
    if (change === 'anew') this.open();
    else if (change === 'moved') this.show(this.aroused());
  }

  /** Set-up: where the own units are, or may come. */
  private openZone(): void {
    const { game } = this;
    // Of two sides at this screen the one that is asked takes over in a moment.
    const sides = game.seats.all.map((s) => s.side);
    const side = game.table?.asked.find((s) => sides.includes(s)) ?? game.side;
    const own = this.placesOf((owner) => owner === side);
    const points = this.points(own.length > 0 ? own : game.offer.choices.flatMap((c) => c.places));
    if (points.length > 0) this.camera.crowd(points, LEGIBLE);
  }

  /** The battle: both sides, with the ground just round them. */
  private openBattle(): void {
    const points = this.points(this.placesOf(() => true));
    const margin = 3 * (this.ground()?.counter ?? 0);
    const whole = this.camera.zoom;
    if (points.length > 0) this.camera.frame(around(points, margin), NAMED);
    if (this.camera.zoom < NEARER * whole) this.camera.fit();
  }

  private placesOf(owner: (side: string | null) => boolean): Place[] {
    return [...this.game.units.values()].flatMap((u) => (u.place !== null && owner(u.side) ? [u.place] : []));
  }

  /** The points that the player is busy with, in map units. */
  private aroused(): Point[] {
    const { game } = this;
    const building = game.view?.building;
    const units = [...this.chosenUnits(), ...(building?.targets ?? [])].map(
      (id) => game.units.get(id)?.place,
    );
    const asked = game.offer.reaction ? game.offer.choices.flatMap((c) => c.places) : [];
    return this.points([...units, game.reach.goal, ...asked]);
  }

  private show(points: readonly Point[]): void {
    const size = (this.ground()?.counter ?? 0) * this.camera.zoom;
    this.camera.show(points, size / 2 + 12);
  }

  /** The sheet of a phone has risen over the foot of the map, or has sunk. */
  covered(): void {
    const { camera } = this;
    const busy = this.aroused();
    if (camera.fitted && !camera.handled && (camera.foot < this.under || busy.length === 0)) this.open();
    else if (camera.foot > this.under) this.show(busy);
    this.under = camera.foot;
  }

  /** On a phone a chosen counter is large enough for the finger that chose it, and a chosen unit's zone in view. */
  chosen(): void {
    const [unit] = this.chosenUnits();
    if (unit === undefined || !isSmall()) return;
    const c = this.at(this.game.units.get(unit)?.place);
    if (!c) this.showZone();
    else if (this.grow(c)) this.show(this.aroused());
  }

  /** Draws counters as wide as a finger is; says whether they were smaller. */
  private grow(at: Point, least = LEAST_HIT): boolean {
    const px = this.counterPx;
    if (px === null || px >= least) return false;
    this.camera.closeIn(at, (HIT * this.camera.zoom) / px);
    return true;
  }

  /** The places to which a unit that waits may come. */
  private showZone(): void {
    const { camera, game } = this;
    const [px, points] = [this.counterPx, this.points([...game.clicks.glow.places])];
    if (px === null || points.length === 0) return;
    if (px >= LEAST_HIT && points.some((point) => camera.shows(point))) return;
    camera.frame(around(points, this.ground()!.counter), (HIT * camera.zoom) / px);
    camera.handled = true;
  }

  /** Something else is asked: on a phone the whole map comes back if no unit that can act is in view. */
  asked(): void {
    const { camera, game } = this;
    const busy = this.chosenUnits().size > 0 || (game.view?.building ?? null) !== null;
    if (!isSmall() || !camera.handled || busy) return;
    const able = this.points([...game.clicks.glow.units].map((id) => game.units.get(id)?.place));
    if (able.length > 0 && !able.some((point) => camera.shows(point))) this.open();
  }

  /** A finger comes down on specks: the map comes nearer first. Says whether it did. */
  nearer(at: Point): boolean {
    return this.grow(at, SPECK);
  }
}
