import { describe, expect, it } from 'vitest';
import type { ForceField, ForceForm, Offer } from '../protocol';
import { add, dataOf, dropFormation, isDraft, newDraft, newFormation, toml } from './draft';

const field = (key: string, more: Partial<ForceField> = {}): ForceField => ({
  key,
  label: key,
  kind: 'words',
  group: '',
  least: 0,
  most: 99,
  begin: null,
  choices: [],
  ...more,
});

const FORM: ForceForm = {
  fields: [
    field('title', { begin: 'Mine' }),
    field('cohesion', { kind: 'number', begin: 15 }),
    field('works.wire', { kind: 'number' }),
    field('works.light', { kind: 'number' }),
    field('marines', { kind: 'yes' }),
    field('circumstances', { kind: 'several' }),
  ],
  formation: [field('name', { begin: 'F' })],
  stands: {
    key: 'stands',
    title: 'Stands',
    id: 'weapon',
    fields: [field('hq', { kind: 'yes' }), field('ghq', { kind: 'number' })],
  },
  others: [{ key: 'strikes', title: 'Strikes', id: 'aircraft', fields: [] }],
};

const offer = (id: string, part = 'stands'): Offer => ({
  id,
  nation: 'Germany',
  kind: 'tank',
  name: id,
  points: 9,
  years: '1939-',
  buyers: [],
  values: {},
  part,
  vehicle: true,
  armoured: true,
});

const text = (draft: ReturnType<typeof newDraft>) => toml(dataOf('book', FORM, draft));

describe('a new force', () => {
  it('has the values that fields begin with, and one formation', () => {
    expect(text(newDraft(FORM, 'One'))).toBe(
      'ruleset = "book"\ntitle = "Mine"\ncohesion = 15\n\n[[formations]]\nname = "One"\nstands = []\n',
    );
  });

  it('is known again when it was kept, and nothing else is', () => {
    expect(isDraft(JSON.parse(JSON.stringify(newDraft(FORM, 'One'))))).toBe(true);
    for (const other of [null, 5, {}, [], { ...newDraft(FORM, 'One'), formations: [] }])
      expect(isDraft(other)).toBe(false);
    expect(isDraft({ ...newDraft(FORM, 'One'), lists: { strikes: [5] } })).toBe(false);
  });
});

describe('what is added', () => {
  it('goes into the formation that is chosen, and counts', () => {
    const draft = newDraft(FORM, 'One');
    draft.formations.push(newFormation(FORM, 'Two'));
    draft.into = 1;
    add(draft, FORM, offer('tank'));
    add(draft, FORM, offer('tank'));
    expect(draft.formations.map((f) => f.entries.map((e) => [e.id, e.count]))).toEqual([[], [['tank', 2]]]);
  });

  it('stays apart from the same stands with options', () => {
    const draft = newDraft(FORM, 'One');
    add(draft, FORM, offer('staff'));
    draft.formations[0]!.entries[0]!.values.ghq = 0;
    add(draft, FORM, offer('staff'));
    expect(text(draft)).toContain('stands = [\n  { weapon = "staff", ghq = 0 },\n  { weapon = "staff" },\n]');
  });

  it('goes into a list of the force where the rulebook says so', () => {
    const draft = newDraft(FORM, 'One');
    add(draft, FORM, offer('plane', 'strikes'));
    add(draft, FORM, offer('plane', 'strikes'));
    expect(text(draft)).toContain('[[strikes]]\naircraft = "plane"\ncount = 2\n\n[[formations]]');
  });
});

describe('the text', () => {
  it('has fields at their paths and leaves out what is empty', () => {
    const draft = newDraft(FORM, 'One');
    Object.assign(draft.values, {
      'works.wire': 3,
      'works.light': 0,
      marines: false,
      circumstances: ['green'],
    });
    expect(text(draft)).toContain('works = { wire = 3, light = 0 }\ncircumstances = ["green"]\n');
    expect(text(draft)).not.toContain('marines');
  });

  it('quotes what players write', () => {
    const draft = newDraft(FORM, 'One');
    draft.values.title = 'A "title"\n\\ \u007f';
    expect(text(draft)).toContain('title = "A \\"title\\"\\n\\\\ \\u007f"');
  });
});

it('the formation that is chosen stays chosen when one before it goes', () => {
  const draft = newDraft(FORM, 'One');
  draft.formations.push(newFormation(FORM, 'Two'), newFormation(FORM, 'Three'));
  draft.into = 2;
  dropFormation(draft, 0);
  expect([draft.into, draft.formations[draft.into]?.values.name]).toEqual([1, 'Three']);
  dropFormation(draft, 1);
  expect([draft.into, draft.formations[draft.into]?.values.name]).toEqual([0, 'Two']);
});
