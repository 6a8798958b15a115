/** A game of the mock: enough of one to look at every state of the page. It follows no rulebook. */
import { distance, neighbour } from '../src/lib/hexgeo';
import type {
  Action,
  Calculation,
  Choice,
  GameEvent,
  Orders,
  ReachPlace,
  Result,
  TableMessage,
  Unit,
} from '../src/lib/protocol';
import { MAP } from './map';

const HEXES = new Map(MAP.hexes.map((h) => [h.name, h]));
const PLACES = new Map(MAP.hexes.map((h) => [`${h.q},${h.r}`, h.name]));
const SIDES = ['german', 'soviet'];
const STEPS = [
  ['setup', 'Set-up', '4.2-A'],
  ['indirect', 'Indirect fire', '4.2-C2'],
  ['direct', 'Direct fire', '4.2-C4'],
  ['move', 'Vehicle movement', '4.2-C5'],
  ['end', 'End of player turn', '4.2-C7'],
] as const;

type Row = [string, string, string, string, number, string, number, number, number, string | null];
const FORCES: Row[] = [
  ['german-1', 'PzKw IV', 'tank', 'german', 12, 'A', 8, 8, 8, '1-B6'],
  ['german-2', 'PzKw IV', 'tank', 'german', 12, 'A', 8, 8, 8, '1-B6'],
  ['german-3', 'StuG III', 'assault gun', 'german', 12, 'A', 8, 8, 8, '1-D6'],
  ['german-4', 'Rifle', 'infantry', 'german', 3, 'I', 6, 6, 1, '1-D4'],
  ['german-5', 'Half-track', 'transport', 'german', 3, 'C', 3, 4, 10, '1-C5'],
  ['german-6', '88mm gun', 'artillery', 'german', 20, 'A', 12, 2, 0, '1-C3'],
  ['german-7', '81mm mortar', 'artillery', 'german', 6, 'M', 12, 2, 0, null],
  ['german-8', 'Engineer', 'engineer', 'german', 4, 'I', 3, 6, 1, null],
  ['german-9', 'Armoured car (SdKfz 234)', 'reconnaissance vehicle', 'german', 6, 'A', 6, 4, 12, '1-A4'],
  ['soviet-1', 'T-34/76', 'tank', 'soviet', 12, 'A', 6, 9, 11, '1-H4'],
  ['soviet-2', 'T-34/85', 'tank', 'soviet', 16, 'A', 8, 10, 11, '1-H4'],
  ['soviet-3', 'Guards rifle', 'infantry', 'soviet', 8, 'I', 5, 10, 1, '1-G5'],
  ['soviet-4', 'Rifle', 'infantry', 'soviet', 6, 'I', 4, 8, 1, '1-H5'],
  ['soviet-5', 'SU-152', 'assault gun', 'soviet', 40, 'H', 8, 9, 8, '1-I6'],
  ['soviet-6', '76.2mm gun', 'artillery', 'soviet', 10, 'H', 10, 3, 0, '1-H6'],
  ['soviet-7', 'Cavalry', 'cavalry', 'soviet', 4, 'I', 3, 6, 3, '1-J2'],
  ['soviet-8', 'Truck', 'transport', 'soviet', 0, 'C', 0, 1, 12, '1-K4'],
  ['soviet-9', 'Command post', 'observer', 'soviet', 0, 'I', 0, 4, 1, '1-G4'],
];

function unitsAtStart(): Unit[] {
  return FORCES.map(([id, name, type, side, attack, weapon, range, defence, movement, place], order) => ({
    id,
    side,
    nation: side === 'german' ? 'German' : 'Soviet',
    name,
    type,
    place,
    order,
    attack,
    weapon,
    range,
    doubles: weapon === 'I' && range >= 4,
    defence,
    movement,
    size: side === 'soviet' && type !== 'observer' ? 'company' : 'platoon',
    points: side === 'soviet' ? 2 : 1,
    vehicle: movement > 3,
    armoured: movement > 3 && name !== 'Truck',
    face_up: true,
    dispersed: '',
    spotted: '',
    moved: false,
    fired: false,
    carrier: null,
    cargo: [],
    below: '',
    status: place === null ? 'to place' : 'on the map',
    badges: [],
  }));
}

interface Mover {
  id: string;
  left: number;
}

export class MockGame {
  readonly tokens: Record<string, string> = {};
  readonly log: GameEvent[] = [];
  private units = unitsAtStart();
  private step = 'setup';
  private current = 'german';
  private turn = 1;
  private seq = 0;
  private firers: string[] = [];
  private target: string | null = null;
  private mover: Mover | null = null;
  private reacting: { by: string; at: string } | null = null;
  private result: Result | null = null;
  private thinking: string | null = null;
  private past: string[] = [];
  private drawOffer: string | null = null;
  private orders: Orders = {
    fire: 'ask',
    at: 'all',
    least_chance: 34,
    within: 0,
    again: 'nearer',
    most: 10,
    units: {},
  };
  private rolls = 0;

  constructor(
    readonly id: string,
    private readonly players: Record<string, string>,
    private readonly changed: () => void,
  ) {
    for (const side of SIDES) {
      if (players[side] === 'human') this.tokens[side] = `token-${id}-${side}`;
    }
    const dispersed = this.unit('soviet-5');
    dispersed.dispersed = 'D';
    dispersed.badges = [{ code: 'D', text: 'Dispersed' }];
    this.unit('soviet-8').face_up = false;
    this.unit('soviet-3').below = 'position';
    this.unit('soviet-3').badges = [{ code: 'S', text: 'Spotted' }];
    this.unit('soviet-3').spotted = 'spotted';
    this.note('turn', 'Game turn 1 of 6', '4.2');
    this.drive();
  }

  sideOf(token: string | undefined): string | null {
    return SIDES.find((side) => this.tokens[side] !== undefined && this.tokens[side] === token) ?? null;
  }

  private unit(id: string): Unit {
    const unit = this.units.find((u) => u.id === id);
    if (!unit) throw new Error(`no unit ${id}`);
    return unit;
  }

  private note(kind: string, text: string, rule: string | null, extra: Partial<GameEvent> = {}): void {
    this.log.push({
      n: this.log.length + 1,
      turn: this.turn,
      side: this.current,
      step: this.step,
      kind,
      text,
      rule,
      units: [],
      places: [],
      dice: [],
      calculation: null,
      ...extra,
    });
  }

  private range(a: Unit, b: Unit): number {
    const p = HEXES.get(a.place ?? '');
    const q = HEXES.get(b.place ?? '');
    return p && q ? distance(p, q) : Infinity;
  }

  private canFire(a: Unit, b: Unit): boolean {
    return (
      a.side !== b.side &&
      a.attack > 0 &&
      !a.fired &&
      !a.dispersed &&
      (a.face_up ?? true) &&
      this.range(a, b) <= a.range
    );
  }

  private calculation(firers: string[], target: string, rolled: number | null): Calculation {
    const attack = firers.reduce((sum, id) => sum + this.unit(id).attack, 0);
    const defence = this.unit(target).defence;
    const odds = Math.max(1, Math.min(4, Math.floor(attack / defence)));
    const table = ['DD', 'DD', 'D', 'D', '-', '-'].map((_, i) =>
      i < odds ? 'X' : i < odds + 1 ? 'DD' : i < odds + 2 ? 'D' : 'none',
    );
    const chances = ['X', 'DD', 'D', 'none'].map((result) => ({
      result,
      chance: `${table.filter((r) => r === result).length}/6`,
    }));
    return {
      title: 'Direct fire',
      rule: '9.5',
      lines: [
        ...firers.map((id) => ({
          label: `${this.unit(id).name}, attack ${this.unit(id).attack}`,
          value: String(this.unit(id).attack),
          rule: '3.4.1',
          kind: 'attack',
        })),
        { label: 'A against armour within half range', value: 'x2', rule: '15.4', kind: 'factor' },
        {
          label: `${this.unit(target).name}, defence ${defence}`,
          value: String(defence),
          rule: '3.4.2',
          kind: 'defence',
        },
        { label: `Odds ${attack} to ${defence}`, value: `${odds}:1`, rule: '9.9-P1', kind: 'odds' },
        { label: 'Uphill one level', value: '-1', rule: '9.2.1', kind: 'shift' },
        { label: 'Woods', value: '+1', rule: '9.3.1', kind: 'modifier' },
      ],
      column: `${odds}:1`,
      modifier: 1,
      dice: '1d6',
      chances: chances.filter((c) => !c.chance.startsWith('0')),
      rolled: rolled === null ? null : [rolled],
      result: rolled === null ? null : (table[rolled - 1] ?? 'none'),
    };
  }

  private shoot(firers: string[], target: string): void {
    const die = ((this.rolls++ * 7 + 3) % 6) + 1;
    const calculation = this.calculation(firers, target, die);
    const unit = this.unit(target);
    firers.forEach((id) => (this.unit(id).fired = true));
    const names = firers.map((id) => this.unit(id).name).join(' and ');
    this.note('fired', `${names} fire at ${unit.name}: ${calculation.result}`, '9.5.1', {
      units: [...firers, target],
      places: [...firers.map((id) => this.unit(id).place ?? ''), unit.place ?? ''],
      dice: [die],
      calculation,
    });
    if (calculation.result === 'X') {
      unit.status = 'eliminated';
      unit.place = null;
      this.note('eliminated', `${unit.name} is eliminated`, '9.4.1', { units: [target] });
    } else if (calculation.result !== 'none') {
      unit.dispersed = calculation.result ?? 'D';
      unit.badges = [
        { code: unit.dispersed, text: unit.dispersed === 'DD' ? 'Doubly dispersed' : 'Dispersed' },
      ];
    }
  }

  private cost(to: string): number | null {
    const hex = HEXES.get(to);
    if (!hex || hex.terrain.includes('water') || hex.terrain.includes('swamp')) return null;
    if (hex.links.some((l) => l === 'road')) return 0.5;
    return hex.terrain.includes('slope') ? 3 : hex.terrain.includes('woods') ? 2 : 1;
  }

  private around(hex: string): string[] {
    const at = HEXES.get(hex);
    if (!at) return [];
    return [0, 1, 2, 3, 4, 5].flatMap((d) => {
      const n = neighbour(at, d);
      const name = PLACES.get(`${n.q},${n.r}`);
      return name && !this.units.some((u) => u.place === name && u.side !== this.current) ? [name] : [];
    });
  }

  private movable(): Unit[] {
    if (this.mover) return [this.unit(this.mover.id)];
    return this.units.filter(
      (u) => u.side === this.current && u.place && u.movement > 1 && !u.moved && !u.fired && !u.dispersed,
    );
  }

  choicesOf(side: string | null): Choice[] {
    if (side === null || this.result || !this.asked().includes(side)) return [];
    const choices: Choice[] = [];
    const add = (
      kind: string,
      label: string,
      type: string,
      extra: Partial<Choice> & { with?: object } = {},
    ) =>
      choices.push({
        action: { type, ...(extra.with ?? {}) } as Action,
        label,
        kind,
        units: extra.units ?? [],
        places: extra.places ?? [],
        cost: extra.cost ?? null,
        confirm: extra.confirm ?? false,
      });
    const fires = (a: Unit, b: Unit, type: string, confirm: boolean, kind = 'fire') =>
      add(kind, `${a.name} fires at ${b.name} in ${b.place}`, type, {
        units: [a.id, b.id],
        places: [b.place ?? ''],
        confirm,
        with: { unit: a.id, target: b.id },
      });
    if (this.reacting) {
      const at = this.unit(this.reacting.at);
      for (const unit of this.units)
        if (unit.side === side && this.canFire(unit, at)) fires(unit, at, 'React', true, 'react');
      add('pass', 'Let it pass', 'Pass');
    } else if (this.step === 'setup') {
      for (const unit of this.units.filter((u) => u.side === side && u.status === 'to place')) {
        for (const hex of MAP.hexes.filter((h) => h.q < 3)) {
          add('place', `Place ${unit.name} in ${hex.name}`, 'Place', {
            units: [unit.id],
            places: [hex.name],
            with: { unit: unit.id, hex: hex.name },
          });
        }
      }
      if (choices.length === 0) add('done', 'End set-up', 'Done', { confirm: true });
    } else if (this.step === 'direct') {
      if (this.target) {
        const target = this.unit(this.target);
        for (const unit of this.units) {
          if (unit.side === side && this.canFire(unit, target) && !this.firers.includes(unit.id)) {
            add('fire', `Add ${unit.name} from ${unit.place}`, 'AddFirer', {
              units: [unit.id],
              with: { unit: unit.id },
            });
          }
        }
        add('confirm', `Fire at ${target.name}`, 'Roll', { confirm: true });
        add('cancel', 'Do not fire', 'Cancel');
      } else {
        for (const a of this.units)
          for (const b of this.units) if (a.side === side && this.canFire(a, b)) fires(a, b, 'Attack', false);
        add('done', 'End direct fire', 'Done', { confirm: true });
      }
    } else {
      for (const unit of this.movable()) {
        for (const hex of this.around(unit.place ?? '')) {
          const cost = this.cost(hex);
          if (cost === null || cost > (this.mover?.left ?? unit.movement)) continue;
          add('move', `${unit.name} to ${hex}`, 'Step', {
            units: [unit.id],
            places: [hex],
            cost,
            with: { unit: unit.id, hex },
          });
        }
      }
      if (this.mover) add('done', 'End this move', 'EndMove');
      else add('done', 'End vehicle movement', 'Done', { confirm: true });
    }
    return choices;
  }

  private asked(): string[] {
    if (this.result) return [];
    const side = this.reacting ? this.reacting.by : this.current;
    return [side];
  }

  private remember(): void {
    this.past.push(
      JSON.stringify({
        u: this.units,
        s: this.step,
        f: this.firers,
        t: this.target,
        m: this.mover,
        l: this.log.length,
      }),
    );
  }

  undo(): boolean {
    const last = this.past.pop();
    if (last === undefined) return false;
    const s = JSON.parse(last) as {
      u: Unit[];
      s: string;
      f: string[];
      t: string | null;
      m: Mover | null;
      l: number;
    };
    this.units = s.u;
    this.step = s.s;
    this.firers = s.f;
    this.target = s.t;
    this.mover = s.m;
    this.log.length = s.l;
    this.seq++;
    return true;
  }

  /** Plays an action; returns what is wrong with it, or null. */
  play(side: string, action: Action): string | null {
    const text = JSON.stringify(action);
    if (!this.choicesOf(side).some((c) => JSON.stringify(c.action) === text))
      return 'That cannot be done now';
    this.remember();
    this.seq++;
    const unit = typeof action.unit === 'string' ? this.unit(action.unit) : null;
    switch (action.type) {
      case 'Place':
        unit!.place = action.hex as string;
        unit!.status = 'on the map';
        this.note('placed', `${unit!.name} is placed in ${unit!.place}`, '4.2-A', {
          units: [unit!.id],
          places: [unit!.place],
        });
        break;
      case 'Attack':
        this.target = action.target as string;
        this.firers = [unit!.id];
        break;
      case 'AddFirer':
        this.firers.push(unit!.id);
        break;
      case 'Cancel':
        this.target = null;
        this.firers = [];
        break;
      case 'Roll':
        this.shoot(this.firers, this.target!);
        this.target = null;
        this.firers = [];
        this.past = [];
        break;
      case 'Step': {
        const hex = action.hex as string;
        const left = (this.mover?.left ?? unit!.movement) - (this.cost(hex) ?? 0);
        const from = unit!.place ?? '';
        unit!.place = hex;
        unit!.moved = true;
        unit!.order = Math.max(...this.units.map((u) => u.order)) + 1;
        this.mover = { id: unit!.id, left };
        this.note('moved', `${unit!.name} moves to ${hex}`, '5.1', {
          units: [unit!.id],
          places: [from, hex],
        });
        const other = SIDES.find((s) => s !== this.current)!;
        const may = this.units.some(
          (u) => u.side === other && this.canFire(u, unit!) && this.range(u, unit!) <= 3,
        );
        if (may && this.players[other] === 'human') {
          this.reacting = { by: other, at: unit!.id };
          this.past = [];
        }
        break;
      }
      case 'React':
        this.shoot([unit!.id], action.target as string);
        this.reacting = null;
        this.mover = null;
        this.past = [];
        break;
      case 'Pass':
        this.reacting = null;
        break;
      case 'EndMove':
        this.mover = null;
        break;
      case 'Done':
        this.past = [];
        this.next();
        break;
    }
    this.drive();
    return null;
  }

  private next(): void {
    if (this.step === 'setup') this.step = 'direct';
    else if (this.step === 'direct') this.step = 'move';
    else {
      this.units
        .filter((u) => u.side === this.current)
        .forEach((u) => Object.assign(u, { moved: false, fired: false }));
      this.current = SIDES.find((s) => s !== this.current)!;
      this.step = 'direct';
      if (this.current === 'german') this.turn++;
      this.note('step', `${this.current === 'german' ? 'German' : 'Soviet'} player turn`, '4.2-C');
      if (this.turn > 6) this.over('soviet', 'Soviet marginal victory', 'The last turn is over');
    }
    this.note('step', STEPS.find((s) => s[0] === this.step)![1], '4.2');
  }

  over(winner: string | null, level: string, reason: string): void {
    this.result = { winner, level, reason };
    this.seq++;
    this.note('over', `${level}: ${reason}`, '2.0');
    this.changed();
  }

  /** Lets the computer play until a human is asked. */
  private drive(): void {
    const side = this.asked()[0];
    this.changed();
    if (side === undefined || this.players[side] === 'human') {
      this.thinking = null;
      return;
    }
    this.thinking = side;
    setTimeout(() => {
      const choices = this.choicesOf(side);
      const moves = choices.filter((c) => c.kind === 'move');
      const pick =
        choices.find((c) => c.kind === 'confirm') ??
        choices.find((c) => c.kind === 'fire' && this.rolls % 3 !== 2) ??
        (moves.length > 0 && this.log.length % 5 !== 4 ? moves[this.log.length % moves.length] : undefined) ??
        choices.find((c) => c.kind === 'done') ??
        choices[0];
      if (pick) this.play(side, pick.action);
    }, 350);
  }

  reach(id: string): { places: ReachPlace[] } {
    const unit = this.unit(id);
    const best = new Map<string, ReachPlace>();
    const total = this.mover?.left ?? unit.movement;
    let edge: ReachPlace[] = [
      { place: unit.place ?? '', cost: 0, left: total, path: [unit.place ?? ''], steps: [], fire: [] },
    ];
    while (edge.length > 0) {
      const next: ReachPlace[] = [];
      for (const at of edge) {
        for (const hex of this.around(at.place)) {
          const cost = this.cost(hex);
          if (cost === null) continue;
          const sum = Number(at.cost) + cost;
          const known = best.get(hex);
          if (sum > total || hex === unit.place || (known && Number(known.cost) <= sum)) continue;
          const fire = this.units.filter(
            (u) =>
              u.side !== unit.side && u.place && this.range(u, { ...unit, place: hex }) <= 3 && u.attack > 0,
          );
          const found = {
            place: hex,
            cost: sum,
            left: total - sum,
            path: [...at.path, hex],
            steps: [...at.steps, { type: 'Step', unit: id, hex } as Action],
            fire: fire.map((u) => u.id),
          };
          best.set(hex, found);
          next.push(found);
        }
      }
      edge = next;
    }
    return { places: [...best.values()] };
  }

  answer(side: string | null, message: Record<string, unknown>): Record<string, unknown> {
    switch (message.type) {
      case 'reach':
        return { ...this.reach(message.unit as string) };
      case 'why':
        return {
          meant: [
            { label: 'Fire', text: 'PzKw IV is out of range: 9 hexes, range 8', rule: '9.5.2' },
            { label: 'Move', text: 'Units do not move in the direct fire segment', rule: '4.2-C4' },
          ],
        };
      case 'preview': {
        const action = message.action as Action;
        if (action.unit && action.target) {
          return {
            calculation: this.calculation([action.unit as string], action.target as string, null),
            text: '',
          };
        }
        return {
          calculation:
            this.target && action.type === 'Roll' ? this.calculation(this.firers, this.target, null) : null,
          text: '',
        };
      }
      case 'los':
        return {
          clear: false,
          text: 'Blocked by the woods in 1-E2',
          rule: '8.2',
          at: '1-E2',
          profile: ['1-C3', '1-D2', '1-E2', '1-F2'].map((hex) => ({
            hex,
            level: HEXES.get(hex)!.level,
            terrain: HEXES.get(hex)!.terrain,
          })),
        };
      case 'sees': {
        const at = HEXES.get(message.place as string)!;
        return { places: MAP.hexes.filter((h) => distance(at, h) < 4).map((h) => h.name) };
      }
      case 'suggest':
        return {
          action: this.choicesOf(side)[0]?.action ?? null,
          text: 'The odds are 2:1 and the target cannot answer.',
        };
      case 'orders':
        if (message.orders) this.orders = message.orders as Orders;
        return { orders: this.orders };
      default:
        return {};
    }
  }

  /** Handles what is neither a query nor a play; true if it was meant. */
  conduct(side: string, type: string): boolean {
    if (type === 'concede')
      this.over(
        SIDES.find((s) => s !== side)!,
        'Concession',
        `${side} concedes`,
      );
    else if (type === 'draw') this.drawOffer = side;
    else if (type === 'decline') this.drawOffer = null;
    else if (type === 'auto') {
      for (let left = this.choicesOf(side).filter((c) => c.kind === 'place'); left.length > 0;) {
        this.play(side, left[(this.seq * 5) % left.length]!.action);
        left = this.choicesOf(side).filter((c) => c.kind === 'place');
      }
    } else return false;
    this.seq++;
    return true;
  }

  table(side: string | null): TableMessage {
    const asked = this.asked();
    const texts: Record<string, string> = {
      setup: 'Place your units behind the line, then end the set-up',
      direct: this.target ? 'Add a firer, or fire' : 'Choose a firer and its target, or end the segment',
      move: 'Choose a vehicle and where it goes, or end the segment',
    };
    const mover = this.reacting ? this.unit(this.reacting.at) : null;
    return {
      type: 'table',
      language: 'en',
      seq: this.seq,
      position: this.seq,
      seat: side,
      side,
      asked,
      prompt: this.result
        ? null
        : {
            text: mover ? `${mover.name} moves into ${mover.place}: fire?` : (texts[this.step] ?? ''),
            rule: mover ? '6.1' : '9.5',
            step: mover ? 'react' : this.step,
            together: !mover && ['vehicle', 'non-vehicle'].includes(this.step),
            places: false,
            reaction: 'Opportunity fire',
          },
      choices: this.choicesOf(side),
      actors: [],
      whole: true,
      undo: {
        can: this.past.length > 0 && side === this.current,
        count: this.past.length,
        barrier: this.past.length ? null : 'the last roll',
      },
      thinking: this.thinking,
      view: {
        ruleset: 'mock',
        scenario: 'brodna',
        title: 'The Road through Brodna',
        turn: this.turn,
        turns: 6,
        current: this.current,
        track: STEPS.map(([id, title, rule]) => ({ id, title, rule, now: id === this.step })),
        sides: [
          { id: 'german', name: 'German', nation: 'German', first: true },
          { id: 'soviet', name: 'Soviet', nation: 'Soviet', first: false },
        ],
        units: this.units,
        markers: [
          { id: 'wreck-1', kind: 'wreck', place: '1-E4', text: 'Wreck, 2 points', value: '2', side: null },
          {
            id: 'mines-1',
            kind: 'mines',
            place: '1-F6',
            text: 'Minefield, 2:1',
            value: '2:1',
            side: 'soviet',
          },
          {
            id: 'position-1',
            kind: 'position',
            place: '1-G5',
            text: 'Improved position',
            value: '',
            side: 'soviet',
          },
          { id: 'block-1', kind: 'block', place: '1-I5', text: 'Block', value: '', side: null },
          { id: 'fort-1', kind: 'fort', place: '1-J3', text: 'Fortification', value: '4', side: 'soviet' },
          {
            id: 'registration-1',
            kind: 'registration',
            place: '1-D5',
            text: 'Registered by 76.2mm gun',
            value: '',
            side: 'soviet',
          },
        ],
        overrun: null,
        building: this.target
          ? {
              kind: 'direct',
              place: this.unit(this.target).place,
              units: this.firers,
              targets: [this.target],
              calculation: this.calculation(this.firers, this.target, null),
            }
          : null,
        reinforcements: [{ side: 'soviet', turn: 3, units: [], where: 'by the road in 1-K4' }],
        victory: [
          { side: 'german', text: 'Hold Brodna at the end', have: 0, want: 3, points: 10 },
          { side: 'soviet', text: 'Exit units west', have: 1, want: 4, points: 3 },
        ],
        scores: { german: 3, soviet: 7 },
        standing: 'Soviet marginal victory if the game ended now',
        losses: {
          german: this.units.filter((u) => u.side === 'german' && u.status === 'eliminated').length,
          soviet: this.units.filter((u) => u.side === 'soviet' && u.status === 'eliminated').length,
        },
        options: ['16.11'],
      },
      result: this.result,
      draw_offered_by: this.drawOffer,
      decides: side !== null && asked.includes(side) ? [side] : [],
      log_length: this.log.length,
    };
  }
}
