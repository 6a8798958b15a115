import { describe, expect, it } from 'vitest';
import { chaptersOf, isPdf, NO_PAGES, pageOf, withPage, type Pages } from './mybook';

const BOOK: Pages = { offset: 2, pages: { '9': 14, '9.5': 17, '6.0': 11 } };

describe('the page of a rule', () => {
  it('is that of the nearest rule above it, after the pages that are not counted', () => {
    expect(pageOf('9.5', BOOK)).toBe(19);
    expect(pageOf('9.5.2', BOOK)).toBe(19);
    expect(pageOf('9.8-P2', BOOK)).toBe(16);
    expect(pageOf('9.0', BOOK)).toBe(16);
    expect(pageOf('6.1.3', BOOK)).toBe(13);
  });

  it('is never guessed', () => {
    expect(pageOf('5.1', BOOK)).toBeNull();
    expect(pageOf('16.9', { offset: 0, pages: { '1': 3 } })).toBeNull();
    expect(pageOf('9.5', NO_PAGES)).toBeNull();
  });

  it('is set and taken away; nonsense is not kept', () => {
    expect(withPage(NO_PAGES, '9', 14).pages).toEqual({ '9': 14 });
    expect(withPage(BOOK, '9', null).pages).toEqual({ '9.5': 17, '6.0': 11 });
    expect(withPage(NO_PAGES, '9', 0).pages).toEqual({});
    expect(withPage(NO_PAGES, '9', NaN).pages).toEqual({});
    expect(BOOK.pages['9']).toBe(14);
  });
});

it('chapters come by number, with the titles that there are', () => {
  const rules = [
    { rule: '10.0', title: 'Forts' },
    { rule: '9.5', title: 'Direct fire' },
    { rule: '10.1', title: 'Walls' },
    { rule: 'A.1', title: 'Appendix' },
  ];
  expect(chaptersOf(rules)).toEqual([
    { rule: '9', title: '' },
    { rule: '10', title: 'Forts' },
  ]);
});

describe('a PDF', () => {
  it('is known by how it begins, not by its name', async () => {
    expect(await isPdf(new Blob(['%PDF-1.7\n...']))).toBe(true);
    // Some programs write a line before it.
    expect(await isPdf(new Blob(['\n\n%PDF-1.4']))).toBe(true);
    expect(await isPdf(new Blob(['<!doctype html> rulebook.pdf']))).toBe(false);
    expect(await isPdf(new Blob([]))).toBe(false);
  });
});
