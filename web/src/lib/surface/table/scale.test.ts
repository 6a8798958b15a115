import { describe, expect, it } from 'vitest';
import { barOf } from './scale';

describe('the scale bar', () => {
  it('is of a round length that fits', () => {
    expect(barOf(14)).toMatchObject({ inches: 6, parts: 6 });
    expect(barOf(4)).toMatchObject({ inches: 24, parts: 4 });
    expect(barOf(300)).toMatchObject({ inches: 1, parts: 1 });
  });
});
