/** Silhouettes and NATO symbols, drawn in a box 64 wide and 36 high. */
import type { CounterLooks, Livery } from '../protocol';

export interface Symbol {
  /** Filled with the counter's ink. */
  solid: string;
  /** Stroked with the counter's ink. */
  line?: string;
  /** Filled with the counter's paper, over the rest. */
  hollow?: string;
}

const WHEEL = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const TRACKS = 'M8 24h46q4 0 4 4t-5 6H12q-6-2-6-6t2-4z';
const TRACK_WHEELS = [15, 24, 33, 42, 51].map((x) => WHEEL(x - 1, 29, 2.6)).join('');

const SILHOUETTES: Record<string, Symbol> = {
  tank: {
    solid: `${TRACKS}M10 23l3-6h36l5 6zM20 16q1-7 6-8h11q5 1 6 8zM42 9.5h21v2.6H42zM26 7.5h7v-2h-7z`,
    hollow: TRACK_WHEELS,
  },
  'light tank': {
    solid: `${TRACKS}M12 23l4-5h30l6 5zM22 17q1-5 5-6h9q4 1 5 6zM40 12h12v1.8H40z`,
    hollow: TRACK_WHEELS,
  },
  'assault gun': {
    solid: `${TRACKS}M8 23l2-5 8-8h22l6 7 10 2 2 4zM44 14.2h19v2.8H44z`,
    hollow: TRACK_WHEELS,
  },
  'self-propelled': {
    solid: `${TRACKS}M7 23V9l4-1 3 7h14l5 4h20l4 4zM27 13.5L58 4l1 2.8L30 17z`,
    hollow: TRACK_WHEELS,
  },
  'anti-aircraft tank': {
    solid: `${TRACKS}M10 23l3-5h36l5 5zM22 17l3-7h14l3 7zM36 11L54 2l.8 1.7L38 13zM36 14l20-8 .8 1.7L38 16z`,
    hollow: TRACK_WHEELS,
  },
  'armoured car': {
    solid: `${WHEEL(15, 28, 6)}${WHEEL(29, 28, 6)}${WHEEL(49, 28, 6)}M5 25l5-9h40l9 6v4H5zM24 15l2-6h13l3 6zM40 10h16v1.9H40z`,
    hollow: `${WHEEL(15, 28, 2.4)}${WHEEL(29, 28, 2.4)}${WHEEL(49, 28, 2.4)}`,
  },
  'half-track': {
    solid: `M5 24h29q4 0 4 4t-5 6H9q-5-2-5-6t1-4z${WHEEL(51, 28, 6)}M4 23V13h32l4 3h8l10 5v5H4zM12 12V8h2v4z`,
    hollow: `${[11, 19, 27].map((x) => WHEEL(x + 1, 29, 2.4)).join('')}${WHEEL(51, 28, 2.4)}`,
  },
  truck: {
    solid: `${WHEEL(14, 29, 5.5)}${WHEEL(27, 29, 5.5)}${WHEEL(51, 29, 5.5)}M4 26V9q15-4 32 0v17zM38 26V12h9l4 7 8 2v5z`,
    hollow: `${WHEEL(14, 29, 2)}${WHEEL(27, 29, 2)}${WHEEL(51, 29, 2)}M41 14.5h4.5l2.5 5H41z`,
  },
  wagon: {
    solid: `${WHEEL(16, 27, 7.5)}${WHEEL(40, 27, 7.5)}M8 20h42l4-7h-3l-2 3H8zM50 19l12-3 .5 2-12 3.5z`,
    hollow: `${WHEEL(16, 27, 4.8)}${WHEEL(40, 27, 4.8)}`,
    line: 'M16 20v14M9 27h14M40 20v14M33 27h14',
  },
  gun: {
    solid: `${WHEEL(30, 26, 8)}M26 10h5v12h-5zM27 15h35v3H27zM30 22L4 33l-1-2.5L26 20z`,
    hollow: WHEEL(30, 26, 4.6),
    line: 'M30 18v16M22 26h16',
  },
  howitzer: {
    solid: `${WHEEL(30, 26, 8)}M25 12l5-1 2 11h-5zM27 18L55 3l2 3.5L30 22zM30 23L4 34l-1-2.5L26 21z`,
    hollow: WHEEL(30, 26, 4.6),
    line: 'M30 18v16M22 26h16',
  },
  train: {
    solid: `M2 24h60v6H2zM4 22V14h16v-4h8v4h8V8h10v6h14v8z${[10, 20, 44, 54].map((x) => WHEEL(x, 31, 3.4)).join('')}M24 11h14v1.8H24zM44 9h14v1.8H44z`,
    hollow: [10, 20, 44, 54].map((x) => WHEEL(x, 31, 1.4)).join(''),
  },
  vessel: {
    solid: 'M2 22h60l-8 10H10zM18 21v-6h18v-6h6v12zM8 18h12v2H8zM44 17h14v2H44zM38 9V3h2v6z',
  },
  aircraft: {
    solid: 'M3 18q5-4 14-4h8L32 2h7l-4 12h14l5-6h5l-2 10 2 10h-5l-5-6H35l4 12h-7L25 22h-8q-9 0-14-4z',
  },
  mortar: {
    solid: 'M18 31L40 3l4.5 3.4L22 33.5zM12 31h22v3H12zM39 13l11 19-2.5 1.5L36.5 15z',
  },
};

const BOX = 'M8 4h48v28H8z';
const NATO: Record<string, Symbol> = {
  wheeled: {
    solid: 'M22 29.5a2.5 2.5 0 1 0 .01 0zM42 29.5a2.5 2.5 0 1 0 .01 0z',
    line: 'M8 2h48v26H8zM8 2l48 26M56 2L8 28',
  },
  infantry: { solid: '', line: `${BOX}M8 4l48 28M56 4L8 32` },
  machineGun: { solid: '', line: `${BOX}M32 28V8M27 13l5-5 5 5M22 28h20M26 22h12` },
  engineer: { solid: '', line: `${BOX}M20 25V12h24v13M32 12v10` },
  cavalry: { solid: '', line: `${BOX}M8 32L56 4` },
  observer: { solid: 'M32 17a3 3 0 1 0 .01 0z', line: 'M32 5l15 25H17z' },
  armour: { solid: '', line: `${BOX}M20 11h24q7 0 7 7t-7 7H20q-7 0-7-7t7-7z` },
  reconnaissance: { solid: '', line: `${BOX}M20 11h24q7 0 7 7t-7 7H20q-7 0-7-7t7-7zM8 32L56 4` },
  gun: { solid: 'M32 12.5a5.5 5.5 0 1 0 .01 0z', line: BOX },
  antitank: { solid: '', line: `${BOX}M8 32L32 5l24 27` },
  mortar: { solid: '', line: `${BOX}M32 25V10M27 14l5-5 5 5M29 27a3 3 0 1 0 6 0a3 3 0 1 0-6 0z` },
  antiaircraft: { solid: '', line: `${BOX}M8 32q24-26 48 0` },
  transport: { solid: '', line: `${BOX}M8 24h48` },
  aviation: { solid: 'M18 11q14 7 28 0v14q-14-7-28 0z', line: BOX },
  strongpoint: { solid: 'M20 30V16l12-7 12 7v14zM26 20h12v3H26z', line: BOX },
  artilleryVehicle: {
    solid: 'M32 14a4 4 0 1 0 .01 0z',
    line: `${BOX}M20 11h24q7 0 7 7t-7 7H20q-7 0-7-7t7-7z`,
  },
};

export interface Kind {
  /** In the reader's language; `sort` and `model` say the same in English. */
  type: string;
  name: string;
  sort?: string;
  model?: string;
  weapon: string;
  vehicle: boolean;
  armoured: boolean;
}

export type SymbolStyle = 'silhouette' | 'nato';

/** The sign of a unit, by its type and, where a type holds different machines, by its name; both in English. */
export function symbolOf(unit: Kind, style: SymbolStyle): Symbol {
  const kind = { ...unit, type: unit.sort ?? unit.type, name: unit.model ?? unit.name };
  const words = `${kind.type.replace(/-/g, ' ').replace('armored', 'armoured')} ${kind.name}`.toLowerCase();
  const is = (...parts: string[]) => parts.some((part) => words.includes(part));
  if (FLYING.includes(kind.type)) return style === 'nato' ? NATO.aviation! : SILHOUETTES.aircraft!;
  return onFoot(kind, is) ?? (style === 'nato' ? natoSign(kind, is) : silhouette(kind, is));
}

const FLYING = ['aircraft', 'glider'];

type Test = (...parts: string[]) => boolean;

/** Men on foot and horse have no silhouette that reads at this size: they bear the usual signs in both styles. */
function onFoot(kind: Kind, is: Test): Symbol | null {
  if (kind.type === 'personnel' && is('cavalry')) return NATO.cavalry!;
  if (kind.type === 'personnel' && is('commando')) return NATO.infantry!;
  if (is('engineer', 'pioneer', 'sapper')) return NATO.engineer!;
  if (is('observer', 'command')) return NATO.observer!;
  if (kind.type.includes('cavalry')) return NATO.cavalry!;
  if (is('motorcycle', 'bicycle')) return NATO.wheeled!;
  if (kind.type === 'strongpoint') return NATO.strongpoint!;
  if (kind.type === 'hmg') return NATO.machineGun!;
  const afoot =
    ['at-rifle', 'personnel'].includes(kind.type) ||
    kind.type.includes('infantry') ||
    (kind.type === 'reconnaissance' && !kind.vehicle);
  return afoot ? NATO.infantry! : null;
}

/** Armoured vehicles of types that name what they are for. */
const MACHINES: Record<string, string> = {
  'anti-tank': 'assault gun',
  'close-support-artillery': 'assault gun',
  'anti-aircraft': 'anti-aircraft tank',
  artillery: 'self-propelled',
  'rocket-artillery': 'self-propelled',
  apc: 'half-track',
  'armoured-car-recon': 'armoured car',
};

function silhouette({ type, vehicle, armoured, weapon }: Kind, is: Test): Symbol {
  const s = SILHOUETTES;
  const machine = armoured ? MACHINES[type] : undefined;
  if (machine) return s[machine]!;
  if (!vehicle) {
    if (type === 'boat') return s.vessel!;
    if (['artillery', 'close-support-artillery'].includes(type) && !is('mortar')) return s.howitzer!;
    if (is('wagon', 'cart', 'sled')) return s.wagon!;
    if (is('mortar')) return s.mortar!;
    if (is('train', 'vessel')) return is('train') ? s.train! : s.vessel!;
    return is('howitzer') || weapon === '(H)' ? s.howitzer! : s.gun!;
  }
  if (is('wagon', 'cart', 'sled')) return s.wagon!;
  if (type === 'train') return s.train!;
  if (type === 'vessel') return s.vessel!;
  if (
    is(
      'half-track',
      'halftrack',
      'tractor',
      'sdkfz 6',
      'sdkfz 7',
      'sdkfz 10',
      'sdkfz 25',
      'maultier',
      'apc',
      'spw',
    )
  )
    return s['half-track']!;
  if (is('self-propelled aa', 'flakpanzer', 'wirbelwind', 'ostwind', 'möbelwagen'))
    return s['anti-aircraft tank']!;
  if (is('self-propelled') || type === 'howitzer' || is('wespe', 'hummel', 'grille', 'bison', 'sig 33'))
    return s['self-propelled']!;
  if (is('tank destroyer') && is('marder', 'nashorn', 'pzjg')) return s['self-propelled']!;
  if (is('assault gun', 'tank destroyer')) return s['assault gun']!;
  if (is('reconnaissance tank', 'light tank', 'pzkw i ', 'pzkw ii ', 't-26', 't-60', 't-70', 'bt-'))
    return s['light tank']!;
  if (is('armoured car', 'reconnaissance')) return s['armoured car']!;
  if (is('tank')) return s.tank!;
  return armoured ? s['half-track']! : s.truck!;
}

function natoSign({ type, vehicle, weapon }: Kind, is: Test): Symbol {
  if (is('mortar')) return NATO.mortar!;
  if (type.includes('transport')) return NATO.transport!;
  if (is('reconnaissance', 'armoured car')) return NATO.reconnaissance!;
  if (vehicle && is('self-propelled', 'assault gun', 'tank destroyer', 'howitzer', 'artillery'))
    return NATO.artilleryVehicle!;
  if (vehicle) return NATO.armour!;
  if (type === 'anti-tank') return NATO.antitank!;
  if (type === 'anti-aircraft' || is('aa gun', 'anti-aircraft', 'flak')) return NATO.antiaircraft!;
  return weapon === 'A' ? NATO.antitank! : NATO.gun!;
}

/** Colours for nations of which the ruleset says nothing, by side. */
const OTHERS: Livery[] = [
  { paper: '#b4bdc2', band: '#7f8c94', ink: '#15191c', edge: '#2f383e' },
  { paper: '#d9b48c', band: '#b0714a', ink: '#24120a', edge: '#5c2c17' },
  { paper: '#c3b7cf', band: '#87769b', ink: '#1a1320', edge: '#42334f' },
];

/** Colours of a nation; frames differ by side too, so that colour is never the only sign. */
export function liveryOf(nation: string, sideIndex: number, looks: CounterLooks): Livery {
  return looks.liveries[nation.toLowerCase()] ?? OTHERS[sideIndex % OTHERS.length]!;
}
