/** Events as the scenes of a film: moves along their path, shots with all that comes of them, rolls, losses. Pure. */
import { barsOf, wordOf, type Bar } from '../chances';
import type { Calculation, GameEvent, Place, Side, Unit, UnitId } from '../protocol';
import { spotOf } from '../surface/places';
import type { Beat, Filmed } from './reel';

/** What became of a unit, or of the place. */
export interface Effect {
  kind: string;
  units: UnitId[];
  place: Place | null;
  text: string;
}

export interface Loss {
  /** The number of the event. */
  n: number;
  unit: UnitId;
  side: Side;
  name: string;
  place: Place;
  turn: number;
}

export interface Scene extends Filmed {
  beats: Beat[];
  own: boolean;
  /** The number of its first event. */
  n: number;
  kind: 'move' | 'shot' | 'roll' | 'loss' | 'change';
  turn: number;
  /** The player of this seat has done it. */
  mine: boolean;
  /** Its roll has its moment: the pointer falls into its place on the bar of chances. */
  drama: boolean;
  /** The sentence of the log. */
  text: string;
  units: UnitId[];
  /** Of a move: every stop, the first being where it began. */
  path: Place[];
  /** How many stretches of it have been shown before it went on. */
  gone: number;
  /** Of a shot. */
  firers: UnitId[];
  from: Place[];
  /** Where it happens. */
  place: Place | null;
  dice: number[];
  calculation: Calculation | null;
  /** Of the gun of a shot, in mm, where it is told. */
  calibre?: number;
  /** What a shot strikes with in words, where it is told. */
  strength?: string;
  effects: Effect[];
  losses: Loss[];
  /** The units that it changes, as they lay before; null for one that nobody saw. */
  before: Map<UnitId, Unit | null>;
  /** Those that it moves or removes, as it leaves them. */
  after: Map<UnitId, Unit | null>;
}

/** What is known of the units: before the events that come in, and after them. */
export interface Stage {
  before(id: UnitId): Unit | null;
  after(id: UnitId): Unit | null;
  own: Side | null;
  /** The player's own rolls have their moment. */
  drama: boolean;
  /** For those without motion a scene is one picture. */
  stills: boolean;
}

const MOVES = new Set(['moved', 'exited', 'entered', 'flew', 'landed', 'joined']);
const LOSSES = new Set(['eliminated', 'destroyed', 'reduced']);
const SHOTS = new Set(['fired', 'combat', 'overrun', 'assaulted', 'fire', 'counter battery']);
const EFFECTS = new Set([
  ...[
    'dispersed',
    'suppressed',
    'disorganized',
    'damaged',
    'bail out',
    'bailout',
    'result',
    'morale',
    'wreck',
  ],
  ...[
    'collateral',
    'hit',
    'weapons lost',
    'bogged',
    'building',
    'breach',
    'mines',
    'scattered',
    'stopped',
    'broken',
  ],
]);
const SHORTEST_MS = 300;
const LONGEST_MS = 1300;
const STEP_MS = 150;
/** The part of a way over the free table that counts as a step, in 1/1000 inch. */
const STRETCH = 1500;

/** How many hexes a path has, or as many stretches of the free table. */
export function stepsOf(path: readonly Place[]): number {
  const far = path.slice(1).map((to, i) => {
    const [a, b] = [spotOf(path[i]!), spotOf(to)];
    return a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) / STRETCH : 1;
  });
  return far.reduce((sum, leg) => sum + leg, 0);
}

/** Of the player's own deeds the film shows no more than the player wants to wait for. */
const OWN_MOVE_MS = 480;
const OWN_STEP_MS = 90;

function moveMs({ path, gone, mine }: Scene): number {
  const steps = stepsOf(path.slice(gone));
  return mine
    ? Math.min(OWN_MOVE_MS, OWN_STEP_MS * (steps + 1))
    : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, STEP_MS * steps));
}

/** The longer, the more has come of it. */
function resultMs({ losses, effects }: Scene): number {
  if (losses.length > 0) return 1500;
  return effects.length > 0 ? 1250 : 950;
}

function beatsOf(scene: Scene): Beat[] {
  const { kind, dice, mine, drama } = scene;
  const rolled: Beat[] = [
    ...(dice.length > 0 ? [{ name: 'dice' as const, ms: 480 }] : []),
    ...(drama ? [{ name: 'fall' as const, ms: 480 }] : []),
  ];
  switch (kind) {
    case 'move':
      return [
        { name: 'go', ms: moveMs(scene) },
        { name: 'still', ms: mine ? 0 : 160 },
      ];
    case 'shot':
      return [
        { name: 'fire', ms: mine ? 280 : 420 },
        ...rolled,
        { name: 'result', ms: dice.length > 0 ? resultMs(scene) : 500 },
      ];
    case 'roll':
      return [...rolled, { name: 'result', ms: 900 }];
    default:
      return [{ name: 'result', ms: kind === 'loss' ? 1200 : 600 }];
  }
}

/** The last picture of a scene; its dice, which do not roll in it, give it the time that they take when they do. */
function stillOf(beats: readonly Beat[]): Beat[] {
  const dice = beats.find(({ name }) => name === 'dice');
  return beats.slice(-1).map(({ name, ms }) => ({ name, ms: ms + (dice?.ms ?? 0) }));
}

/** Where units lie that a film moves, whatever the view calls it. */
const ON_THE_MAP = 'on the map';

/** Scenes of events that have come in, behind scenes that wait to be shown. */
export function scenesOf(
  events: readonly GameEvent[],
  stage: Stage,
  waiting: readonly Scene[] = [],
): Scene[] {
  return new Cutter(stage, waiting).cut(events);
}

class Cutter {
  readonly scenes: Scene[] = [];
  /** Units as the scenes so far leave them. */
  private readonly left = new Map<UnitId, Unit | null>();

  constructor(
    private readonly stage: Stage,
    waiting: readonly Scene[],
  ) {
    for (const { after } of waiting) for (const [id, unit] of after) this.left.set(id, unit);
  }

  cut(events: readonly GameEvent[]): Scene[] {
    for (const event of events) this.take(event);
    for (const scene of this.scenes) {
      scene.drama = this.stage.drama && scene.mine && (scene.calculation?.chances.length ?? 0) > 1;
      const beats = beatsOf(scene);
      scene.beats = this.stage.stills ? stillOf(beats) : beats;
    }
    return this.scenes;
  }

  private take(event: GameEvent): void {
    if (event.turn === 0) return;
    if (MOVES.has(event.kind)) return this.move(event);
    if (LOSSES.has(event.kind)) return this.lose(event);
    if (this.isShot(event)) return this.shoot(event);
    if (event.dice.length > 0 && (event.units.length > 0 || event.places.length > 0)) return this.roll(event);
    if (EFFECTS.has(event.kind)) return this.change(event);
  }

  private now(id: UnitId): Unit | null {
    return this.left.has(id) ? this.left.get(id)! : this.stage.before(id);
  }

  private sideOf(id: UnitId): Side | undefined {
    return (this.now(id) ?? this.stage.before(id) ?? this.stage.after(id))?.side;
  }

  private begin(event: GameEvent, kind: Scene['kind'], more: Partial<Scene>): Scene {
    const scene: Scene = {
      n: event.n,
      kind,
      turn: event.turn,
      mine: this.stage.own !== null && event.side === this.stage.own,
      drama: false,
      text: event.text,
      units: [...event.units],
      path: [],
      gone: 0,
      firers: [],
      from: [],
      place: event.places.at(-1) ?? this.placeOf(event.units),
      dice: event.dice,
      calculation: event.calculation,
      calibre: event.calibre,
      strength: event.strength,
      effects: [],
      losses: [],
      before: new Map(),
      after: new Map(),
      beats: [],
      own: event.units.some((id) => this.isOwn(id)),
      ...more,
    };
    for (const id of event.units) scene.before.set(id, this.now(id));
    this.scenes.push(scene);
    return scene;
  }

  private isOwn(id: UnitId): boolean {
    return this.stage.own !== null && this.sideOf(id) === this.stage.own;
  }

  private placeOf(units: readonly UnitId[]): Place | null {
    return units.map((id) => this.now(id)?.place ?? null).find((place) => place !== null) ?? null;
  }

  /** The units go to the last of the places, from where they are known to have been. */
  private move(event: GameEvent): void {
    if (event.units.length === 0 || event.places.length === 0) return;
    const start = this.placeOf(event.units);
    const way = event.places.length > 1 || start === null ? event.places : [start, ...event.places];
    const last = this.scenes.at(-1);
    const goesOn =
      last?.kind === 'move' &&
      last.units.join() === event.units.join() &&
      last.path.at(-1) === way[0] &&
      last.effects.length === 0;
    if (goesOn) {
      Object.assign(last, { path: [...last.path, ...way.slice(1)], text: event.text, place: way.at(-1)! });
    } else {
      this.begin(event, 'move', { path: way });
    }
    const to = way.at(-1)!;
    for (const id of event.units) this.put(id, event.kind === 'exited' ? null : to);
  }

  private put(id: UnitId, place: Place | null): void {
    const unit = this.now(id) ?? this.stage.after(id);
    const put = unit && place !== null ? { ...unit, place, status: ON_THE_MAP } : null;
    this.left.set(id, put);
    this.scenes.at(-1)!.after.set(id, put);
  }

  private isShot(event: GameEvent): boolean {
    if (SHOTS.has(event.kind)) return event.units.length > 0 || event.dice.length > 0;
    return (
      event.kind === 'result' && event.calculation !== null && new Set(this.sidesOf(event.units)).size > 1
    );
  }

  private sidesOf(units: readonly UnitId[]): Side[] {
    return units.flatMap((id) => this.sideOf(id) ?? []);
  }

  private shoot(event: GameEvent): void {
    const [first] = this.sidesOf(event.units.slice(0, 1));
    const both = new Set(this.sidesOf(event.units)).size > 1;
    const place = event.places.at(-1) ?? null;
    const there = (id: UnitId) => this.now(id)?.place === place;
    const firers = event.units.filter((id) => (both ? this.sideOf(id) === first : !there(id)));
    const stands = firers.map((id) => this.now(id)?.place ?? null);
    const said = event.places.length > 1 ? event.places.slice(0, -1) : [];
    const from = [...new Set([...said, ...stands])].filter((one) => one !== null && one !== place) as Place[];
    const declared = this.scenes.at(-1);
    // A shot that was declared before its dice fell is one scene with them.
    const same =
      declared?.kind === 'shot' &&
      declared.dice.length === 0 &&
      declared.calculation === null &&
      declared.units.join() === event.units.join();
    if (same) {
      const { text, dice, calculation } = event;
      const calibre = event.calibre ?? declared.calibre;
      const strength = event.strength ?? declared.strength;
      Object.assign(declared, { text, dice, calculation, calibre, strength });
    } else this.begin(event, 'shot', { firers, from });
  }

  private roll(event: GameEvent): void {
    this.begin(event, 'roll', {});
  }

  /** What it belongs to: the last scene, if the same units or the same place are in it. */
  private owner({ units, places }: GameEvent): Scene | null {
    const last = this.scenes.at(-1);
    if (!last) return null;
    const shared = units.some((id) => last.units.includes(id));
    const here = last.place !== null && (places.includes(last.place) || this.placeOf(units) === last.place);
    return shared || here ? last : null;
  }

  private change(event: GameEvent): void {
    const owner = this.owner(event);
    if (!owner && event.places.length === 0 && this.placeOf(event.units) === null) return;
    const scene = owner ?? this.begin(event, 'change', {});
    this.affect(scene, event);
  }

  private affect(scene: Scene, { kind, units, places, text }: GameEvent): void {
    scene.effects.push({ kind, units: [...units], place: places.at(-1) ?? scene.place, text });
    for (const id of units) if (!scene.before.has(id)) scene.before.set(id, this.now(id));
    scene.units = [...new Set([...scene.units, ...units])];
    if (units.some((id) => this.isOwn(id))) scene.own = true;
  }

  private lose(event: GameEvent): void {
    const scene = this.owner(event) ?? this.begin(event, 'loss', {});
    this.affect(scene, event);
    for (const id of event.units) {
      const unit = this.now(id);
      const place = event.places.at(-1) ?? unit?.place ?? null;
      if (unit && place !== null && event.kind !== 'reduced') {
        const { side, name } = unit;
        scene.losses.push({ n: event.n, unit: id, side, name, place, turn: event.turn });
        this.put(id, null);
      }
    }
  }
}

/** The move with what comes next, if it goes on with the same units where it ended. */
export function continued(before: Scene, after: Scene): Scene | null {
  const goesOn =
    [before, after].every(({ kind, effects }) => kind === 'move' && effects.length === 0) &&
    before.units.join() === after.units.join() &&
    before.path.at(-1) === after.path[0];
  if (!goesOn) return null;
  const path = [...before.path, ...after.path.slice(1)];
  return { ...after, n: before.n, path, gone: before.path.length - 1, before: before.before };
}

/** The units that the scenes from there on change, as they lie when the first of these begins. */
export function castFrom(scenes: readonly Scene[], at: number): Map<UnitId, Unit | null> {
  const cast = new Map<UnitId, Unit | null>();
  for (const scene of scenes.slice(at))
    for (const [id, unit] of scene.before) if (!cast.has(id)) cast.set(id, unit);
  return cast;
}

/** How far along the bar of chances the result of the dice lies, in percent. */
export function pointerOf(calculation: Calculation): number {
  const bars = barsOf(calculation);
  const index = bars.findIndex(({ result }) => result === wordOf(calculation.result ?? ''));
  const before = bars.slice(0, Math.max(0, index)).reduce((sum, { percent }) => sum + percent, 0);
  return before + (bars[index]?.percent ?? 0) / 2;
}

/** What the dice brought, with the chance that it had. */
export function chanceOf({ calculation }: Pick<Scene, 'calculation'>): Bar | null {
  if (!calculation || calculation.result === null) return null;
  const word = wordOf(calculation.result);
  return barsOf(calculation).find(({ result }) => result === word) ?? null;
}
