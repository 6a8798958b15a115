/** Rings with round corners: the lattice that they were measured on is not meant. */
import type { Point } from '../../geometry';

/** The ring through the middles of its sides, as SVG writes it. */
export function rounded(ring: readonly Point[]): string {
  const middle = (i: number) => {
    const [a, b] = [ring[i % ring.length]!, ring[(i + 1) % ring.length]!];
    return `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
  };
  const bends = ring.map((_, i) => {
    const corner = ring[(i + 1) % ring.length]!;
    return `Q${corner.x} ${corner.y} ${middle(i + 1)}`;
  });
  return `M${middle(0)}${bends.join('')}Z`;
}
