/** A small made-up map for looking at the page without the server. */
import type { Link, HexData, MapHex } from '../src/lib/protocol';
import { STEPS } from '../src/lib/hexgeo';

const ROWS = [
  '...ww......',
  '.hh.www..b.',
  '.hHh.w..bb.',
  '..hh..v....',
  '......tt.ss',
  'ww.....t.ss',
  '.ww.dd...~~',
  '..w.d...~~~',
];

const KINDS: Record<string, string> = {
  '.': 'clear',
  w: 'woods',
  b: 'broken',
  h: 'slope',
  H: 'hilltop',
  v: 'village',
  t: 'town',
  s: 'swamp',
  '~': 'water',
  d: 'sand',
};

const LETTERS = 'ABCDEFGHIJKLMNOP';
const LABELS: Record<string, string> = {
  '1-G5': 'Brodna',
  '1-H5': 'Brodna',
  '1-H6': 'Brodna',
  '1-G4': 'Lipki',
  '1-C3': 'Hill 214',
};
const ROADS: [Link, string[]][] = [
  ['road', ['A5', 'B5', 'C5', 'D5', 'E5', 'F5', 'G5', 'H5', 'I5', 'J4', 'K4']],
  ['road', ['G5', 'G4', 'G3', 'G2', 'G1']],
  ['track', ['H6', 'H7', 'G8']],
  ['track', ['D5', 'D6', 'D7', 'D8']],
];
const GULLIES = [
  ['E1', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'G8'].slice(1),
  ['I3', 'I4', 'I5', 'J5', 'J6', 'J7'],
];
const BRIDGES: Record<string, string> = { F5: 'road', I5: 'road' };
const FORDS = new Set(['F7']);

function axial(name: string): { q: number; r: number } {
  const q = LETTERS.indexOf(name[0] ?? 'A');
  return { q, r: Number(name.slice(1)) - Math.floor(q / 2) };
}

function build(): HexData {
  const byPlace = new Map<string, MapHex>();
  ROWS.forEach((row, y) =>
    [...row].forEach((code, x) => {
      const short = `${LETTERS[x]}${y + 1}`;
      const { q, r } = axial(short);
      const kind = KINDS[code] ?? 'clear';
      byPlace.set(`${q},${r}`, {
        name: `1-${short}`,
        q,
        r,
        board: '1',
        playable: true,
        terrain: kind === 'hilltop' ? ['hilltop'] : [kind],
        level: kind === 'slope' ? 1 : kind === 'hilltop' ? 2 : 0,
        label: LABELS[`1-${short}`] ?? '',
        sides: [[], [], [], [], [], []],
        links: ['', '', '', '', '', ''],
        gully: [false, false, false, false, false, false],
        bridge: BRIDGES[short] ?? '',
        ford: FORDS.has(short),
      });
    }),
  );
  const beyond = (hex: MapHex, d: number) => byPlace.get(`${hex.q + STEPS[d]!.q},${hex.r + STEPS[d]!.r}`);
  const chain = (names: string[], set: (hex: MapHex, d: number) => void) => {
    for (let i = 0; i + 1 < names.length; i++) {
      const a = axial(names[i]!);
      const b = axial(names[i + 1]!);
      const d = STEPS.findIndex((s) => a.q + s.q === b.q && a.r + s.r === b.r);
      if (d < 0) throw new Error(`${names[i]} does not adjoin ${names[i + 1]}`);
      set(byPlace.get(`${a.q},${a.r}`)!, d);
      set(byPlace.get(`${b.q},${b.r}`)!, (d + 3) % 6);
    }
  };
  for (const [kind, names] of ROADS) chain(names, (hex, d) => (hex.links[d] = kind));
  for (const names of GULLIES) chain(names, (hex, d) => (hex.gully[d] = true));
  byPlace.get('0,5')!.links[5] = 'road';
  for (const hex of byPlace.values()) {
    for (let d = 0; d < 6; d++) {
      const other = beyond(hex, d);
      if (!other) continue;
      for (const kind of ['woods', 'broken', 'town']) {
        if (hex.terrain.includes(kind) !== other.terrain.includes(kind)) hex.sides[d]!.push(kind);
      }
      if (hex.level !== other.level) {
        hex.sides[d]!.push(Math.max(hex.level, other.level) === 2 ? 'hilltop' : 'slope');
      }
    }
  }
  return {
    id: 'mock',
    space: 'hexes',
    orientation: 'flat-top',
    hexes: [...byPlace.values()],
    boards: [{ id: 'own-1', number: '1', title: 'Brodna', turned: false }],
  };
}

export const MAP = build();
