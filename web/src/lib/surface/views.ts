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
/** To show targets together with their attackers, the map is made no smaller than for counters of this width. */
const LEAST_TARGET = 24;

/** A telephone, upright or held sideways; a low window on a desk is none. */
const isSmall = () => sheeted.current || (low.current && fingers.current);

export class Views {
  /** The pixels at the foot of the map that lay under the sheet when it last moved. */
  private under = 0;
  /** The attackers and targets that were last brought into view: a player who looks elsewhere is left there. */
  private aimed = '';

  constructor(
    private readonly game: Game,
    private readonly camera: Camera,
    private readonly ground: () => Ground | null,
    /** Whether a finger is on the map, or a button of the mouse down. */
    private readonly held: () => boolean,
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
    const units = this.placesOfUnits([...this.chosenUnits(), ...(building?.targets ?? [])]);
    const asked = game.offer.reaction ? game.offer.choices.flatMap((c) => c.places) : [];
    // A tray rises with the sheet, over the very stack that it shows.
    const laid = isSmall() ? game.tray.place : null;
    return this.points([...units, game.reach.goal, laid, ...asked, ...this.targets()]);
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
    else if (camera.foot > this.under) this.uncover(busy);
    else if (camera.foot < this.under && !this.held()) camera.lower();
    this.under = camera.foot;
  }

  /** What the player is busy with comes out from under the sheet, and with it as much of the map as there is room for. */
  private uncover(busy: readonly Point[]): void {
    this.show(busy);
    if (!this.camera.handled && !this.held()) this.camera.lift();
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

  /** Where enemies are lit, or their place is, for the unit that attacks. */
  private targets(): Place[] {
    const { game } = this;
    if (!isSmall() || this.attackers().length === 0) return [];
    const { units, places } = game.clicks.glow;
    const foes = [...game.units.values()].filter(
      ({ id, side, place }) => side !== game.side && place !== null && (units.has(id) || places.has(place)),
    );
    return [...new Set(foes.flatMap(({ place }) => place ?? []))];
  }

  /** The chosen units, or those of the attack that is being built, or the only unit that can act. */
  private attackers(): UnitId[] {
    const { offer, view } = this.game;
    const busy = new Set([...this.chosenUnits(), ...(view?.building?.units ?? [])]);
    return busy.size > 0 ? [...busy] : offer.actors.length === 1 ? [...offer.actors] : [];
  }

  private placesOfUnits(units: readonly UnitId[]): (Place | null | undefined)[] {
    return units.map((id) => this.game.units.get(id)?.place);
  }

  /** Something else is asked: on a phone the targets come into view, or the whole map if no unit that can act is. */
  asked(): void {
    if (!isSmall() || this.held()) return;
    const targets = this.targets();
    const aimed = [...this.attackers(), '', ...targets].join(' ');
    const isNew = aimed !== this.aimed;
    this.aimed = aimed;
    if (targets.length > 0) {
      if (isNew) this.bringIn(this.attackers(), targets);
    } else this.bringBack();
  }

  /** The whole map comes back if the player is busy with nothing and no unit that can act is in view. */
  private bringBack(): void {
    const { camera, game } = this;
    const busy = this.chosenUnits().size > 0 || (game.view?.building ?? null) !== null;
    if (!camera.handled || busy) return;
    const able = this.points(this.placesOfUnits([...game.clicks.glow.units]));
    if (able.length > 0 && !able.some((point) => camera.shows(point))) this.open();
  }

  /** Attackers and targets come into view together; where the glass is too small for all, the nearest targets do. */
  private bringIn(attackers: readonly UnitId[], targets: readonly Place[]): void {
    const { camera } = this;
    const own = this.points(this.placesOfUnits(attackers));
    const foes = this.points(targets);
    const counter = this.ground()?.counter ?? 0;
    const px = counter * camera.zoom;
    if ([...own, ...foes].every((point) => camera.shows(point, px / 2))) return;
    const least = this.counterPx === null ? 0 : Math.min(camera.zoom, LEAST_TARGET / counter);
    const fits = (points: readonly Point[]) => camera.zoomToShow(around(points, counter)) >= least;
    const shown = nearestFirst(foes, own[0] ?? foes[0]!).reduce(
      (kept, foe) => (fits([...kept, foe]) ? [...kept, foe] : kept),
      own,
    );
    camera.keep(around(shown, counter));
  }

  /** A finger comes down on specks: the map comes nearer first. Says whether it did. */
  nearer(at: Point): boolean {
    return this.grow(at, SPECK);
  }
}

function nearestFirst(points: readonly Point[], to: Point): Point[] {
  const apart = (point: Point) => Math.hypot(point.x - to.x, point.y - to.y);
  return points.toSorted((a, b) => apart(a) - apart(b));
}
