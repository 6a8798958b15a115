import { describe, expect, it } from 'vitest';
import { die, seedOf, verify } from './verify';

/** Commitment and dice are by Python's hashlib, written from docs/records.md. */
const KEY = '00'.repeat(32);
const COMMITMENT = 'cc19aa6d1315153c953a6e5e0ffd70c5fe50e123942f66ff845184e944c9a301';
const HEADER = {
  opfire: 2,
  ruleset: 'toy',
  version: '1',
  scenario: 'id = "toy"\ntitle = "Straße 𝕏"',
  seats: { Anna: 'german', soviet: 'soviet' },
  players: { soviet: 'greedy' },
  data: 'f6fc42039fba3776',
  pack: { '𝕏.csv': 'ü', 'a.csv': '1,2' },
  commitment: COMMITMENT,
  nonces: { Anna: 'a1' },
  key: KEY,
  dice: null,
};
const LINES = [
  { n: 1, seat: 'Anna', rolls: [5, 2], sides: [6, 6], digest: '7ff3512b6cba12c9' },
  { n: 2, seat: 'soviet', secret: [[4, 10]] },
  { n: 3, seat: 'Anna', rolls: [1], sides: [6], secret: [[9, 10]], digest: 'c765c4e4c85d96d3' },
];
const KEPT = { promises: { Anna: { commitment: COMMITMENT, nonce: 'a1' } }, digest: '7ff3512b6cba12c9' };
const GOOD = {
  dice: 5,
  key: true,
  commitment: true,
  nonces: true,
  rolls: true,
  lines: null,
  digest: true,
  updated: false,
};

const record = (header: object = {}, lines: object[] = LINES) =>
  [{ ...HEADER, ...header }, ...lines].map((line) => JSON.stringify(line)).join('\n') + '\n';

describe('verifying a record in the browser', () => {
  it('finds all as it was promised', () => {
    expect(verify(record(), KEPT)).toEqual(GOOD);
  });

  it('says what it cannot know where the browser has kept nothing', () => {
    expect(verify(record(), {})).toEqual({ ...GOOD, commitment: null, nonces: null, digest: null });
  });

  it('tells of a game that went on under changed rules', () => {
    const update = { n: 4, what: 'update', do: { version: '2', data: '0' } };
    expect(verify(record({}, [...LINES, update]), KEPT)).toEqual({ ...GOOD, updated: true });
  });

  it.each([
    ['another scenario', { scenario: 'id = "toy"' }],
    ['another player', { players: { soviet: 'human' } }],
    ['another seat', { seats: { Anna: 'german', soviet: 'soviet', Bert: 'german' } }],
    ['other data', { data: '0' }],
    ['another table', { pack: { 'a.csv': '1,2', '𝕏.csv': 'u' } }],
  ])('finds %s than was promised', (_, change) => {
    expect(verify(record(change), KEPT)).toEqual({ ...GOOD, key: false });
  });

  it('finds another key, and that the dice do not come out of it', () => {
    expect(verify(record({ key: '11'.repeat(32) }), KEPT)).toEqual({ ...GOOD, key: false, rolls: false });
  });

  it('finds another promise than the browser kept', () => {
    const promises = { Anna: { commitment: 'ab'.repeat(32), nonce: 'a1' } };
    expect(verify(record(), { ...KEPT, promises })).toEqual({ ...GOOD, commitment: false });
  });

  it('finds that what the browser added is not in', () => {
    expect(verify(record({ nonces: { Anna: 'a2' } }), KEPT)).toEqual({
      ...GOOD,
      nonces: false,
      rolls: false,
    });
  });

  it.each([
    ['an open die', { ...LINES[0], rolls: [5, 3] }],
    ['an open die left out', { ...LINES[0], rolls: [5], sides: [6] }],
    ['a secret die', { ...LINES[0], secret: [[3, 10]] }],
  ])('finds %s that did not fall so', (_, line) => {
    expect(verify(record({}, [line, ...LINES.slice(1)]), KEPT).rolls).toBe(false);
  });

  it('finds that the record passes the last position by', () => {
    expect(verify(record({}, LINES), { ...KEPT, digest: '0000000000000000' }).digest).toBe(false);
  });

  it('checks the first format, whose commitment binds the key alone', () => {
    const alone = 'a6ad161f8e28602229c78fc17897e0a32bf7d073d631043cc210b1689ca2ff8a';
    expect(verify(record({ opfire: 1, commitment: alone, scenario: 'another' }), {}).key).toBe(true);
  });

  it('does not take a record without its key', () => {
    expect(() => verify(record({ key: '' }), KEPT)).toThrow();
  });
});

describe('a die', () => {
  it('is the one of the page on records', () => {
    expect(die(seedOf(KEY, ['a1', 'b2']), 'o', 1, 20)).toBe(14);
  });

  it('is drawn again where a word would favour low faces', () => {
    // A little more than half of all words as sides: Python draws die 1 of this seed twice, die 5 once.
    const sides = 2 ** 63 + 2 ** 11;
    const seed = seedOf(KEY, ['a1']);
    expect(Math.abs(die(seed, 'o', 1, sides) - 1.826622674452172e18)).toBeLessThan(1e4);
    expect(Math.abs(die(seed, 'o', 5, sides) - 1.857084518777189e18)).toBeLessThan(1e4);
  });
});

/** The example of docs/records.md, as the server wrote it. */
const CHAINED = [
  String.raw`{"opfire":3,"ruleset":"toy-group","version":"1","scenario":"id = \"toy-group\"\nruleset = \"toy-group\"\ntitle = \"Toy\"\nturns = 6\nfirst = \"german\"\n[sides.german]\nname = \"German\"\nnation = \"German\"\n[[sides.german.units]]\nunit = \"toy\"\ncount = 3\n[sides.soviet]\nname = \"Soviet\"\nnation = \"Soviet\"\n[[sides.soviet.units]]\nunit = \"toy\"\ncount = 3\n","seats":{"german":"german","soviet":"soviet"},"players":{},"data":"b4ccfb1efaea05db","pack":{},"commitment":"d5105478f45eb38a4ecec0ea10d36b6cb8a995757df312c4242be10053ec9b8f","nonces":{"german":"a1","soviet":"b2"},"key":"0000000000000000000000000000000000000000000000000000000000000000","dice":null}`,
  String.raw`{"n":1,"seat":"german","do":{"type":"Order"},"rolls":[14],"sides":[20],"events":["german: True"],"state":"e8410fa662ee1c39","digest":"9e4edfd796dcfcd32a257d734ededc90"}`,
  String.raw`{"n":2,"seat":"german","do":{"type":"Move","unit":"german-1","to":[2500,8000]},"state":"cc5fd07c567c2249","digest":"a1546467e5887eb7586e67f94e5b61d5"}`,
  String.raw`{"n":3,"seat":"soviet","what":"concede","events":["Soviet concedes"],"state":"c0f853b6c6581ff1","digest":"98f8e557bbe1fab7122405baaffa631e"}`,
];
const SEEN = { digest: 'a1546467e5887eb7586e67f94e5b61d5' };

describe('the digests of the third format', () => {
  const found = (rows: readonly string[]) => verify(rows.join('\n') + '\n', SEEN);

  it('bind each line and all before it', () => {
    expect(found(CHAINED)).toMatchObject({ key: true, rolls: true, lines: true, digest: true });
  });

  it.each([
    [0, '"german":"a1"', '"german":"a2"'],
    [0, '"players":{}', '"players":{"soviet":"human"}'],
    [0, '"dice":null', '"dice":[14]'],
    [1, 'german: True', 'german: true'],
    [2, '[2500,8000]', '[2500,8001]'],
    [3, '"seat":"soviet"', '"seat":"german"'],
    [3, 'c0f853b6', 'c0f853b7'],
    [2, '"digest":"a1', '"digest":"a2'],
  ])('find a change of line %i: %s', (at, old, other) => {
    const rows = CHAINED.map((row, i) => (i === at ? row.replace(old, other) : row));
    expect(rows).not.toEqual(CHAINED);
    expect(found(rows).lines).toBe(false);
  });

  it('find a line that is left out', () => {
    expect(found([CHAINED[0]!, ...CHAINED.slice(2)]).lines).toBe(false);
  });
});
