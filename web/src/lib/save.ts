/** Hands a file to the player. */
export function save(content: Blob | string, name: string): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may not have begun to read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
