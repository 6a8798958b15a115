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

/** Smooth noise in [-1, 1] of a place. */
export function wave(x: number, y: number): number {
  return (
    (Math.sin(x * 0.061 + y * 0.027) + Math.sin(y * 0.073 - x * 0.031 + 1.7) + Math.sin((x + y) * 0.117)) / 3
  );
}
