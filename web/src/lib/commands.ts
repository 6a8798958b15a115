/** What the keys of the table do. */
import type { Game } from './game.svelte';
import { meant } from './keys';
import type { Place, UnitId } from './protocol';
import { settings } from './settings.svelte';
import { isWaiting, toWaiting, zoneOf } from './setup';
import type { Arrow } from './surface/ground';
import { Twice } from './twice';

/** The map as the keys move it. */
export interface Moved {
  zoomBy(factor: number): void;
  fit(): void;
  scrollBy(dx: number, dy: number): void;
  centreOn(place: Place, always?: boolean): void;
  focusUnit(id: UnitId): void;
}

/** What the keys change of the page itself. */
interface Page {
  map: () => Moved | undefined;
  /** Shows the counters, or the map without them. */
  toggleUnits: () => void;
  showKeys: () => void;
}

const TURNS = 9;
/** How far a press of an arrow scrolls, in pixels. */
const BY = 80;

/** A press of an arrow, as a way to the right and down. */
function way(arrow: string, by: number): [number, number] {
  const ways: Record<string, [number, number]> = {
    ArrowLeft: [-by, 0],
    ArrowRight: [by, 0],
    ArrowUp: [0, -by],
    ArrowDown: [0, by],
  };
  return ways[arrow] ?? [0, 0];
}

/** The question may have the focus where there is nothing else: keys mean the map then. */
function inPanel(target: HTMLElement): boolean {
  return target.closest('.panel') !== null && !target.matches('.prompt');
}

/** Brings the focus to a choice in the list: pressing it is another key. */
function toChoice(number: number): void {
  document.querySelectorAll<HTMLElement>('.panel button[data-choice]')[number - 1]?.focus();
}

export function toDecision(): void {
  document.querySelector<HTMLElement>('[data-testid="prompt"]')?.focus();
}

export class Commands {
  private readonly ending = new Twice(2500);
  private readonly letters: Record<string, () => void>;

  constructor(
    private readonly game: Game,
    private readonly page: Page,
  ) {
    this.letters = this.bound();
  }

  private get map(): Moved | undefined {
    return this.page.map();
  }

  private chosen(): UnitId | null {
    return this.game.clicks.units[0] ?? this.game.inspected;
  }

  private standing(unit: UnitId | null): Place | null {
    return unit ? (this.game.units.get(unit)?.place ?? null) : null;
  }

  private centreOnChosen(): void {
    const place = this.game.reach.goal ?? this.game.cursor ?? this.standing(this.chosen());
    if (place) this.map?.centreOn(place);
  }

  private moveCursor(arrow: Arrow): void {
    const { game } = this;
    const from = game.cursor ?? game.reach.goal ?? this.standing(this.chosen());
    const found =
      from === null ? (zoneOf(game) ?? game.ground?.step(from, arrow)) : game.ground?.step(from, arrow);
    if (!found) return;
    game.cursor = found;
    this.map?.centreOn(found, false);
  }

  private next(step: 1 | -1): void {
    const unit = this.game.cycle(step);
    if (unit && !toWaiting(this.game, unit)) this.map?.focusUnit(unit);
  }

  /** The next or previous lit enemy after the one in focus. */
  private nextTarget(step: 1 | -1): void {
    const { game } = this;
    const list = [...game.clicks.glow.units].filter((id) => {
      const unit = game.units.get(id);
      return unit !== undefined && unit.place !== null && unit.side !== game.side;
    });
    const focused = (document.activeElement as HTMLElement | null)?.dataset.unit;
    const now = focused === undefined ? -1 : list.indexOf(focused);
    const found = list.at(now < 0 ? (step > 0 ? 0 : -1) : (now + step) % list.length);
    if (found) this.map?.focusUnit(found);
  }

  /** Where orders are written a number gives one to the chosen units. */
  private numbered(number: number): void {
    if (!this.game.desk.giveNumber(number)) toChoice(number);
  }

  private end(): void {
    const { choices } = this.game.offer;
    const choice = choices.find((c) => c.kind === 'pass') ?? choices.find((c) => c.kind === 'done');
    if (!choice) return;
    if (choice.confirm && !this.ending.press(performance.now())) {
      document.querySelector<HTMLElement>('[data-testid="done"]')?.focus();
      return;
    }
    this.game.decisions.play(choice);
  }

  /** On hexes a unit or its turret turns from side to side, elsewhere whatever is held. */
  private turn(part: 'hull' | 'turret', step: 1 | -1): void {
    const { grip } = this.game.ground ?? {};
    if (grip) grip.turn(this.game, step);
    else this.game.facing.wheel(part, step);
  }

  private bound(): Record<string, () => void> {
    const { game, page } = this;
    return {
      u: () => game.decisions.undo(),
      c: () => this.centreOnChosen(),
      n: () => this.next(1),
      N: () => this.next(-1),
      t: () => this.nextTarget(1),
      T: () => this.nextTarget(-1),
      p: toDecision,
      ...Object.fromEntries(
        Array.from({ length: TURNS }, (_, i) => [String(i + 1), () => this.numbered(i + 1)]),
      ),
      l: () => game.los.toggle(),
      m: () => game.tape.toggle(),
      x: () =>
        game.formation.joint !== null &&
        game.inspected !== null &&
        game.formation.toggleWithChosen(game.inspected),
      i: () => game.about.openCard(),
      r: () =>
        game.about.asks.has('overlay') ? game.about.toggleOverlay() : game.rings.toggle(game.inspected),
      h: () => page.toggleUnits(),
      v: () => game.about.toggleGlance(),
      q: () => this.turn('hull', -1),
      e: () => this.turn('hull', 1),
      Q: () => this.turn('turret', -1),
      E: () => this.turn('turret', 1),
      g: () => void game.suggest(),
      f: () => game.film.toggle(),
      b: () => game.film.back(),
      a: () => game.film.again(),
      k: () => game.film.skip(),
      s: () => settings.toggleSound(),
      d: () => this.end(),
      '[': () => void game.past.step(-1),
      ']': () => void game.past.step(1),
      '0': () => this.map?.fit(),
      '+': () => this.map?.zoomBy(1.25),
      '=': () => this.map?.zoomBy(1.25),
      '-': () => this.map?.zoomBy(0.8),
      '?': () => page.showKeys(),
    };
  }

  /** Moves the ghost of the chosen stand, by half inches or tenths. */
  private nudge(arrow: Arrow, fine: boolean): boolean {
    const { ghost } = this.game.stand;
    ghost?.nudge(...way(arrow, fine ? 100 : 500));
    if (ghost) this.map?.centreOn(ghost.place, false);
    return true;
  }

  private arrow(event: KeyboardEvent, target: HTMLElement): boolean {
    if (target.closest('[role="tablist"]')) return false;
    if (this.game.stand.ghost && !inPanel(target)) return this.nudge(event.key as Arrow, event.shiftKey);
    if (event.shiftKey) this.moveCursor(event.key as Arrow);
    else if (inPanel(target)) return false;
    else this.map?.scrollBy(...way(event.key, BY));
    return true;
  }

  /** Does what a key stands for; says whether it stands for anything. */
  pressed(event: KeyboardEvent, target: HTMLElement): boolean {
    if (event.key.startsWith('Arrow')) return this.arrow(event, target);
    if (event.key === 'Escape') {
      this.game.cursor = null;
      return this.game.stepBack();
    }
    if (event.key === 'Enter') return this.enter(target);
    const key = settings.letters ? meant(event.key, settings.keys) : null;
    const action = key === null ? undefined : (this.letters[key] ?? this.letters[key.toLowerCase()]);
    if (!action) return false;
    action();
    return true;
  }

  private inAttack(unit: string): boolean {
    const building = this.game.view?.building;
    return (building?.units.includes(unit) || building?.targets.includes(unit)) ?? false;
  }

  /** Enter on a button is that button's; on a counter that is chosen already it confirms. */
  private enter(target: HTMLElement): boolean {
    const { game } = this;
    const unit = target.closest<HTMLElement>('[data-unit]')?.dataset.unit;
    if (game.cursor !== null && isWaiting(game, target)) {
      game.clicks.place(game.cursor);
      return true;
    }
    if (game.cursor !== null && (unit !== undefined || !target.matches('button, a, summary'))) {
      if (game.reach.goal === game.cursor) game.reach.go();
      else game.clicks.place(game.cursor);
      return true;
    }
    if (game.stand.ghost?.moved && !inPanel(target)) return game.confirm();
    if (game.facing.heading && !inPanel(target)) return game.confirm();
    if (unit !== undefined) {
      const chosen = game.clicks.made.some((c) => 'unit' in c && c.unit === unit);
      // A unit that nothing more can be done with leaves the key to what is offered.
      return (chosen || !game.clicks.glow.units.has(unit) || this.inAttack(unit)) && game.confirm();
    }
    if (target.matches('button, a, summary')) return false;
    return game.confirm();
  }
}
