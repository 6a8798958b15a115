import { describe, expect, it } from 'vitest';
import { t } from '../i18n';
import type { Unit } from '../protocol';
import { noiseOf } from './noises';
import type { Scene } from './scenes';
import { calibreOf, gunOf, resultOf, wayOf, widthOf } from './words';

const unit = (name: string, more: Partial<Unit> = {}) =>
  ({ name, attack: 0, figures: [], ...more }) as unknown as Unit;
const scene = (more: Partial<Scene> = {}) =>
  ({
    kind: 'shot',
    losses: [],
    effects: [],
    dice: [3],
    calculation: null,
    beats: [],
    ...more,
  }) as unknown as Scene;
const result = (text: string) => scene({ calculation: { result: text, chances: [] } as never });

describe('the gun', () => {
  it.each([
    ['7.5cm Pak 40 1', '7.5 cm', 75],
    ['82mm 1', '82 mm', 82],
    ['Panzer IV F2-H (7,5 cm) 2', '7,5 cm', 75],
  ])('of %s is told by its name', (name, text, mm) => expect(calibreOf(name)).toEqual({ text, mm }));

  it('without a calibre is told by its strength', () => {
    const figures = [
      { kind: 'defence', text: '8' },
      { kind: 'attack', text: '14' },
    ];
    expect(calibreOf('PzKw IV H 1')).toBeNull();
    expect(gunOf(unit('PzKw IV H 1', { figures }))).toContain('14');
  });

  it('that has no calibre is told by the strength with which it strikes, never by one of nothing', () => {
    const figures = [
      { kind: 'ap', text: '0' },
      { kind: 'he', text: '4' },
    ];
    expect(gunOf(unit("Support/MMG '42 1", { figures }))).toMatch(/ 4$/);
    const both = [
      { kind: 'ap', text: '6' },
      { kind: 'he', text: '5' },
    ];
    expect(gunOf(unit("Infantry '43 6", { figures: both }), 0, 'HE firepower 5')).toBe('HE firepower 5');
  });

  it('is told by the shot itself where the rules know the gun', () => {
    expect(gunOf(unit('Pz Kpfw IV H 1'), 75)).toBe('75 mm');
    expect(gunOf(unit('T-34 M43 1'), 76.2)).toBe('76.2 mm');
    // Rather than the first gun that a name tells: it may be the second one that fires.
    expect(gunOf(unit('15cm sIG 33'), 75)).toBe('75 mm');
    expect(widthOf(unit('a'), 88)).toBeGreaterThan(widthOf(unit('a'), 37));
  });

  it('is told of fire from off the map, too', () => {
    expect(gunOf(null, 105)).toBe('105 mm');
    expect(gunOf(null)).toBe('');
  });

  it('draws a thicker line the heavier it is', () => {
    expect(widthOf(unit('15cm sIG 33'))).toBeGreaterThan(widthOf(unit('3.7cm Pak 36')));
    expect(widthOf(unit('a', { attack: 14 }))).toBeGreaterThan(widthOf(unit('b', { attack: 3 })));
  });
});

describe('a way', () => {
  const move = (text: string, ...path: string[]) => scene({ kind: 'move', units: ['tank'], path, text });
  const name = () => 'T-34c 3';

  it('over the free table is told by its length, not by coordinates', () => {
    const way = move('T-34c 3 moves to 13.91,12.054', '10.91,8.054', '13.91,12.054');
    // Three inches east and four south are five.
    expect(wayOf(way, name)).toBe('T-34c 3 moves 5″ south-east');
  });

  it('is left to the log where that names no point, or a hex', () => {
    expect(wayOf(move('T-34c 3 comes on the table', '1,1', '1,2'), name)).toBeNull();
    expect(wayOf(move('T-34 1 moves to 1-B3', '1-B2', '1-B3'), name)).toBeNull();
    expect(wayOf(scene({ units: ['tank'], path: [], text: '1,2' }), name)).toBeNull();
  });
});

describe('what came of it', () => {
  it('is said in words, not in codes', () => {
    expect(resultOf(result('none'))).toBe(t.play.none);
    expect(resultOf(result('knocked out'))).toBe('knocked out');
  });

  it('is the loss, where there is one, and else what happened to the units', () => {
    expect(resultOf({ ...result('X'), losses: [{}, {}] as never })).toBe('2 eliminated');
    expect(resultOf({ ...result('DD'), effects: [{ kind: 'dispersed' }] as never })).toBe('dispersed');
  });

  it('is nothing yet where a shot has only been declared', () => {
    expect(resultOf(scene({ dice: [] }))).toBe('takes aim');
  });
});

describe('the noise', () => {
  const tank = unit('T-34', { vehicle: true, attack: 12 });
  const rifles = unit('Rifles', { vehicle: false, attack: 3 });
  it('belongs to the beat', () => {
    expect(noiseOf(scene(), 'fire', tank, [])!.kind).toBe('shot');
    expect(noiseOf(scene(), 'fire', rifles, [])!.kind).toBe('rattle');
    expect(noiseOf(scene(), 'dice', tank, [])!.kind).toBe('dice');
    expect(noiseOf(scene(), 'result', tank, [])).toBeNull();
    expect(noiseOf(scene({ losses: [{}] as never }), 'result', tank, [])!.kind).toBe('blast');
    expect(noiseOf(scene(), 'go', null, [tank])!.kind).toBe('engine');
    expect(noiseOf(scene(), 'go', null, [rifles])).toBeNull();
  });
});
