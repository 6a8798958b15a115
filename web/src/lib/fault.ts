/** What the server says of a record that cannot be opened. Pure. */

/** The line of the record that is at fault, where the server's sentence, which is English, names one. */
export function faultyLine(said: string): number | null {
  const found = /\b(?:record:|line )(\d+)/.exec(said);
  return found ? Number(found[1]) : null;
}
