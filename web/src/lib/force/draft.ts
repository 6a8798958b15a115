/** A force while it is put together, and the text of its file. Pure but for the draft that is changed. */
import type { ForceField, ForceForm, ForcePart, Offer } from '../protocol';

export type Value = string | number | boolean | string[] | null;
/** The values of fields by their keys. */
export type Values = Record<string, Value>;

/** A number of offers of one kind, with what makes them dearer. */
export interface Entry {
  id: string;
  name: string;
  points: number;
  count: number;
  values: Values;
}

export interface Formation {
  values: Values;
  entries: Entry[];
}

export interface Draft {
  values: Values;
  formations: Formation[];
  /** The lists of the force itself, by their keys in the file. */
  lists: Record<string, Entry[]>;
  /** The number of the formation to which stands are added. */
  into: number;
}

const begun = (fields: readonly ForceField[]): Values =>
  Object.fromEntries(fields.filter((f) => f.begin !== null).map((f) => [f.key, f.begin]));

export const newFormation = (form: ForceForm, name: string): Formation => ({
  values: { ...begun(form.formation), name },
  entries: [],
});

export const newDraft = (form: ForceForm, name: string): Draft => ({
  values: begun(form.fields),
  formations: [newFormation(form, name)],
  lists: Object.fromEntries(form.others.map((part) => [part.key, []])),
  into: 0,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEntry = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  typeof value.points === 'number' &&
  typeof value.count === 'number' &&
  isRecord(value.values);

const areEntries = (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);

/** Whether this was kept by this page: what a browser kept may be of any age. */
export function isDraft(value: unknown): value is Draft {
  return (
    isRecord(value) &&
    isRecord(value.values) &&
    typeof value.into === 'number' &&
    isRecord(value.lists) &&
    Object.values(value.lists).every(areEntries) &&
    Array.isArray(value.formations) &&
    value.formations.length > 0 &&
    value.formations.every((f) => isRecord(f) && isRecord(f.values) && areEntries(f.entries))
  );
}

/** The list into which an offer goes: that of a formation, or one of the force itself. */
function listFor(draft: Draft, form: ForceForm, offer: Offer): Entry[] {
  if (offer.part !== form.stands.key) return (draft.lists[offer.part] ??= []);
  const formation = draft.formations[draft.into] ?? draft.formations[0]!;
  return formation.entries;
}

const isPlain = (entry: Entry) => Object.values(entry.values).every(isEmpty);

/** Adds one of an offer: to the same offer without options, if it is there. */
export function add(draft: Draft, form: ForceForm, offer: Offer): void {
  const list = listFor(draft, form, offer);
  const same = list.find((entry) => entry.id === offer.id && isPlain(entry));
  if (same) same.count += 1;
  else list.push({ id: offer.id, name: offer.name, points: offer.points, count: 1, values: {} });
}

/** Takes a formation away; one always stays. */
export function dropFormation(draft: Draft, index: number): void {
  draft.formations.splice(index, 1);
  if (draft.into > index || draft.into >= draft.formations.length) draft.into = Math.max(0, draft.into - 1);
}

// --- the text -----------------------------------------------------------------------------------------------

type Data = string | number | boolean | Data[] | { [key: string]: Data };
type Table = { [key: string]: Data };

/** What is left empty is left out. */
export function isEmpty(value: Value | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Puts a value at its path: `works.wire` is the wire of the works. */
function put(table: Table, key: string, value: Data): void {
  const [first, ...rest] = key.split('.') as [string, ...string[]];
  if (rest.length === 0) table[first] = value;
  else put((table[first] ??= {}) as Table, rest.join('.'), value);
}

function filled(fields: readonly ForceField[], values: Values): Table {
  const table: Table = {};
  for (const { key } of fields) {
    const value = values[key];
    if (!isEmpty(value)) put(table, key, value as Data);
  }
  return table;
}

const entriesOf = (part: ForcePart, entries: readonly Entry[]): Table[] =>
  entries.map((entry) => ({
    [part.id]: entry.id,
    ...(entry.count === 1 ? {} : { count: entry.count }),
    ...filled(part.fields, entry.values),
  }));

/** The force as its file has it. */
export function dataOf(ruleset: string, form: ForceForm, draft: Draft): Table {
  const others = form.others.map((part) => [part.key, entriesOf(part, draft.lists[part.key] ?? [])] as const);
  return {
    ruleset,
    ...filled(form.fields, draft.values),
    ...Object.fromEntries(others.filter(([, entries]) => entries.length > 0)),
    formations: draft.formations.map((formation) => ({
      ...filled(form.formation, formation.values),
      [form.stands.key]: entriesOf(form.stands, formation.entries),
    })),
  };
}

const isTable = (data: Data): data is Table => typeof data === 'object' && !Array.isArray(data);
const isTables = (data: Data): data is Table[] =>
  Array.isArray(data) && data.length > 0 && data.every((item) => isTable(item));

/** Strings of JSON are strings of TOML, but for one character. */
const inText = (data: string | number | boolean) => JSON.stringify(data).replaceAll('\u007f', '\\u007f');

function inline(data: Data): string {
  if (isTables(data)) return `[\n${data.map((item) => `  ${inline(item)},\n`).join('')}]`;
  if (Array.isArray(data)) return `[${data.map(inline).join(', ')}]`;
  if (isTable(data)) return `{ ${lines(data).join(', ')} }`;
  return inText(data);
}

const lines = (table: Table): string[] =>
  Object.entries(table).map(([key, value]) => `${key} = ${inline(value)}`);

/** A table as the text of a TOML file; its lists of tables come last, each table under a head. */
export function toml(table: Table): string {
  const heads = Object.entries(table).filter(([, value]) => isTables(value));
  const plain = Object.fromEntries(Object.entries(table).filter(([, value]) => !isTables(value)));
  const parts = heads.flatMap(([key, value]) =>
    (value as Table[]).map((item) => [`[[${key}]]`, ...lines(item)].join('\n')),
  );
  return `${[lines(plain).join('\n'), ...parts].join('\n\n')}\n`;
}
