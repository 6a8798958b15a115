/** Brings what has just come up into view, by as little scrolling as that takes. */
export function intoView(node: HTMLElement): void {
  node.scrollIntoView({ block: 'nearest' });
}
