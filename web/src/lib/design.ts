/** What the page of components shows: one of each kind, one of each state. Numbers are made up. */
import type { Calculation, CounterLooks, TrackStep, Unit } from './protocol';

/** How the samples look; the colours are those that the rulesets share. */
export const LOOKS: CounterLooks = {
  figures: {
    attack: { title: 'attack', at: 'top-left', tone: 'large' },
    weapon: { title: 'class', at: 'top', tone: 'small' },
    range: { title: 'range', at: 'top-right', tone: 'large' },
    defence: { title: 'defence', at: 'foot', tone: 'large' },
    movement: { title: 'movement', at: 'foot', tone: 'large' },
  },
  markers: {},
  liveries: {
    german: { paper: '#b4bdc2', band: '#7f8c94', ink: '#15191c', edge: '#2f383e' },
    soviet: { paper: '#d9b48c', band: '#b0714a', ink: '#24120a', edge: '#5c2c17' },
    american: { paper: '#a2ad68', band: '#7f8a55', ink: '#171b0b', edge: '#3c4322' },
    british: { paper: '#d4c08f', band: '#a68c4c', ink: '#201a0a', edge: '#574621' },
  },
  badges: { D: 'alarm', DD: 'alarm', S: 'eye' },
  short: { 'Command post': 'CP', 'Armoured car': 'Arm. car' },
};

const PLAIN: Unit = {
  id: 'plain',
  side: 'german',
  nation: 'german',
  name: 'PzKw IV H 1',
  type: 'tank',
  place: null,
  order: 0,
  attack: 14,
  weapon: 'A',
  range: 8,
  doubles: false,
  defence: 8,
  movement: 8,
  size: 'platoon',
  points: 1,
  vehicle: true,
  armoured: true,
  face_up: true,
  dispersed: '',
  spotted: '',
  moved: false,
  fired: false,
  carrier: null,
  cargo: [],
  below: '',
  status: 'on the map',
  badges: [],
};

const soft = { vehicle: false, armoured: false, movement: 1 };

/** The unit with the figures that its counter prints. */
const printed = (unit: Unit): Unit => ({
  ...unit,
  figures: [
    { kind: 'attack', text: String(unit.attack) },
    { kind: 'weapon', text: unit.weapon },
    { kind: 'range', text: `${unit.range}${unit.doubles ? '*' : ''}` },
    { kind: 'defence', text: String(unit.defence) },
    { kind: 'movement', text: String(unit.movement) },
  ],
});

const SORTS: Unit[] = [
  PLAIN,
  { ...PLAIN, name: 'T-70', type: 'light tank' },
  { ...PLAIN, name: 'StuG III G', type: 'assault gun', attack: 12 },
  { ...PLAIN, name: 'Wespe', type: 'howitzer', weapon: '(H)', doubles: true },
  { ...PLAIN, name: 'SdKfz 234/1', type: 'armoured car', weapon: 'H' },
  { ...PLAIN, name: 'SdKfz 251/1', type: 'half-track', weapon: 'I' },
  { ...PLAIN, name: 'Opel Blitz', type: 'transport', armoured: false, attack: 0, weapon: '', range: 0 },
  { ...PLAIN, ...soft, name: 'Wagon', type: 'transport wagon', attack: 0, weapon: '', range: 0 },
  { ...PLAIN, ...soft, name: '7.5cm Pak 40', type: 'anti-tank gun' },
  { ...PLAIN, ...soft, name: '10.5cm howitzer', type: 'howitzer', weapon: '(H)' },
  { ...PLAIN, ...soft, name: '8cm mortar', type: 'mortar', weapon: 'M' },
  { ...PLAIN, ...soft, name: 'Rifle platoon', type: 'infantry', weapon: 'I' },
  { ...PLAIN, ...soft, name: 'Engineer', type: 'engineer', weapon: 'I' },
  { ...PLAIN, ...soft, name: 'Cavalry', type: 'cavalry', weapon: 'I' },
  { ...PLAIN, ...soft, name: 'Command post', type: 'command', attack: 0, weapon: '', range: 0 },
];

/** One unit of each kind that has a sign of its own. */
export const KINDS: Unit[] = SORTS.map(printed);

const state = (words: string, change: Partial<Unit>, i: number) => ({
  words,
  unit: printed({ ...PLAIN, id: `state-${i}`, ...change }),
});

/** One unit in each state that a counter shows. */
export const STATES: { words: string; unit: Unit }[] = (
  [
    ['ready', {}],
    ['moved', { moved: true }],
    ['fired', { fired: true }],
    ['face down', { face_up: false, moved: true }],
    ['dispersed', { dispersed: 'D' }],
    ['twice dispersed', { dispersed: 'DD' }],
    ['spotted', { spotted: 'soviet' }],
    ['loaded', { cargo: ['other'] }],
    ['below ground', { below: 'dug-in' }],
    ['three at once', { dispersed: 'D', spotted: 'soviet', cargo: ['other'] }],
    ['unknown', { face_up: false, name: '' }],
    ['long name', { name: 'Panzerjäger Nashorn heavy company 12' }],
  ] as [string, Partial<Unit>][]
).map(([words, change], i) => state(words, change, i));

export const STEPS: TrackStep[] = ['Indirect fire', 'Direct fire', 'Vehicles', 'Others'].map((title, i) => ({
  id: title,
  title,
  rule: '4.2',
  now: i === 1,
}));

export const CALCULATION: Calculation = {
  title: 'Direct fire',
  rule: '9.5',
  lines: [
    { label: 'PzKw IV H, attack 14', value: '14', rule: '3.4.1', kind: 'attack' },
    { label: 'T-34/76, defence 9', value: '9', rule: '3.4.2', kind: 'defence' },
    { label: 'Odds 14 to 9', value: '1:1', rule: '9.9-P1', kind: 'odds' },
    { label: 'Woods', value: '+1', rule: '9.3.1', kind: 'modifier' },
  ],
  column: '1:1',
  modifier: 1,
  dice: '1d6',
  chances: [
    { result: 'X', chance: '1/6' },
    { result: 'DD', chance: '1/6' },
    { result: 'D', chance: '2/6' },
    { result: 'none', chance: '2/6' },
  ],
  rolled: [4],
  result: 'D',
};

/** A turn of which the track tells. */
export const TURN = {
  turn: 2,
  turns: 8,
  current: 'german',
  each_side: true,
  sides: [
    { id: 'german', name: 'German', nation: 'german', first: true },
    { id: 'soviet', name: 'Soviet', nation: 'soviet', first: false },
  ],
  reinforcements: [{ side: 'soviet', turn: 4, units: ['soviet-9'], where: 'A1' }],
};
