import { describe, expect, it } from 'vitest';
import { barOf, frameOf, marksOf, stepAt } from './frame';
import { PER_INCH } from './model';

const box = { x: 0, y: 0, width: 60 * PER_INCH, height: 40 * PER_INCH };
const texts = (...given: Parameters<typeof marksOf>) => marksOf(...given).map(({ text }) => text);

describe('the frame of a free table', () => {
  it('leaves room on all sides, most at the foot, where the title stands', () => {
    const { x, y, width, height } = frameOf(box);
    const [east, south] = [x + width - box.width, y + height - box.height];
    expect(x).toBeLessThan(0);
    expect(y).toBe(x);
    expect(east).toBeCloseTo(-x);
    expect(south).toBeGreaterThan(east);
  });

  it('says what its scale bar stands for, where the book does', () => {
    expect(barOf({ box, metres: 100 })).toEqual({
      length: 12 * PER_INCH,
      marks: ['0', '6″', '12″ = 1200 m'],
    });
    expect(barOf({ box, metres: 0 }).marks).toEqual(['0', '6″', '12″']);
    // A foot would fill a small table.
    const small = { ...box, width: 20 * PER_INCH };
    expect(barOf({ box: small, metres: 125 }).marks).toEqual(['0', '3″', '6″ = 750 m']);
  });

  it('writes inches from the north-western corner along all edges', () => {
    for (const side of ['north', 'east', 'south', 'west'] as const)
      expect(marksOf(side, 12 * PER_INCH, 6, undefined)).toEqual([
        { at: 0, text: '0″' },
        { at: 6 * PER_INCH, text: '6″' },
        { at: 12 * PER_INCH, text: '12″' },
      ]);
  });

  it('counts coordinates to the right and up from the near left corner of their player', () => {
    // 60 inches wide and 40 high: the near left corner of a player in the south is the south-western one.
    const [wide, high] = [60 * PER_INCH, 40 * PER_INCH];
    expect(marksOf('south', wide, 12, 'south')[1]).toEqual({ at: 12 * PER_INCH, text: '12' });
    expect(marksOf('west', high, 6, 'south')[1]).toEqual({ at: 34 * PER_INCH, text: '06' });
    expect(texts('north', wide, 12, 'south')[1]).toBe('12″');
    // In the north it is the north-eastern one.
    expect(marksOf('north', wide, 12, 'north')[1]).toEqual({ at: 48 * PER_INCH, text: '12' });
    expect(marksOf('east', high, 6, 'north')[1]).toEqual({ at: 6 * PER_INCH, text: '06' });
    // In the west it is the north-western one, in the east the south-eastern one.
    expect(marksOf('west', high, 6, 'west')[1]).toEqual({ at: 6 * PER_INCH, text: '06' });
    expect(marksOf('north', wide, 12, 'west')[1]).toEqual({ at: 12 * PER_INCH, text: '12' });
    expect(marksOf('east', high, 6, 'east')[1]).toEqual({ at: 34 * PER_INCH, text: '06' });
    expect(marksOf('south', wide, 12, 'east')[1]).toEqual({ at: 48 * PER_INCH, text: '12' });
  });

  it('writes more figures the nearer one looks', () => {
    expect([2, 1, 0.3, 0.15, 0.05].map(stepAt)).toEqual([1, 1, 2, 6, 12]);
  });
});
