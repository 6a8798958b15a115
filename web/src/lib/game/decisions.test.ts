import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice } from '../protocol';
import { Refused } from '../socket';
import { Decisions } from './decisions.svelte';

const choice = (kind: string, more: object = {}) =>
  ({ kind, units: [], places: [], action: { type: kind }, ...more }) as unknown as Choice;

/** A table at position 7, with what is sent to the server and what is said to the player. */
function table(ask: (message: object) => Promise<unknown> = () => Promise.resolve({}), caution?: object) {
  const sent: { type: string; [field: string]: unknown }[] = [];
  const said: string[] = [];
  const send = (message: { type: string }) => sent.push(message);
  const game = {
    calculations: { of: () => Promise.resolve({ calculation: null, text: '', caution }) },
    clicks: { joiners: {}, joining: [] },
    handling: { plays: 0, undos: 0 },
    march: { halt: () => {} },
    next: {},
    offer: { reaction: false },
    passes: { inRow: 0, order: {} as object | null, takenBack: false },
    position: 1,
    saying: null,
    say: (_: string, text: string) => said.push(text),
    seat: { socket: { ask: (message: { type: string }) => (send(message), ask(message)), send } },
    stand: { down: null, layTemplate: () => false },
    table: { position: 7, undo: { can: true, barrier: null as string | null } },
  };
  return { decisions: new Decisions(game as unknown as Game), game, said, sent };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('a decision', () => {
  it('names the position that it is made on, and is waited for', async () => {
    const { decisions, sent, game } = table();
    const playing = decisions.sendPlay({ type: 'Fire' }, [{ type: 'Stop' }]);
    expect(decisions.busy).toBe(true);
    expect(await playing).toBe(true);
    expect(decisions.busy).toBe(false);
    expect(sent).toEqual([{ type: 'play', position: 7, action: { type: 'Fire' }, then: [{ type: 'Stop' }] }]);
    expect(game.handling.plays).toBe(1);
  });

  it('that is refused gets its reason', async () => {
    const { decisions, said } = table(() => Promise.reject(new Refused('Out of range', '9.5')));
    expect(await decisions.sendPlay({ type: 'Fire' }, [])).toBe(false);
    expect(said).toEqual(['Out of range']);
  });

  it('is waited for still when an earlier one is answered', async () => {
    const answers: (() => void)[] = [];
    const { decisions } = table(() => new Promise<void>((done) => answers.push(done)));
    const first = decisions.sendPlay({ type: 'One' }, []);
    void decisions.sendPlay({ type: 'Two' }, []);
    answers[0]!();
    await first;
    expect(decisions.busy).toBe(true);
  });
});

describe('a choice that there is a caution about', () => {
  it('is played only when pressed again', async () => {
    const { decisions, said, sent } = table(undefined, { text: 'Nobody can fire', rule: null });
    decisions.play(choice('activate'));
    await settled();
    expect([said, sent]).toEqual([['Nobody can fire'], []]);
    decisions.play(choice('activate'));
    await settled();
    expect(sent.map(({ type }) => type)).toEqual(['play']);
  });

  it('is played at once where there is nothing to say', async () => {
    const { decisions, sent } = table();
    decisions.play(choice('done'));
    await settled();
    expect(sent).toHaveLength(1);
  });

  it('is not played on a position that has changed meanwhile', async () => {
    const { decisions, sent, game } = table();
    decisions.play(choice('done'));
    game.position = 2;
    await settled();
    expect(sent).toEqual([]);
  });
});

describe('to take back', () => {
  it('is sent, and ends an order to pass', () => {
    const { decisions, sent, game } = table();
    decisions.undo();
    expect(sent).toEqual([{ type: 'undo', position: 7 }]);
    expect([game.passes.order, game.passes.takenBack]).toEqual([null, true]);
  });

  it('says why where it is impossible', () => {
    const { decisions, sent, said, game } = table();
    game.table.undo = { can: false, barrier: 'dice were rolled' };
    decisions.undo();
    expect(sent).toEqual([]);
    expect(said[0]).toContain('dice were rolled');
  });
});

it('passes in a row are counted until something else is chosen', () => {
  const { decisions, game } = table();
  game.offer.reaction = true;
  decisions.play(choice('pass'));
  decisions.play(choice('pass'));
  expect(game.passes.inRow).toBe(2);
  decisions.play(choice('react'));
  expect(game.passes.inRow).toBe(0);
});

describe('a press on a button that rolls dice', () => {
  const finger = { pointerType: 'touch' } as unknown as MouseEvent;
  const mouse = { pointerType: 'mouse' } as unknown as MouseEvent;

  /** A table where a finger is told of a choice first, or has nothing to be told. */
  function glass(tells: boolean) {
    const { decisions, game, sent } = table();
    const clicks = { held: null as Choice | null, pick: (one: Choice) => (clicks.held = one) };
    Object.assign(game.calculations, { tellsFirst: () => Promise.resolve(tells) });
    Object.assign(game.clicks, clicks);
    Object.defineProperty(game.clicks, 'held', { get: () => clicks.held });
    return { decisions, sent };
  }

  it('by a finger tells first, and the second one plays', async () => {
    const { decisions, sent } = glass(true);
    const fire = choice('fire', { confirm: true });
    decisions.press(fire, finger);
    await settled();
    expect(sent).toEqual([]);
    decisions.press(fire, finger);
    expect(sent.map(({ type }) => type)).toEqual(['play']);
  });

  it('plays at once where all is told, by a mouse, and where it can be taken back', async () => {
    const fire = choice('fire', { confirm: true });
    for (const [tells, one, by] of [
      [false, fire, finger],
      [true, fire, mouse],
      [true, choice('move', { confirm: false }), finger],
    ] as const) {
      const { decisions, sent } = glass(tells);
      decisions.press(one, by);
      await settled();
      expect(sent.map(({ type }) => type)).toEqual(['play']);
    }
  });
});
