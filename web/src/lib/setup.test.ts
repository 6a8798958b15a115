import { describe, expect, it } from 'vitest';
import type { Unit } from './protocol';
import { kindInWaiting } from './setup';

const NAMES: Record<string, string> = { a: 'SMG 43 1', b: 'SMG 43 2', c: 'Rifle 43 1' };
const kind = (name: string, ...cargo: string[]) =>
  kindInWaiting({ name, cargo } as unknown as Unit, (id) => NAMES[id]!);

describe('the kind of a waiting unit', () => {
  it('is that of its name without its number', () => {
    expect(kind('T-34/76 C 1')).toBe(kind('T-34/76 C 12'));
    expect(kind('T-34/76 C 1')).not.toBe(kind('SU-76 1'));
  });

  it('is another with riders, and with riders of another kind', () => {
    expect(kind('T-34/76 C 1', 'a')).toBe(kind('T-34/76 C 2', 'b'));
    expect(kind('T-34/76 C 1', 'a')).not.toBe(kind('T-34/76 C 3'));
    expect(kind('T-34/76 C 1', 'a')).not.toBe(kind('T-34/76 C 4', 'c'));
  });
});
