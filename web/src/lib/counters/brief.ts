/** Shorter forms of a name, for a stand that is too small for all of it. Pure. */

/** The number of a unit among those of its kind. */
const NUMBER = / \d{1,3}$/;
const IN_BRACKETS = / *[([][^)\]]*[)\]]/g;

/** A long word as far as the consonants that follow its first vowels: "Inf." for infantry, "Supp." for support. */
const LONG = /\p{L}{6,}/gu;
const BEGINNING = /^[^aeiouyäöü]*[aeiouyäöü]+(?:nth|sch|ch|[^aeiouyäöü]{1,2})/i;

const abbreviated = (words: string): string =>
  words.replace(LONG, (word) => {
    const found = BEGINNING.exec(word)?.[0];
    return found && found.length < word.length - 1 ? `${found}.` : word;
  });

/** The first part of a word with a hyphen or a stroke, if it is a word by itself. */
const FIRST_PART = /^\p{L}{4,}(?=[-/])/u;

/** The words, then fewer and fewer of them down to the first part of the first. */
function fewer(words: string): string[] {
  const pieces = words.split(' ');
  const fewest = FIRST_PART.exec(words)?.[0];
  return [
    ...pieces.map((_, i) =>
      pieces
        .slice(0, pieces.length - i)
        .join(' ')
        .replace(/,$/, ''),
    ),
    ...(fewest ? [fewest] : []),
  ];
}

/**
 * A name, then its shorter forms, the fullest first. Each keeps the number of the unit and is made of whole words or of
 * words with a full stop.
 *
 * `briefer('Infantry Support/MMG 1')` is that, 'Inf. Supp./MMG 1', 'Infantry 1' and 'Inf. 1'.
 */
export function briefer(name: string): string[] {
  const number = NUMBER.exec(name)?.[0] ?? '';
  const bare = name
    .slice(0, name.length - number.length)
    .replace(IN_BRACKETS, '')
    .trim();
  const whole = fewer(bare);
  const [short, ...rest] = whole.map(abbreviated);
  const forms = [bare, short!, ...whole.slice(1), ...rest].filter(Boolean);
  return [...new Set([name, ...forms.map((form) => form + number)])];
}
