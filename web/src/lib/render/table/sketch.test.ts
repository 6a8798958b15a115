import { describe, expect, it } from 'vitest';
import type { Feature } from './model';
import { coloursOf } from './palette';
import { colourOf, inLayers } from './sketch';

const colours = coloursOf('light');
const feature = (shape: Feature['shape'], look: string, level = 0) => ({ shape, look, level }) as Feature;

describe('the sketch of a free table', () => {
  it('shows hills by their height, and what covers the ground', () => {
    expect(colourOf(feature('contour', 'hill', 1), colours)).toBe(colours.level1);
    expect(colourOf(feature('contour', 'hill', 7), colours)).toBe(colours.level3);
    expect(colourOf(feature('area', 'heavy-woods'), colours)).toBe(colours.heavy);
    expect(colourOf(feature('line', 'road'), colours)).toBe(colours.road);
  });

  it('leaves out hollows and what it has no colour for', () => {
    expect(colourOf(feature('contour', 'hollow', -1), colours)).toBeNull();
    expect(colourOf(feature('crossing', 'ford'), colours)).toBeNull();
  });

  it('lays roads over woods, and woods over hills', () => {
    const [road, woods] = [feature('line', 'road'), feature('area', 'woods')];
    const [low, high] = [feature('contour', 'hill', 1), feature('contour', 'hill', 2)];
    expect(inLayers([road, high, woods, low])).toEqual([low, high, woods, road]);
  });
});
