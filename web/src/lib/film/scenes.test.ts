import { describe, expect, it } from 'vitest';
import type { Calculation, GameEvent, Unit } from '../protocol';
import {
  castFrom,
  chanceOf,
  continued,
  pointerOf,
  scenesOf,
  stepsOf,
  type Scene,
  type Stage,
} from './scenes';

const UNITS = Object.fromEntries(
  [
    ['tank', 'german', '1-A1', 'PzKw IV H 1'],
    ['gun', 'german', '1-B1', '7.5cm Pak 40 1'],
    ['foe', 'soviet', '1-F1', 'T-34 1'],
    ['other', 'soviet', '1-F1', 'Rifle company 1'],
  ].map(([id, side, place, name]) => [
    id,
    { id, side, place, name, status: 'on the map' } as unknown as Unit,
  ]),
);
const stage = (own: string | null = 'german'): Stage => ({
  own,
  drama: true,
  stills: false,
  before: (id) => UNITS[id] ?? null,
  after: (id) => UNITS[id] ?? null,
});
let n = 0;
const event = (kind: string, units: string[], places: string[], more: Partial<GameEvent> = {}) =>
  ({
    ...{ n: ++n, turn: 1, side: 'soviet', step: '', kind, text: kind, rule: null },
    ...{ units, places, dice: [], calculation: null },
    ...more,
  }) as GameEvent;
const rolled = (result: string): Partial<GameEvent> => ({
  dice: [2],
  calculation: {
    result,
    chances: [
      { result: 'X', chance: '1/6' },
      { result: 'none', chance: '5/6' },
    ],
  } as Calculation,
});
const shot = () => event('fired', ['foe', 'tank'], ['1-A1'], rolled('X'));
const loss = () => event('eliminated', ['tank'], ['1-A1']);
const kinds = (scenes: readonly Scene[]) => scenes.map(({ kind }) => kind);
const only = (...events: GameEvent[]): Scene => {
  const scenes = scenesOf(events, stage());
  expect(scenes).toHaveLength(1);
  return scenes[0]!;
};

describe('a move', () => {
  it('has its whole path, spotting on the way does not end it', () => {
    const scene = only(
      event('moved', ['foe'], ['1-F1', '1-E1']),
      event('spotted', ['foe'], ['1-E1']),
      event('moved', ['foe'], ['1-E1', '1-D1']),
    );
    expect(scene).toMatchObject({ kind: 'move', path: ['1-F1', '1-E1', '1-D1'], own: false });
  });

  it('begins where the unit was known to be, if the event has only its end', () => {
    const scene = only(event('moved', ['foe'], ['1-E1']), event('moved', ['foe'], ['1-D1']));
    expect(scene.path).toEqual(['1-F1', '1-E1', '1-D1']);
  });

  it('of a unit that nobody saw begins where the event says', () => {
    expect(only(event('moved', ['ghost'], ['1-E1'])).path).toEqual(['1-E1']);
  });

  it('is longer on a longer way, over the free table by inches', () => {
    expect(stepsOf(['1-A1', '1-A2', '1-A3'])).toBe(2);
    expect(stepsOf(['3,4', '3,10'])).toBe(4);
  });
});

describe('a move that is told in parts', () => {
  const part = (unit: string, ...places: string[]) => only(event('moved', [unit], places));

  it('is one scene, which knows how much of it has been shown', () => {
    const whole = continued(part('foe', '1-F1', '1-E1'), part('foe', '1-E1', '1-D1', '1-C1'))!;
    expect([whole.path, whole.gone]).toEqual([['1-F1', '1-E1', '1-D1', '1-C1'], 1]);
    expect(whole.before.get('foe')!.place).toBe('1-F1');
  });

  it('is another one from elsewhere, or of another unit', () => {
    expect(continued(part('foe', '1-F1', '1-E1'), part('foe', '1-D1', '1-C1'))).toBeNull();
    expect(continued(part('foe', '1-F1', '1-E1'), part('other', '1-E1', '1-D1'))).toBeNull();
  });
});

describe('a shot', () => {
  it('has who fires from where at what, and all that comes of it', () => {
    const scene = only(shot(), loss(), event('wreck', [], ['1-A1']));
    expect(scene).toMatchObject({ kind: 'shot', firers: ['foe'], from: ['1-F1'], place: '1-A1', own: true });
    expect(scene.losses.map(({ unit, place }) => [unit, place])).toEqual([['tank', '1-A1']]);
    expect(scene.beats.map(({ name }) => name)).toEqual(['fire', 'dice', 'result']);
  });

  it('has the calibre of its gun where it is told', () => {
    expect(only({ ...shot(), calibre: 75 }).calibre).toBe(75);
    expect(only(shot()).calibre).toBeUndefined();
  });

  it('comes from where the firer has moved to', () => {
    const [, second] = scenesOf([event('moved', ['foe'], ['1-F1', '1-D1']), shot()], stage());
    expect(second!.from).toEqual(['1-D1']);
  });

  it('names its places itself where they are said', () => {
    const scene = only(event('fired', ['foe', 'tank'], ['1-G9', '1-A1'], rolled('none')));
    expect(scene.from).toContain('1-G9');
  });

  it('that was declared before the dice fell is one scene with them', () => {
    const scene = only(
      event('fired', ['foe', 'tank'], ['1-A1']),
      event('result', ['foe', 'tank'], ['1-A1'], rolled('X')),
    );
    expect(scene).toMatchObject({ kind: 'shot', dice: [2] });
  });

  it('keeps the calibre and the strength that its declaration told', () => {
    const scene = only(
      { ...event('fired', ['foe', 'tank'], ['1-A1']), calibre: 75, strength: 'HE firepower 4' },
      event('result', ['foe', 'tank'], ['1-A1'], rolled('X')),
    );
    expect(scene).toMatchObject({ dice: [2], calibre: 75, strength: 'HE firepower 4' });
  });

  it('has no line where nobody knows who fires', () => {
    expect(only(event('fired', ['tank'], ['1-A1'], rolled('none')))).toMatchObject({ firers: [], from: [] });
  });

  it('tells the chance that its result had', () => {
    expect(chanceOf(only(shot()))).toMatchObject({
      result: 'X',
      percent: expect.closeTo(100 / 6),
      weight: 'x',
    });
    expect(chanceOf(only(loss()))).toBeNull();
  });
});

describe("the player's own roll", () => {
  const own = (drama: boolean) =>
    scenesOf([event('fired', ['tank', 'foe'], ['1-F1'], { ...rolled('none'), side: 'german' })], {
      ...stage(),
      drama,
    })[0]!;
  const names = (scene: Scene) => scene.beats.map(({ name }) => name);

  it('has its moment, unless that is switched off', () => {
    expect(names(own(true))).toEqual(['fire', 'dice', 'fall', 'result']);
    expect(names(own(false))).toEqual(['fire', 'dice', 'result']);
    expect(names(only(shot()))).not.toContain('fall');
  });

  it('is one picture without motion, which stays as long as dice and result do with it', () => {
    const order = event('cohesion', ['tank'], ['1-A1'], { ...rolled('none'), side: 'german' });
    const [moving, still] = [false, true].map(
      (stills) => scenesOf([order], { ...stage(), drama: false, stills })[0]!,
    );
    expect(names(still!)).toEqual(['result']);
    expect(still!.beats[0]!.ms).toBe(moving!.beats.reduce((sum, { ms }) => sum + ms, 0));
  });

  it('ends at its place on the bar of chances', () => {
    // The worst comes first: a sixth, then five sixths without effect.
    expect(pointerOf(rolled('X').calculation!)).toBeCloseTo(100 / 12);
    expect(pointerOf(rolled('none').calculation!)).toBeCloseTo(100 / 6 + 500 / 12);
  });
});

describe('the scenes', () => {
  it('leave out set-up and what has no place on the map', () => {
    const quiet = [
      event('moved', ['foe'], ['1-F1', '1-E1'], { turn: 0 }),
      event('turn', [], []),
      event('passed', [], []),
      event('initiative', [], [], { dice: [3, 4] }),
      event('spotted', ['foe'], ['1-F1']),
    ];
    expect(scenesOf(quiet, stage())).toEqual([]);
  });

  it('are own where an own unit is in them', () => {
    const scenes = scenesOf([event('moved', ['foe'], ['1-F1', '1-E1']), shot()], stage());
    expect(scenes.map(({ own }) => own)).toEqual([false, true]);
    expect(scenesOf([shot()], stage(null))[0]!.own).toBe(false);
  });

  it('are short where the player has done it', () => {
    const far = ['1-A1', '1-A2', '1-A3', '1-A4', '1-A5', '1-A6', '1-A7', '1-A8', '1-A9', '1-A10'];
    const [theirs] = scenesOf([event('moved', ['foe'], far)], stage());
    const [mine] = scenesOf([event('moved', ['tank'], far, { side: 'german' })], stage());
    expect(mine!.beats[0]!.ms).toBeLessThan(theirs!.beats[0]!.ms);
  });

  it('keep apart what has nothing to do with one another', () => {
    const elsewhere = event('eliminated', ['gun'], ['1-B1']);
    expect(kinds(scenesOf([shot(), elsewhere], stage()))).toEqual(['shot', 'loss']);
  });

  it('hold units as they were until their scene comes', () => {
    const scenes = scenesOf([event('moved', ['foe'], ['1-F1', '1-D1']), shot(), loss()], stage());
    expect(castFrom(scenes, 0).get('foe')!.place).toBe('1-F1');
    expect(castFrom(scenes, 1).get('foe')!.place).toBe('1-D1');
    expect(castFrom(scenes, 1).get('tank')!.place).toBe('1-A1');
    expect([...castFrom(scenes, 2)]).toEqual([]);
  });

  it('go on from where those that wait have brought the units', () => {
    const waiting = scenesOf([event('moved', ['foe'], ['1-F1', '1-D1'])], stage());
    const [next] = scenesOf([event('moved', ['foe'], ['1-C1'])], stage(), waiting);
    expect(next!.path).toEqual(['1-D1', '1-C1']);
  });
});
