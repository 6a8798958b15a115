import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice } from '../protocol';
import { settings } from '../settings.svelte';
import { Passes } from './passes.svelte';

vi.mock('../settings.svelte', () => ({ settings: { passAlone: false } }));

const PASS = { kind: 'pass', action: { type: 'Pass' }, units: [], places: [] } as unknown as Choice;
const FIRE = { kind: 'fire', action: { type: 'Fire' }, units: ['a'], places: [] } as unknown as Choice;

beforeEach(() => {
  settings.passAlone = false;
});

/** The Germans are asked whether they fire at what moves. */
function asked(choices: Choice[] = [FIRE, PASS], more: object = {}) {
  const sent: object[] = [];
  const said: string[] = [];
  const game = {
    asked: true,
    decisions: { sendPlay: (action: object) => Promise.resolve(sent.push(action)) },
    log: [] as object[],
    offer: { choices },
    past: { moment: null },
    say: (_: string, text: string) => said.push(text),
    seats: { handOver: null },
    side: 'german',
    table: {
      actors: [],
      choices,
      prompt: { step: 'reaction' },
      view: { turn: 2, current: 'soviet' },
      whole: true,
    },
    units: new Map(['a', 'x'].map((id) => [id, { id, side: id === 'a' ? 'german' : 'soviet' }])),
    ...more,
  };
  return { game, passes: new Passes(game as unknown as Game), said, sent };
}

describe('an order to pass for the rest of the turn', () => {
  it('passes at once, and where the same is asked again', () => {
    const { passes, sent } = asked();
    passes.passTheRest();
    expect(sent).toEqual([PASS.action]);
    expect(passes.passOn()).toBe(true);
    expect(sent).toEqual([PASS.action, PASS.action]);
  });

  it('is taken back by the same press', () => {
    const { passes } = asked();
    passes.passTheRest();
    passes.passTheRest();
    expect(passes.order).toBeNull();
    expect(passes.passOn()).toBe(false);
  });

  it('ends with the turn', () => {
    const { passes, game } = asked();
    passes.passTheRest();
    game.table.view.turn = 3;
    expect(passes.passOn()).toBe(false);
    expect(passes.order).toBeNull();
  });

  it('passes nothing while another side takes over the screen', () => {
    const { passes, sent } = asked([FIRE, PASS], { seats: { handOver: 'german' } });
    passes.passTheRest();
    expect(sent).toEqual([]);
  });
});

it('without an order nothing is passed that could be something else', () => {
  settings.passAlone = true;
  const { passes, sent } = asked();
  expect(passes.passOn()).toBe(false);
  expect(sent).toEqual([]);
});
