import { describe, expect, it } from 'vitest';
import * as narrow from './narrow';
import type { Choice } from './protocol';

function choice(kind: string, units: string[], places: string[] = [], confirm = false): Choice {
  return {
    action: { type: kind, units, places },
    label: `${kind} ${units.join('+')} ${places.join('+')}`,
    kind,
    units,
    places,
    cost: null,
    confirm,
  };
}

const around: narrow.Surroundings = {
  placeOf: (unit) => ({ a: '1-A1', b: '1-A1', x: '1-C3', y: '1-C3', z: '1-D4' })[unit] ?? null,
  unitsAt: (place) => ({ '1-A1': ['a', 'b'], '1-C3': ['x', 'y'], '1-D4': ['z'] })[place] ?? [],
};

const FIRE = [
  choice('fire', ['a', 'x'], ['1-C3']),
  choice('fire', ['a', 'y'], ['1-C3']),
  choice('fire', ['b', 'z'], ['1-D4'], true),
  choice('done', [], [], true),
];

describe('the choices that always have a button', () => {
  const further = (unit: string) => choice('done', [unit]);

  it('are those of the clicked unit where several have one each', () => {
    const choices = [choice('done', []), further('a'), further('b'), choice('move', ['a'], ['1-C3'])];
    expect(narrow.standing(choices, [])).toEqual([choices[0]]);
    expect(narrow.standing(choices, [{ unit: 'b' }])).toEqual([choices[0], choices[2]]);
  });

  it('are all of them where one unit has one', () => {
    const choices = [choice('done', []), further('a'), choice('fire', ['b'])];
    expect(narrow.standing(choices, [])).toEqual([choices[0], choices[1]]);
  });
});

describe('a unit that moves', () => {
  const moving = [choice('Stop', ['a']), choice('move', ['a'], ['1-C3']), choice('move', ['b', 'a'])];
  const active = (...done: string[]) => ({
    side: 's',
    roles: { a: 'move', b: 'move', z: 'fire' },
    led: [],
    done,
  });

  it('stops when another is clicked that is still to act', () => {
    expect(narrow.stopFor(moving, active(), 'z')?.action.type).toBe('Stop');
  });

  it('goes on where the click means something by itself, or nobody waits', () => {
    expect(narrow.stopFor(moving, active(), 'a')).toBeNull();
    expect(narrow.stopFor(moving, active(), 'b')).toBeNull();
    expect(narrow.stopFor(moving, active('z'), 'z')).toBeNull();
    expect(narrow.stopFor(moving, active(), 'x')).toBeNull();
    expect(narrow.stopFor(moving, null, 'z')).toBeNull();
    expect(narrow.stopFor([choice('move', ['a'], ['1-C3'])], active(), 'z')).toBeNull();
  });
});

describe('click, narrow, act', () => {
  it('glows with everything that a click may fall on', () => {
    const glow = narrow.glowing(FIRE, []);
    expect([...glow.units].sort()).toEqual(['a', 'b', 'x', 'y', 'z']);
    expect([...glow.places].sort()).toEqual(['1-C3', '1-D4']);
  });

  it('keeps only what goes with the first click glowing', () => {
    const glow = narrow.glowing(FIRE, [{ unit: 'a' }]);
    expect([...glow.units].sort()).toEqual(['a', 'x', 'y']);
  });

  it('does not light every goal before a unit is chosen', () => {
    const glow = narrow.glowing([choice('move', ['a'], ['1-A2'])], []);
    expect([...glow.places]).toEqual([]);
    expect([...narrow.glowing([choice('move', ['a'], ['1-A2'])], [{ unit: 'a' }]).places]).toEqual(['1-A2']);
  });

  it('narrows on the first click and plays on the second', () => {
    const first = narrow.click(FIRE, [], { unit: 'a' }, around);
    expect(first).toMatchObject({ kind: 'narrowed', clicked: [{ unit: 'a' }] });
    if (first.kind !== 'narrowed') throw new Error('not narrowed');
    expect(first.left).toHaveLength(2);
    expect(narrow.click(FIRE, first.clicked, { unit: 'y' }, around)).toMatchObject({
      kind: 'play',
      choice: FIRE[1],
    });
  });

  it('offers what cannot be taken back instead of playing it', () => {
    expect(narrow.click(FIRE, [], { unit: 'b' }, around)).toMatchObject({ kind: 'offer', choice: FIRE[2] });
  });

  it('works in either order', () => {
    const first = narrow.click(FIRE, [], { unit: 'x' }, around);
    expect(first).toMatchObject({ kind: 'play', choice: FIRE[0] });
  });

  it('starts anew when the click goes with nothing clicked before', () => {
    expect(narrow.click(FIRE, [{ unit: 'a' }], { unit: 'z' }, around)).toMatchObject({
      kind: 'offer',
      clicked: [{ unit: 'z' }],
    });
  });

  it('releases what is clicked twice', () => {
    const again = narrow.click(FIRE, [{ unit: 'a' }], { unit: 'a' }, around);
    expect(again).toMatchObject({ kind: 'released', clicked: [] });
  });

  it('takes a click on a hex for its top unit when the hex itself means nothing', () => {
    expect(narrow.click(FIRE, [], { place: '1-A1' }, around)).toMatchObject({ clicked: [{ unit: 'b' }] });
  });

  it('takes a click on a unit for its hex when the unit itself means nothing', () => {
    const moves = [choice('move', ['a'], ['1-D4']), choice('move', ['a'], ['1-C3'])];
    expect(narrow.click(moves, [{ unit: 'a' }], { unit: 'z' }, around)).toMatchObject({
      kind: 'play',
      choice: moves[0],
    });
  });

  it('never moves a unit on a click that names no goal', () => {
    const one = [choice('move', ['a'], ['1-A2'])];
    expect(narrow.click(one, [], { unit: 'a' }, around)).toMatchObject({ kind: 'narrowed' });
    expect(narrow.click(one, [{ unit: 'a' }], { place: '1-A2' }, around)).toMatchObject({ kind: 'play' });
  });

  it('says so when nothing can be done', () => {
    expect(narrow.click(FIRE, [], { place: '9-Z9' }, around)).toEqual({ kind: 'nothing' });
  });
});

describe('what Enter plays', () => {
  it('is the offered choice', () => {
    expect(narrow.primary(FIRE, [{ unit: 'b' }])).toBe(FIRE[2]);
  });

  it('is nothing when several could be meant', () => {
    expect(narrow.primary(FIRE, [])).toBeNull();
    expect(narrow.primary(FIRE, [{ unit: 'a' }])).toBeNull();
  });

  it('is the one confirmation of an attack that is built', () => {
    const building = [...FIRE, choice('confirm', [], [], true)];
    expect(narrow.primary(building, [])).toBe(building[4]);
  });

  it('is the only choice there is', () => {
    const done = [choice('done', [], [], true)];
    expect(narrow.primary(done, [])).toBe(done[0]);
  });
});

describe('who is meant', () => {
  it('is the one mover in the middle of its move', () => {
    const moving = [choice('move', ['a'], ['1-A2']), choice('move', ['a'], ['1-B1']), choice('done', [])];
    expect(narrow.onlyMover(moving)).toBe('a');
    expect(narrow.onlyMover([...moving, choice('move', ['b'], ['1-B1'])])).toBeNull();
    expect(narrow.onlyMover(FIRE)).toBeNull();
  });

  it('lists own units that can act, once each', () => {
    expect(narrow.actors(FIRE, (u) => u === 'a' || u === 'b')).toEqual(['a', 'b']);
  });

  it('knows a question about reaction fire', () => {
    const asked = [choice('react', ['x', 'a']), choice('pass', [])];
    expect(narrow.isReaction(asked, 'german', 'soviet')).toBe(true);
    expect(narrow.isReaction(asked, 'soviet', 'soviet')).toBe(false);
    expect(narrow.isReaction([choice('pass', [])], 'german', 'soviet')).toBe(false);
  });
});

describe('chances', () => {
  it('reads fractions', () => {
    expect(narrow.chanceValue('1/4')).toBe(0.25);
    expect(narrow.chanceValue('0')).toBe(0);
    expect(narrow.chanceValue('1')).toBe(1);
    expect(narrow.chanceValue('')).toBe(0);
  });
});

describe('choices that come unit by unit', () => {
  const end = choice('done', [], [], true);
  const shot = choice('fire', ['a', 'x'], [], true);

  it('stand behind those that are known, none twice', () => {
    expect(narrow.joined([end], [shot, end])).toEqual([end, shot]);
    expect(narrow.joined([end], [])).toEqual([end]);
  });

  it('leave Enter alone until all are known', () => {
    expect(narrow.primary([end], [])).toBe(end);
    expect(narrow.primary([end], [], 'some')).toBeNull();
  });

  it('make whoever may pass in the turn of the enemy one who reacts', () => {
    const pass = choice('pass', []);
    expect(narrow.isReaction([pass], 'soviet', 'german')).toBe(false);
    expect(narrow.isReaction([pass], 'soviet', 'german', 'some')).toBe(true);
    expect(narrow.isReaction([pass], 'german', 'german', 'some')).toBe(false);
  });
});

describe('a unit with two kinds of fire', () => {
  const typed = (type: string, unit: string): Choice => {
    const made = choice('fire', [unit, 'x'], ['1-C3']);
    return { ...made, action: { type, unit, target: 'x' } };
  };
  const [direct, armour] = [typed('Direct', 'a'), typed('Armour', 'a')];
  const choices = [direct, armour, typed('Direct', 'b'), typed('Armour', 'b'), typed('Direct', 'c')];
  const clicked = [{ unit: 'a' }, { unit: 'x' }];

  it('has an attack that others may be added to while its kind is open', () => {
    expect(narrow.isOpenAttack([direct, armour], clicked)).toBe(true);
    expect(narrow.isOpenAttack([direct], clicked)).toBe(false);
    expect(narrow.isOpenAttack([direct, armour], [{ unit: 'a' }])).toBe(false);
    // The click on the target came first, and no firer is chosen.
    expect(narrow.isOpenAttack(choices, [{ unit: 'x' }, { place: '1-C3' }])).toBe(false);
  });

  it('is joined in the kinds that the others can begin as well', () => {
    expect(narrow.shared(choices, clicked, ['b'])).toEqual([direct, armour]);
    expect(narrow.shared(choices, clicked, ['b', 'c'])).toEqual([direct]);
    expect(narrow.shared(choices, clicked, ['y'])).toEqual([]);
    expect(narrow.shared(choices, [{ unit: 'x' }, { unit: 'a' }], ['c'])).toEqual([direct]);
  });

  it('leaves its target to another firer', () => {
    const final = [choice('fire', ['a', 'x'], [], true), choice('fire', ['b', 'x'], [], true)];
    const more = [...final, choice('fire', ['b', 'y'], [], true)];
    const found = narrow.click(more, [{ unit: 'a' }, { unit: 'x' }], { unit: 'b' }, around);
    expect(found).toMatchObject({ kind: 'offer', clicked: [{ unit: 'b' }, { unit: 'x' }] });
    // Whoever has no shot at it is chosen alone.
    const other = narrow.click([final[0]!, more[2]!], [{ unit: 'a' }, { unit: 'x' }], { unit: 'b' }, around);
    expect(other).toMatchObject({ clicked: [{ unit: 'b' }] });
  });

  it('is joined in the manner in which it was begun', () => {
    const joins = (manner: string): Choice => ({
      ...choice('fire', ['b']),
      action: { type: 'Join', unit: 'b', manner },
    });
    const like = { type: 'Begin', unit: 'a', manner: 'guns' };
    expect(narrow.likest([joins('guns'), joins('rockets')], 'b', like)).toEqual(joins('guns'));
    expect(narrow.likest([joins('rockets')], 'b', like)).toEqual(joins('rockets'));
    expect(narrow.likest([joins('rockets'), joins('rifles')], 'b', like)).toBeNull();
    expect(narrow.likest([], 'b', like)).toBeNull();
  });
});

it('without other units nothing is compared with all the rest', () => {
  let reads = 0;
  const choices = Array.from({ length: 500 }, (_, i) => ({
    ...choice('place', ['a'], [`${i}`]),
    get action() {
      reads += 1;
      return { type: 'Place' };
    },
  }));
  expect(narrow.shared(choices, [{ unit: 'a' }], [])).toHaveLength(500);
  expect(reads).toBe(0);
});

describe('the reasons against a click', () => {
  const against = (label: string, text: string, rule = '7.1.7') => ({ label, text, rule });

  it('tell one that speaks against all of it once', () => {
    const meant = [against('fire at a', 'It is unarmed'), against('fire at b', 'It is unarmed')];
    expect(narrow.reasons(meant)).toEqual([against('', 'It is unarmed')]);
  });

  it('stay apart where they differ, and keep what is said of one alone', () => {
    const meant = [against('fire at a', 'Too far', '7.3.5'), against('fire at b', 'It is unarmed')];
    expect(narrow.reasons(meant)).toEqual(meant);
    expect(narrow.reasons(meant.slice(1))).toEqual(meant.slice(1));
  });
});
