/** The player's own rulebooks, one a ruleset: the files lie in this browser alone, and are never sent. */
import { isPdf, NO_PAGES, pageOf, withPage, type Pages } from './mybook';
import { setting } from './storage';

const DATABASE = 'opfire';
const FILES = 'rulebooks';

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(FILES);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error(DATABASE));
  });
}

async function inFiles<T>(
  mode: IDBTransactionMode,
  what: (files: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const open = await database();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = open.transaction(FILES, mode);
      const asked = what(transaction.objectStore(FILES));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error(FILES));
    });
  } finally {
    open.close();
  }
}

interface Kept {
  name: string;
  file: Blob;
}

export class Book {
  /** Where the file can be opened, and what it is called; null without one. */
  url = $state<string | null>(null);
  name = $state('');
  pages = $state.raw<Pages>(NO_PAGES);

  constructor(private readonly ruleset: string) {
    this.pages = { ...NO_PAGES, ...setting.read<Partial<Pages>>(this.key, {}) };
    inFiles<Kept | undefined>('readonly', (files) => files.get(ruleset) as IDBRequest<Kept | undefined>).then(
      (kept) => kept && this.url === null && this.show(kept),
      () => undefined,
    );
  }

  private get key(): string {
    return `book.${this.ruleset}`;
  }

  private show({ name, file }: Kept): void {
    if (this.url) URL.revokeObjectURL(this.url);
    this.name = name;
    this.url = URL.createObjectURL(new Blob([file], { type: 'application/pdf' }));
  }

  /** Takes a file as the rulebook; says what is wrong with it. */
  async take(file: File): Promise<'kept' | 'not a PDF' | 'not kept'> {
    if (!(await isPdf(file))) return 'not a PDF';
    const kept = { name: file.name, file: new Blob([file]) };
    this.show(kept);
    return inFiles('readwrite', (files) => files.put(kept, this.ruleset)).then(
      () => 'kept',
      () => 'not kept',
    );
  }

  async forget(): Promise<void> {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = null;
    this.name = '';
    await inFiles('readwrite', (files) => files.delete(this.ruleset)).catch(() => undefined);
  }

  setPage(rule: string, page: number | null): void {
    this.keep(withPage(this.pages, rule, page));
  }

  setOffset(offset: number): void {
    this.keep({ ...this.pages, offset: Number.isInteger(offset) ? offset : 0 });
  }

  private keep(pages: Pages): void {
    this.pages = pages;
    setting.write(this.key, pages);
  }

  pageOf(rule: string): number | null {
    return pageOf(rule, this.pages);
  }

  /** Opens the file at the page of a rule, if that is known. */
  linkTo(rule: string): string | null {
    const page = this.pageOf(rule);
    return this.url === null ? null : page === null ? this.url : `${this.url}#page=${page}`;
  }
}

const books = new Map<string, Book>();

/** The one book of a ruleset in this page. */
export function bookOf(ruleset: string): Book {
  let book = books.get(ruleset);
  if (!book) books.set(ruleset, (book = new Book(ruleset)));
  return book;
}
