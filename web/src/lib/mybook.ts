/** The page of a rule in the player's own rulebook, as the player has said. Pure. */
import { parentsOf } from './rulebook';

/** `offset` pages come before the one numbered 1; `pages` are printed page numbers, by chapter or rule. */
export interface Pages {
  offset: number;
  pages: Record<string, number>;
}

export const NO_PAGES: Pages = { offset: 0, pages: {} };

/** Chapter 9 is 9.0 in the index. */
const names = (rule: string) => (rule.endsWith('.0') ? [rule, rule.slice(0, -2)] : [rule]);

/** The page of the file on which a rule is to be found: that of the nearest rule above it that has one. */
export function pageOf(rule: string, { offset, pages }: Pages): number | null {
  const chapter = rule.split('.')[0]!;
  for (const known of [rule, ...parentsOf(rule), chapter].flatMap(names)) {
    const page = pages[known];
    if (page !== undefined) return page + offset;
  }
  return null;
}

/** The same pages with one more, changed, or (with null) taken away. */
export function withPage(book: Pages, rule: string, page: number | null): Pages {
  const pages = { ...book.pages };
  if (page === null || !Number.isInteger(page) || page < 1) delete pages[rule];
  else pages[rule] = page;
  return { ...book, pages };
}

/** The chapters of a rulebook by number, each with the title that the index gives it, if any. */
export function chaptersOf(
  rules: readonly { rule: string; title: string }[],
): { rule: string; title: string }[] {
  const found = new Map<string, string>();
  for (const { rule, title } of rules) {
    const chapter = rule.split('.')[0]!;
    if (/^\d+$/.test(chapter))
      found.set(chapter, rule === `${chapter}.0` ? title : (found.get(chapter) ?? ''));
  }
  return [...found].map(([rule, title]) => ({ rule, title })).sort((a, b) => Number(a.rule) - Number(b.rule));
}

const MAGIC = '%PDF-';
/** Readers look for it that far in. */
const WITHIN = 1024;

export async function isPdf(file: Blob): Promise<boolean> {
  return new TextDecoder('latin1').decode(await file.slice(0, WITHIN).arrayBuffer()).includes(MAGIC);
}
