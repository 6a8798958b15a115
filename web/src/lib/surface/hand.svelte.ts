/** What pointer, wheel and touch do to the map and to what lies on it. */
import type { Game } from '../game.svelte';
import type { Point } from '../geometry';
import type { Place, UnitId } from '../protocol';
import type { Camera } from './camera.svelte';
import type { Ground, Manner } from './ground';

type Part = 'hull' | 'turret';

/** What the hand needs to know of the surface. */
interface Surface {
  ground: () => Ground | null;
  /** The units whose counters lie within a ring. */
  within: (ring: readonly Point[]) => UnitId[];
  /** Brings the map so near that a finger can hit what it means; says whether it was too far away. */
  nearer: (at: Point) => boolean;
}

/** A drag that is shorter than this is a click, in pixels. */
const STILL = 6;

export class Hand {
  /** The ring that is being drawn round units that are to get orders, or are to move together, in map units. */
  lasso = $state.raw<Point[]>([]);
  /** A stand is being carried. */
  holding = $state(false);

  private node: HTMLElement | null = null;
  private readonly pointers = new Map<number, Point>();
  private dragged = false;
  private start: Point = { x: 0, y: 0 };
  private pinch = 0;
  private slant = 0;
  /** From the pointer to the middle of what it holds. */
  private offset: Point = { x: 0, y: 0 };
  /** What the pointer came down on, and whether it is being dragged. */
  private gripped: UnitId | null = null;
  /** What of the chosen unit the pointer turns. */
  private turning: Part | null = null;
  /** The place that the pointer came down on. */
  private pressed: Place | null = null;
  /** The part of the chosen unit whose arrow the pointer came down on. */
  private arrow: Part | null = null;
  private lastPointer = 'mouse';
  /** The stack that lay in the tray when the finger came down: the touch itself lays one there, by its focus. */
  private openBefore: Place | null = null;

  constructor(
    private readonly game: Game,
    private readonly camera: Camera,
    private readonly surface: Surface,
  ) {}

  /** A finger is on the map, or the button of a mouse is down. */
  get presses(): boolean {
    return this.pointers.size > 0;
  }

  private get ground(): Ground | null {
    return this.surface.ground();
  }

  /** An action of the glass over the map. */
  readonly listen = (node: HTMLElement): void => {
    this.node = node;
    node.addEventListener('wheel', this.wheel, { passive: false });
    node.addEventListener('pointerdown', this.down);
    node.addEventListener('pointermove', this.move);
    node.addEventListener('pointerup', this.up);
    node.addEventListener('pointercancel', this.up);
    node.addEventListener('pointerleave', this.leave);
    node.addEventListener('click', this.click);
  };

  private local(event: MouseEvent): Point {
    const box = this.node!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private manner(event: MouseEvent): Manner {
    return { touch: this.lastPointer === 'touch', bend: event.shiftKey };
  }

  /** The place that the pointer is on. */
  private pointed(event: MouseEvent): Place | undefined {
    return (event.target as Element).closest<SVGElement>('[data-place]')?.dataset.place;
  }

  /** The way from a finger on a handle to the middle of what it moves, in page pixels. */
  private offHandle(handle: Element, at: Point): Point {
    const stand = handle.parentElement!.querySelector('[data-middle]')!.getBoundingClientRect();
    const box = this.node!.getBoundingClientRect();
    return {
      x: stand.x + stand.width / 2 - box.left - at.x,
      y: stand.y + stand.height / 2 - box.top - at.y,
    };
  }

  /** The direction from one finger to the other, in degrees. */
  private slantOf(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI : 0;
  }

  private spreadOf(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  /** What a drag turns: the part whose arrow it began on, or on the unit itself the hull, with Shift the turret. */
  private turned({ shiftKey }: PointerEvent): Part | null {
    const { rose } = this.game.facing;
    const { gathering, joint } = this.game.formation;
    if (!rose || this.arrow) return rose && this.arrow;
    if (this.pressed !== rose.place || gathering) return null;
    if (rose.turret.size > 0 && (shiftKey || rose.hull.size === 0)) return 'turret';
    return shiftKey && joint !== null ? null : 'hull';
  }

  private readonly down = (event: PointerEvent): void => {
    this.lastPointer = event.pointerType;
    this.openBefore = this.game.tray.place;
    if (event.button !== 0 && event.button !== 1) return;
    const at = this.local(event);
    const target = event.target as Element;
    this.gripped = target.closest<HTMLElement>('[data-unit]')?.dataset.unit ?? null;
    this.pressed = this.pointed(event) ?? this.game.units.get(this.gripped ?? '')?.place ?? null;
    this.arrow = (target.closest<SVGElement>('[data-part]')?.dataset.part ?? null) as Part | null;
    const handle = target.closest<SVGElement>('[data-handle]');
    if (handle) this.gripped = handle.dataset.handle ?? null;
    this.offset = handle ? this.offHandle(handle, at) : { x: 0, y: 0 };
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 1) {
      this.dragged = false;
      this.start = at;
    } else if (this.pointers.size === 2) {
      this.pinch = this.spreadOf();
      this.slant = this.slantOf();
      this.dragged = true;
    }
  };

  private readonly move = (event: PointerEvent): void => {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hover(event);
      return;
    }
    const at = this.local(event);
    if (!this.dragged && Math.hypot(at.x - this.start.x, at.y - this.start.y) > STILL) {
      this.beginDrag(event);
      // The map jumps by what was dragged before it was known to be a drag.
      before.x = this.start.x;
      before.y = this.start.y;
    }
    if (!this.dragged) return;
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 1 && this.drag(at)) return;
    if (this.holding) this.carry(at);
    else if (this.pointers.size === 2) this.twoFingers(at, before);
    else {
      this.game.film.follows = false;
      this.camera.pan(at.x - before.x, at.y - before.y);
    }
  };

  private beginDrag(event: PointerEvent): void {
    const { game, ground } = this;
    this.dragged = true;
    this.node?.setPointerCapture(event.pointerId);
    const free = this.gripped === null || !ground?.grip;
    const roping = free && game.formation.joint !== null && (event.shiftKey || game.formation.gathering);
    this.turning = this.pointers.size === 1 ? this.turned(event) : null;
    if (this.turning) this.lasso = [];
    else if (roping) this.lasso = [this.camera.onMap(this.start)];
    else this.holding = (this.gripped !== null && ground?.grip?.take(game, this.gripped)) ?? false;
  }

  /** One finger draws a ring, or turns a unit; says whether it did. */
  private drag(at: Point): boolean {
    const { game, lasso, turning } = this;
    if (lasso.length > 0) this.lasso = [...lasso, this.camera.onMap(at)];
    else if (turning) {
      const [c, to] = [game.facing.rose && this.ground?.at(game.facing.rose.place), this.camera.onMap(at)];
      if (c) game.facing.lead(turning, (Math.atan2(to.x - c.x, c.y - to.y) * 180) / Math.PI);
    } else return false;
    return true;
  }

  private carry({ x, y }: Point): void {
    this.ground?.grip?.lead(this.game, this.camera.onMap({ x: x + this.offset.x, y: y + this.offset.y }));
  }

  private twoFingers(at: Point, before: Point): void {
    const { camera, game, ground } = this;
    if (ground?.grip && game.stand.ghost?.moved) {
      const turned = this.slantOf();
      const by = ((turned - this.slant + 540) % 360) - 180;
      if (Math.abs(by) >= 5 && ground.grip.twist(game, by)) this.slant = turned;
      return;
    }
    const now = this.spreadOf();
    const [a, b] = [...this.pointers.values()] as [Point, Point];
    camera.x += (at.x - before.x) / 2;
    camera.y += (at.y - before.y) / 2;
    if (this.pinch > 0) this.zoom((a.x + b.x) / 2, (a.y + b.y) / 2, now / this.pinch);
    this.pinch = now;
  }

  private zoom(x: number, y: number, factor: number): void {
    this.game.handling.zooms++;
    this.camera.zoomAt(x, y, factor);
  }

  /** The units within the ring are chosen, besides those that were. */
  private closeLasso(): void {
    const drawn = this.lasso.length > 2;
    const ringed = drawn ? this.surface.within(this.lasso) : [];
    this.lasso = [];
    if (drawn) this.game.formation.gather(ringed);
  }

  private readonly up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    if (this.lasso.length > 0) this.closeLasso();
    this.pinch = 0;
    if (this.turning && event.type === 'pointerup') this.game.facing.turn();
    this.turning = null;
    if (this.holding) this.ground?.grip?.drop(this.game, this.manner(event));
    this.holding = false;
  };

  private hover(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const { game, ground } = this;
    const unit = (event.target as Element).closest<HTMLElement>('[data-unit]');
    const on = this.camera.onMap(this.local(event));
    const place = this.pointed(event) ?? unit?.dataset.at ?? ground?.pointed?.(on) ?? null;
    if (place !== game.hoverPlace) {
      game.hoverPlace = place;
      game.tray.point(place);
    }
    ground?.grip?.hover(game, on);
  }

  private readonly leave = (): void => {
    this.game.hoverPlace = null;
    this.game.tray.point(null);
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (this.holding && this.ground?.grip?.turn(this.game, event.deltaY > 0 ? 1 : -1)) return;
    const at = this.local(event);
    const step = event.deltaMode === 1 ? event.deltaY * 18 : event.deltaY;
    this.zoom(at.x, at.y, Math.exp(-Math.max(-240, Math.min(240, step)) * 0.0016));
  };

  private readonly click = (event: MouseEvent): void => {
    if (this.dragged && event.detail > 0) {
      this.dragged = false;
      return;
    }
    const { game, ground } = this;
    const target = event.target as Element;
    if (target.closest('.palette, .way')) return;
    const on = this.camera.onMap(this.local(event));
    const touched = this.lastPointer === 'touch' && event.detail > 0;
    if (touched && this.surface.nearer(on)) return;
    const unit = target.closest<HTMLElement>('[data-unit]')?.dataset.unit;
    if (unit && !game.stand.laysOn(unit)) {
      this.clickUnit(unit, event.shiftKey, touched);
      return;
    }
    if (ground?.grip?.click(game, on, this.manner(event))) return;
    const meant = this.pointed(event) ?? ground?.pointed?.(on);
    if (meant) {
      game.cursor = null;
      game.clicks.place(meant);
    }
  };

  private clickUnit(unit: UnitId, shift: boolean, touched: boolean): void {
    const { game } = this;
    if (shift && game.formation.joint !== null && game.formation.joint !== 'orders') {
      game.formation.toggleWithChosen(unit);
      return;
    }
    const at = game.units.get(unit)?.place;
    const isCrowded = at && !this.ground?.share && (game.stacks.get(at)?.length ?? 0) > 1;
    if (at) game.tray.show(at);
    // A first touch lays a stack in the tray, so that the finger can find the unit that is meant.
    if (isCrowded && touched && this.openBefore !== at) {
      game.inspected = unit;
      return;
    }
    game.clicks.unit(unit, shift);
  }
}
