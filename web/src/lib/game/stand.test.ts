import { describe, expect, it, vi } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice, CostAnswer, Region } from '../protocol';
import { ChosenStand } from './stand.svelte';

const region = (unit: string, more: Partial<Region> = {}): Region => ({
  action: { type: 'Move', unit, to: [0, 0], facing: 90 },
  label: 'move',
  kind: 'move',
  unit,
  open: ['to', 'facing'],
  box: [0, 0, 20000, 20000],
  polygons: [],
  ...more,
});
const SMOKE = region('', {
  action: { type: 'LaySmoke', to: [0, 0], facing: 0 },
  kind: 'fire',
  open: ['to'],
  template: [2000, 1000],
});

/** A tank at (5, 5) and a gun at (9, 5), of which the tank may move; `price` is what the server says of any move. */
function table(price: Partial<CostAnswer> = {}, more: object = {}) {
  const seen = { played: [] as unknown[], said: [] as string[], reading: [] as string[] };
  const regions = [region('tank')];
  const answers: Record<string, object> = {
    cost: { cost: 2, left: 4, text: null, rule: null, ...price },
    reach: { places: [] },
  };
  const game = {
    ask: ({ type }: { type: string }) => Promise.resolve(answers[type]),
    calculations: { preview: () => {} },
    clicks: { made: [] as object[] },
    decisions: {
      busy: false,
      play: (choice: Choice) => seen.played.push(choice.action.type),
      presses: { position: 7 },
      sendPlay: (...sent: unknown[]) => {
        seen.played.push(sent);
        return Promise.resolve(true);
      },
    },
    formation: { clear: () => {}, following: [] as string[], has: () => false, yielding: new Set<string>() },
    ground: { grip: {} },
    inspected: null as string | null,
    march: { halt: () => {}, setOut: () => Promise.resolve() },
    next: { isChosen: true, lastKind: '' },
    offer: {
      actors: [] as string[],
      choices: [] as Choice[],
      freeRegions: [] as Region[],
      regions,
      regionOf: (unit?: string) => regions.find((one) => one.unit === unit) ?? null,
      unread: ({ unit }: { unit: string }) => {
        seen.reading.push(unit);
        return Promise.resolve();
      },
    },
    los: { tool: null as object | null },
    position: 1,
    tape: { inHand: null as object | null },
    reach: { ask: () => stand.haunt((game.clicks.made[0] as { unit?: string })?.unit), goal: 'x' as unknown },
    say: (_: string, text: string, rule: string) => seen.said.push(`${text} [${rule}]`),
    saying: null,
    tray: { goOn: () => {} },
    units: new Map([
      ['tank', { id: 'tank', place: '5,5', facing: 90, cargo: [] }],
      ['gun', { id: 'gun', place: '9,5', facing: 90, cargo: [] }],
    ]),
    ...more,
  };
  const stand: ChosenStand = new ChosenStand(game as unknown as Game);
  return { game, seen, stand };
}

describe('a stand of the free table', () => {
  it('is taken up where it can move, and its ghost stands where it stands', async () => {
    const { game, seen, stand } = table();
    await stand.pickUp('tank');
    expect([stand.ghost?.unit.id, stand.ghost?.at, stand.ghost?.moved]).toEqual([
      'tank',
      [5000, 5000],
      false,
    ]);
    expect([game.clicks.made, game.inspected, game.next.isChosen, game.reach.goal]).toEqual([
      [{ unit: 'tank' }],
      'tank',
      false,
      null,
    ]);
    expect(seen.reading).toEqual(['tank']);
  });

  it('that cannot move is looked at and not taken up', async () => {
    const { game, stand } = table();
    await stand.pickUp('gun');
    expect([stand.ghost, game.clicks.made, game.inspected]).toEqual([null, [], 'gun']);
  });

  it('is not taken up once the position has changed', async () => {
    const { game, stand } = table();
    const taking = stand.pickUp('tank');
    game.position = 2;
    await taking;
    expect(stand.ghost).toBeNull();
  });

  it('follows the pointer that has gone on while it was being taken up', async () => {
    const { stand } = table();
    const taking = stand.pickUp('tank');
    stand.lead([6000, 5500]);
    await taking;
    expect(stand.ghost?.at).toEqual([6000, 5500]);
  });

  it('is let go by a second choice', () => {
    const { game, stand } = table();
    stand.choose('tank');
    expect(stand.ghost?.unit.id).toBe('tank');
    stand.choose('tank');
    expect([stand.ghost, game.clicks.made]).toEqual([null, []]);
  });
});

describe('setting a stand down', () => {
  it('plays the move to where its ghost is', async () => {
    const { game, seen, stand } = table();
    stand.choose('tank');
    stand.lead([7000, 5000]);
    await stand.setDown();
    const move = { type: 'Move', unit: 'tank', to: [7000, 5000], facing: 90 };
    expect(seen.played).toEqual([[move, [], 7]]);
    expect([game.next.lastKind, stand.down]).toEqual(['move', null]);
  });

  it('where it cannot go says why and plays nothing', async () => {
    const { seen, stand } = table({ cost: null, left: null, text: 'The wood is impassable', rule: '9.1.2' });
    stand.choose('tank');
    stand.lead([7000, 5000]);
    await stand.setDown();
    expect([seen.played, seen.said]).toEqual([[], ['The wood is impassable [9.1.2]']]);
    expect(stand.refused).toBe('The wood is impassable');
  });

  it('is refused nowhere before the table has said so, and not where others go out of its way first', async () => {
    const barred = { cost: null, left: null, text: 'The gun is there already', rule: '8.3.4' };
    const yielding = new Set(['tank']);
    const formation = { clear: () => {}, following: [], has: () => true, yielding };
    const { stand } = table(barred, { formation });
    expect(stand.refused).toBeNull();
    stand.choose('tank');
    stand.lead([7000, 5000]);
    expect(stand.refused).toBeNull();
    await stand.ghost!.settled();
    expect(stand.refused).toBeNull();
    yielding.clear();
    expect(stand.refused).toBe('The gun is there already');
  });

  it('where it stands already does nothing', async () => {
    const { seen, stand } = table();
    stand.choose('tank');
    await stand.setDown();
    expect([seen.played, seen.said]).toEqual([[], []]);
  });

  it('of a group sets the whole group out', async () => {
    const setOut = vi.fn(() => Promise.resolve());
    const formation = { clear: () => {}, following: ['gun'], has: () => true };
    const { seen, stand } = table({}, { formation, march: { halt: () => {}, setOut } });
    stand.choose('tank');
    stand.lead([7000, 5000]);
    await stand.setDown();
    expect([setOut.mock.calls.length, seen.played]).toEqual([1, []]);
  });

  it('is followed by what was pressed meanwhile, in the words of the table after it', async () => {
    const { game, seen, stand } = table();
    stand.choose('tank');
    const ghost = stand.ghost!;
    const done = (type: string) => ({ kind: 'done', action: { type } }) as unknown as Choice;
    game.offer.choices = [done('StopHere')];
    await stand.pressAfter({ ghost, taken: Promise.resolve(true) }, done('EndPhase'));
    await stand.pressAfter({ ghost, taken: Promise.resolve(false) }, done('EndPhase'));
    expect(seen.played).toEqual(['StopHere']);
  });
});

describe('a template', () => {
  it('is looked at before it is laid', () => {
    const { game, stand } = table();
    game.offer.regions.push(SMOKE);
    expect(stand.layTemplate({ action: SMOKE.action } as Choice)).toBe(true);
    expect(stand.ghost?.template).toEqual([2000, 1000]);
    expect(stand.layTemplate({ action: region('tank').action } as Choice)).toBe(false);
  });

  it('stays aimed when only its other terms have changed', () => {
    const { game, stand } = table();
    game.offer.freeRegions = [SMOKE];
    stand.turnTo(SMOKE);
    stand.lead([3000, 4000]);
    stand.aimOn();
    expect(stand.ghost?.at).toEqual([3000, 4000]);
    game.offer.freeRegions = [];
    stand.aimOn();
    expect(stand.ghost).toBeNull();
  });

  it('is in hand as soon as its place alone is asked for, and still goes where the pointer goes', () => {
    const { game, stand } = table();
    game.offer.freeRegions = [SMOKE];
    stand.aimOn();
    expect([stand.ghost?.template, stand.ghost?.following]).toEqual([[2000, 1000], true]);
    stand.lead([3000, 4000]);
    stand.aimOn();
    expect([stand.ghost?.at, stand.ghost?.following]).toEqual([[3000, 4000], true]);
    game.offer.freeRegions = [SMOKE, { ...SMOKE, label: 'other' }];
    stand.aimOn();
    expect(stand.ghost).toBeNull();
  });

  it('is laid on a stand that is clicked, unless that stand can act or something is measured', () => {
    const { game, stand } = table();
    expect(stand.laysOn('gun')).toBe(false);
    game.offer.freeRegions = [SMOKE];
    stand.aimOn();
    expect(stand.laysOn('gun')).toBe(true);
    game.tape.inHand = {};
    expect(stand.laysOn('gun')).toBe(false);
    game.tape.inHand = null;
    game.offer.actors = ['gun'];
    expect(stand.laysOn('gun')).toBe(false);
  });
});
