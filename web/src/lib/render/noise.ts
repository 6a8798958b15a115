/** Repeatable scatter: the same map always looks the same. */

/** A number in [0, 1) for a text. */
export function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 16777619);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 2246822519);
  h ^= h >>> 13;
  return (h >>> 0) / 4294967296;
}

/** A stream of numbers in [0, 1) from a seed text. */
export function stream(seed: string): () => number {
  let state = Math.floor(hash(seed) * 4294967296) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const eased = (t: number): number => t * t * (3 - 2 * t);

/** Smooth noise in [-1, 1]: the lattice of a hash, blended. */
export function noise(x: number, y: number, seed: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [eased(x - i), eased(y - j)];
  const at = (a: number, b: number) => {
    let h = Math.imul(a, 374761393) ^ Math.imul(b, 668265263) ^ Math.imul(seed, 2246822519);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1;
  };
  const top = at(i, j) * (1 - u) + at(i + 1, j) * u;
  const foot = at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u;
  return top * (1 - v) + foot * v;
}

/** Noise in about [-1, 1] with a finer one on it. */
export function fbm(x: number, y: number, seed: number): number {
  return 0.7 * noise(x, y, seed) + 0.3 * noise(x * 2.3, y * 2.3, seed + 100);
}

/** A number in [0, 1) of a place of a lattice. */
export function whim(i: number, j: number, seed: number): number {
  let h = Math.imul(i, 668265263) ^ Math.imul(j, 374761393) ^ Math.imul(seed, 3266489917);
  h = Math.imul(h ^ (h >>> 15), 2246822519);
  h = Math.imul(h ^ (h >>> 13), 3266489917);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}
