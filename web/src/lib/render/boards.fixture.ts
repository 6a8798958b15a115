/** The boards that come with Opfire, read from their own files as far as the tests of the drawing need them. */
import { readdirSync, readFileSync } from 'node:fs';
import { directionTo, opposite } from '../hexgeo';
import type { HexData, Link, MapHex } from '../protocol';

const FOLDER = new URL('../../../../src/opfire/scenarios/boards/', import.meta.url);

/** The terrain letters of all legends that the drawing shows as ground of their own. */
const GROUND: Readonly<Record<string, string>> = {
  w: 'woods',
  W: 'woods',
  b: 'broken',
  c: 'crops',
  t: 'town',
  B: 'town',
  v: 'village',
  T: 'village',
  a: 'sand',
  m: 'swamp',
};
const LEVELS: Readonly<Record<string, number>> = { s: 1, h: 2, p: 3 };

const lettersOf = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : lettersOf(column / 26 - 1) + lettersOf(column % 26);

const chainsOf = (text: string, field: string): string[][] => {
  const list = new RegExp(`^${field}\\s*=\\s*\\[([^\\]]*)\\]`, 'm').exec(text)?.[1] ?? '';
  return [...list.matchAll(/"([^"]*)"/g)].map(([, chain]) =>
    chain!.split(' ').filter((word) => /^[A-Z]+\d+$/.test(word)),
  );
};

function hexOf(column: number, row: number, token: string, panzer: boolean): MapHex {
  const six = <T>(value: T): T[] => Array.from({ length: 6 }, () => value);
  const level = panzer ? parseInt(token, 10) || 0 : Math.max(0, ...[...token].map((c) => LEVELS[c] ?? 0));
  const wet = panzer ? { '=': 'water', '~': 'stream', f: 'ford' } : { '~': 'water' };
  const water = Object.entries(wet).flatMap(([letter, name]) => (token.includes(letter) ? [name] : []));
  const terrain = [...token].flatMap((c) => GROUND[c] ?? []).concat(water);
  return {
    name: lettersOf(column) + row,
    q: column,
    r: row - Math.floor(column / 2),
    board: '1',
    playable: true,
    terrain: terrain.length > 0 ? terrain : ['clear'],
    level,
    label: '',
    sides: six([]),
    links: six<Link>(''),
    gully: six(false),
    bridge: '',
    ford: false,
  };
}

function boardOf(id: string): HexData {
  const text = readFileSync(new URL(`${id}.toml`, FOLDER), 'utf8');
  const panzer = text.includes('legend = "panzer"');
  const rows = /hexes = """\n([^"]*)"""/.exec(text)![1]!.trim().split('\n');
  const hexes = rows.flatMap((line, row) =>
    line
      .trim()
      .split(/\s+/)
      .map((token, column) => hexOf(column, row + 1, token, panzer)),
  );
  const byName = new Map(hexes.map((hex) => [hex.name, hex]));
  const over = (chains: string[][], mark: (hex: MapHex, direction: number) => void) => {
    for (const chain of chains) {
      for (let i = 1; i < chain.length; i++) {
        const [a, b] = [byName.get(chain[i - 1]!), byName.get(chain[i]!)];
        const way = a && b && directionTo(a, b);
        if (!a || !b || way === null || way === undefined) continue;
        mark(a, way);
        mark(b, opposite(way));
      }
    }
  };
  for (const [field, link] of [
    ['paths', 'path'],
    ['tracks', 'track'],
    ['roads', 'road'],
    ['highways', 'highway'],
  ] as const) {
    over(chainsOf(text, field), (hex, direction) => (hex.links[direction] = link));
  }
  over(chainsOf(text, 'gullies'), (hex, direction) => (hex.gully[direction] = true));
  const bridges = /^bridges = \{(.*)\}/m.exec(text)?.[1] ?? '';
  for (const [, name, kind] of bridges.matchAll(/(\w+) = "(\w+)"/g)) byName.get(name!)!.bridge = kind!;
  return { space: 'hexes', id, orientation: 'flat-top', boards: [], hexes };
}

export const BOARDS: readonly HexData[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.toml'))
  .map((file) => boardOf(file.replace('.toml', '')));
