/** A part of an address as text, or null where its percent signs are damaged. */
export function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
