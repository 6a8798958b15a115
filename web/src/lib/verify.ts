/** Verifies the dice of a finished record as docs/records.md describes it; loaded when a game is over. */
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Kept } from './promise';

const KEY_ALONE = 1;
/** Up to this format the digest of a line binds no other line. */
const UNCHAINED = 2;
const HUMAN = 'human';

interface Header {
  opfire: number;
  ruleset: string;
  version: string;
  scenario: string;
  data: string;
  seats: Record<string, string>;
  players: Record<string, string>;
  pack: Record<string, string>;
  commitment: string;
  nonces: Record<string, string>;
  key: string;
  dice: number[] | null;
}

interface Line {
  what?: string;
  rolls?: number[];
  sides?: number[];
  secret?: [number, number][];
  digest?: string;
}

/** What was found: null where this browser has nothing to check by. */
export interface Findings {
  dice: number;
  /** The key and the terms of the game match the commitment in the record. */
  key: boolean;
  /** The commitment in the record is the one that this browser was shown, for every seat that it had. */
  commitment: boolean | null;
  /** What this browser added to the dice is in the record. */
  nonces: boolean | null;
  /** Every die comes out of key and nonces as the record tells. */
  rolls: boolean;
  /** The digest of each line is that of the line and all before it; null in a format without such digests. */
  lines: boolean | null;
  /** The record passes through the position that this browser was shown last. */
  digest: boolean | null;
  /** Whether the game went on under changed rules. */
  updated: boolean;
}

/** Checks the text of a record. Throws for a record without its key. */
export function verify(text: string, kept: Kept): Findings {
  const rows = text.split('\n').filter(Boolean);
  const [header, ...lines] = rows.map((row) => JSON.parse(row) as unknown) as [Header, ...Line[]];
  if (header.key.length !== 64) throw new Error('a record without its key');
  const promises = Object.entries(kept.promises ?? {});
  return {
    dice: lines.reduce((sum, line) => sum + (line.sides ?? []).length + (line.secret ?? []).length, 0),
    key: commitmentOf(header) === header.commitment,
    commitment: promises.length ? promises.every(([, p]) => p.commitment === header.commitment) : null,
    nonces: promises.length ? promises.every(([seat, p]) => header.nonces[seat] === p.nonce) : null,
    rolls: rollsAgree(header, lines),
    lines: header.opfire > UNCHAINED ? linesAgree(header, rows.slice(1)) : null,
    digest: kept.digest ? lines.some((line) => line.digest === kept.digest) : null,
    updated: lines.some(({ what }) => what === 'update'),
  };
}

const utf8 = new TextEncoder();

/** A name that BLAKE2b mixes in, filled up to its sixteen bytes. */
function person(name: string): Uint8Array {
  const filled = new Uint8Array(16);
  filled.set(utf8.encode(name));
  return filled;
}

function withLength(text: string): Uint8Array {
  const part = utf8.encode(text);
  const whole = new Uint8Array(4 + part.length);
  new DataView(whole.buffer).setUint32(0, part.length);
  whole.set(part, 4);
  return whole;
}

export function commitmentOf(header: Header): string {
  const hash = blake2b.create({ dkLen: 32, personalization: person('opfire commit') });
  hash.update(hexToBytes(header.key));
  if (header.opfire !== KEY_ALONE) for (const term of termsOf(header)) hash.update(withLength(term));
  return bytesToHex(hash.digest());
}

function termsOf(header: Header): string[] {
  const tables = Object.entries(header.pack).sort(([a], [b]) => byBytes(a, b));
  const seats = Object.entries(header.seats);
  return [
    header.ruleset,
    header.version,
    header.scenario,
    header.data,
    String(tables.length),
    String(seats.length),
    ...tables.flat(),
    ...seats.flatMap(([seat, side]) => [seat, side, header.players[seat] ?? HUMAN]),
  ];
}

/** The order of code points, in which the server sorts. */
function byBytes(a: string, b: string): number {
  const [one, other] = [[...a], [...b]];
  const at = one.findIndex((letter, i) => letter !== other[i]);
  if (at < 0) return one.length - other.length;
  return (one[at]!.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1);
}

/** The digest before the first line: of all that the header holds. */
function firstDigest(header: Header): string {
  const players = Object.entries(header.players);
  const nonces = Object.entries(header.nonces);
  const parts = [
    String(header.opfire),
    header.commitment,
    ...termsOf(header),
    String(players.length),
    String(nonces.length),
    ...players.flat(),
    ...nonces.flat(),
    JSON.stringify(header.dice),
  ];
  return digestOf(header.key, parts.map(withLength));
}

function digestOf(key: string, parts: readonly Uint8Array[]): string {
  const hash = blake2b.create({ dkLen: 16, key: hexToBytes(key), personalization: person('opfire line') });
  for (const part of parts) hash.update(part);
  return bytesToHex(hash.digest());
}

function linesAgree(header: Header, rows: readonly string[]): boolean {
  let before = firstDigest(header);
  return rows.every((row) => {
    const text = row.replace(/,"digest":"[0-9a-f]*"\}$/, '}');
    before = digestOf(header.key, [hexToBytes(before), utf8.encode(text)]);
    return row === `${text.slice(0, -1)},"digest":"${before}"}`;
  });
}

export function seedOf(key: string, nonces: readonly string[]): Uint8Array {
  const hash = blake2b.create({
    dkLen: 32,
    key: hexToBytes(key),
    personalization: person('opfire seed'),
  });
  for (const nonce of nonces) hash.update(withLength(nonce));
  return hash.digest();
}

const WORDS = 1n << 64n;

/** Die number `count` of the open ones (`o`) or the secret ones (`s`); what would favour low faces is drawn again. */
export function die(seed: Uint8Array, kind: 'o' | 's', count: number, sides: number): number {
  const limit = WORDS - (WORDS % BigInt(sides));
  for (let attempt = 0; ; attempt++) {
    const word = blake2b(utf8.encode(`${kind}${count}.${attempt}`), { dkLen: 8, key: seed });
    const value = new DataView(word.buffer, word.byteOffset, 8).getBigUint64(0);
    if (value < limit) return Number(value % BigInt(sides)) + 1;
  }
}

function rollsAgree(header: Header, lines: readonly Line[]): boolean {
  const seed = seedOf(header.key, Object.values(header.nonces));
  const count = { o: 0, s: 0 };
  return lines.every((line) => {
    const open = (line.sides ?? []).map((sides) => die(seed, 'o', ++count.o, sides));
    const secret = (line.secret ?? []).map(([number, sides]) => die(seed, 's', ++count.s, sides) === number);
    return JSON.stringify(open) === JSON.stringify(line.rolls ?? []) && secret.every(Boolean);
  });
}
