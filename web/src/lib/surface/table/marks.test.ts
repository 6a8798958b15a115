import { describe, expect, it } from 'vitest';
import { PER_INCH } from '../../render/table/model';
import { inLines, marksAlong } from './marks';

describe('inches along a way', () => {
  it('are counted through its corners', () => {
    const [a, b, c] = [0, 2.5, 5].map((n) => n * PER_INCH) as [number, number, number];
    const way = [
      { x: a, y: 0 },
      { x: b, y: 0 },
      { x: b, y: c - b },
    ];
    const found = marksAlong(way);
    expect(found.map((mark) => mark.inches)).toEqual([1, 2, 3, 4]);
    expect(found[2]).toEqual({ x: b, y: 0.5 * PER_INCH, inches: 3 });
  });
});

describe('a sentence', () => {
  it('is broken into lines between its words', () => {
    expect(inLines('Vehicles cannot enter the brook: cross it elsewhere', 24)).toEqual([
      'Vehicles cannot enter',
      'the brook: cross it',
      'elsewhere',
    ]);
    expect(inLines('4.25″, 1.75″ left')).toEqual(['4.25″, 1.75″ left']);
  });
});
