import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CostAnswer, Region, Unit } from '../protocol';
import type { Game } from '../game.svelte';
import { Formation } from '../game/formation.svelte';
import { Ghost, type Legs } from './ghost.svelte';
import { paced } from './pace';
import { Lattice, STEP } from './table/lattice';

const SECOND = 1000;
const unit = (id: string, place: string) => ({ id, place, facing: 0 }) as unknown as Unit;
const LED = unit('german-1', '5,5');
const REGION = {
  unit: 'german-1',
  kind: 'move',
  action: { type: 'Move', unit: 'german-1', to: [5000, 5000], facing: 0 },
  open: ['to', 'facing'],
  box: [0, 0, 10000, 10000],
} as unknown as Region;
const REFUSED = { cost: 1, left: 1, text: 'The wall bars the way', rule: 'MOV-1' } as unknown as CostAnswer;
const FREE = { ...REFUSED, text: null, rule: null } as CostAnswer;

/** A reach with a way round: every point is reached by way of one corner. */
function aroundTheCorner(): Lattice {
  const nodes: [number, number, number, number][] = [
    [5000, 5000, 0, 0],
    [5000, 9000, 4000, 0],
  ];
  for (let x = 5000; x <= 9000; x += STEP) nodes.push([x, 8000, 8000, 1]);
  return new Lattice(nodes as never);
}

/** A server that answers at once, and when it was asked. */
function server(answer: CostAnswer) {
  const asked: number[] = [];
  const ask = paced((legs: () => Legs) => {
    legs();
    asked.push(performance.now());
    return Promise.resolve<CostAnswer | null>(answer);
  });
  return { asked, ask };
}

/** The most questions that fell within any one second. */
const mostASecond = (asked: readonly number[]) =>
  Math.max(...asked.map((at) => asked.filter((other) => other >= at && other < at + SECOND).length));

/** A stand is led about for three seconds, a little every hundredth of one. */
async function leadAbout(ghost: Ghost, meanwhile = () => {}) {
  for (let n = 0; n < 300; n++) {
    ghost.lead([5000 + ((n * 37) % 4000), 8000]);
    meanwhile();
    await vi.advanceTimersByTimeAsync(10);
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('while a stand is led about', () => {
  it('the server is asked at most ten times a second', async () => {
    const { asked, ask } = server(FREE);
    await leadAbout(new Ghost(LED, REGION, ask));
    expect(asked.length).toBeGreaterThan(20);
    expect(mostASecond(asked)).toBeLessThanOrEqual(10);
  });

  it('that holds where each place is asked for twice, straight on and round what bars it', async () => {
    const { asked, ask } = server(REFUSED);
    const ghost = new Ghost(LED, REGION, ask);
    ghost.lattice = aroundTheCorner();
    for (let n = 0; n < 15; n++) {
      ghost.lead([5000 + n * 200, 8000]);
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(asked.length).toBeGreaterThan(20);
    expect(mostASecond(asked)).toBeLessThanOrEqual(10);
  });

  it('that holds for a whole group', async () => {
    const { asked, ask } = server(FREE);
    const ghost = new Ghost(LED, REGION, ask);
    const group = [LED, ...[2, 3, 4, 5].map((n) => unit(`german-${n}`, `5,${5 + n}`))];
    const units = new Map(group.map((one) => [one.id, one]));
    const formation = new Formation({ stand: { ghost, askCost: ask }, units } as unknown as Game);
    formation.members = [...units.keys()];
    await leadAbout(ghost, () => void formation.survey());
    await vi.advanceTimersByTimeAsync(60 * SECOND);
    expect(formation.prices.size).toBe(4);
    expect(mostASecond(asked)).toBeLessThanOrEqual(10);
  });

  it('the last place is the one that is answered', async () => {
    const { ask } = server(FREE);
    const ghost = new Ghost(LED, REGION, ask);
    await leadAbout(ghost);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(ghost.price).toEqual(FREE);
  });

  it('what a place costs is read from the reach until the server has answered', () => {
    const ghost = new Ghost(LED, REGION, () => new Promise(() => {}));
    ghost.lattice = new Lattice([
      [5000, 5000, 0, 0],
      [5500, 5000, 1000, 0],
    ] as never);
    ghost.lead([5250, 5000]);
    expect(ghost.price).toBeNull();
    expect(ghost.guess).toBe(0.5);
  });
});

describe('a question', () => {
  it('that was asked late puts off the next', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const asked: number[] = [];
    const ask = paced(() => Promise.resolve(asked.push(now)));
    for (let n = 0; n < 3; n++) void ask();
    await vi.advanceTimersByTimeAsync(0);
    for (now of [130, 200, 230]) await vi.advanceTimersByTimeAsync(100);
    expect(asked).toEqual([0, 130, 230]);
  });
});
