import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice, PreviewAnswer } from '../protocol';
import type { Ghost } from '../surface/ghost.svelte';
import { Calculations } from './calculations.svelte';

const fireAt = (target: string) =>
  ({
    kind: 'fire',
    units: ['a', target],
    places: [],
    action: { type: 'Fire', target },
  }) as unknown as Choice;
const answer = (title: string) => ({ calculation: { title }, text: title }) as unknown as PreviewAnswer;

/** A table on which an attacker is chosen, with the targets x and y; the server calculates by the target. */
function table(more: object = {}, failing = false) {
  const asked: object[] = [];
  const ask = ({ action }: Choice) => {
    asked.push(action);
    return failing ? Promise.reject(new Error('gone')) : Promise.resolve(answer(String(action.target)));
  };
  const game = {
    clicks: { made: [{ unit: 'a' }], left: [] as Choice[] },
    offer: { choices: [fireAt('x'), fireAt('y')], reaction: false },
    position: 1,
    seat: { socket: { ask } },
    view: { building: null as object | null },
    ...more,
  };
  return { asked, calculations: new Calculations(game as unknown as Game), game };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('the calculation of a choice', () => {
  it('is asked for once a position', async () => {
    const { calculations, asked } = table();
    await calculations.of(fireAt('x'));
    await calculations.of(fireAt('x'));
    expect(asked).toHaveLength(1);
    calculations.forget();
    await calculations.of(fireAt('x'));
    expect(asked).toHaveLength(2);
  });

  it('is none where the server does not answer', async () => {
    const { calculations } = table({}, true);
    expect(await calculations.of(fireAt('x'))).toEqual({ calculation: null, text: '' });
  });

  it('is not shown if the position has changed meanwhile', async () => {
    const { calculations, game } = table();
    calculations.preview(fireAt('x'));
    game.position = 2;
    await settled();
    expect(calculations.previewed).toBeNull();
  });
});

describe('the calculation on show', () => {
  it('is that of what is about to be done', async () => {
    const { calculations } = table({ view: { building: { calculation: { title: 'built' } } } });
    expect(calculations.shown).toEqual({ title: 'built' });
    calculations.preview(fireAt('x'));
    await settled();
    expect(calculations.shown).toEqual({ title: 'x' });
  });

  it('is that of what has been put together where nothing was clicked', async () => {
    const building = { calculation: { title: 'built' } };
    const { calculations } = table({ clicks: { made: [], left: [] }, view: { building } });
    calculations.preview(fireAt('x'));
    await settled();
    expect(calculations.shown).toEqual({ title: 'built' });
  });
});

describe('a pointer on a target', () => {
  it('shows what a click would do, until it leaves', async () => {
    const { calculations } = table();
    calculations.hoverUnit('y');
    await settled();
    expect(calculations.previewed?.choice).toEqual(fireAt('y'));
    calculations.hoverUnit(null);
    expect(calculations.previewed).toBeNull();
  });

  it('shows nothing while nobody is chosen', async () => {
    const { calculations, asked } = table({ clicks: { made: [], left: [] } });
    calculations.hoverUnit('y');
    await settled();
    expect(asked).toEqual([]);
  });
});

it('a button whose calculation is on show already shows no second one', async () => {
  const { calculations } = table();
  calculations.preview(fireAt('x'));
  await settled();
  calculations.previewBeside(fireAt('x'));
  await settled();
  expect(calculations.beside).toBeNull();
  calculations.previewBeside(fireAt('y'));
  await settled();
  expect(calculations.beside?.choice).toEqual(fireAt('y'));
});

it('a finger is told what comes of a choice, and nothing that it sees already', async () => {
  const { calculations, game } = table();
  const x = fireAt('x');
  expect(await calculations.tellsFirst(x)).toBe(true);
  expect(calculations.previewed?.choice).toBe(x);
  expect(await calculations.tellsFirst(x)).toBe(false);
  // The buttons of answers to the enemy bear their chances themselves.
  game.offer.reaction = true;
  expect(await calculations.tellsFirst(fireAt('y'))).toBe(false);
});

describe('a template in hand', () => {
  const ghostAt = (target: string, more: object = {}) =>
    ({
      template: [1, 1],
      moved: true,
      price: { text: null },
      region: { label: 'Lay' },
      legs: [{ type: 'Fire', target }],
      ...more,
    }) as unknown as Ghost;

  it('tells what would come of it where it lies', async () => {
    const ghost = ghostAt('x');
    const { calculations } = table({ stand: { ghost } });
    await calculations.aim(ghost);
    expect(calculations.aimed?.calculation?.title).toBe('x');
  });

  it('tells nothing where the rules refuse it, and nothing once it is laid down', async () => {
    const ghost = ghostAt('x');
    const { calculations } = table({ stand: { ghost } });
    for (const other of [ghostAt('x', { price: { text: 'No.' } }), ghostAt('x', { template: null }), null]) {
      await calculations.aim(ghost);
      expect(calculations.aimed).not.toBeNull();
      await calculations.aim(other);
      expect(calculations.aimed).toBeNull();
    }
  });

  it('does not flicker while its next place is asked about', async () => {
    const ghost = ghostAt('x');
    const { calculations, asked } = table({ stand: { ghost } });
    await calculations.aim(ghost);
    await calculations.aim(ghostAt('y', { price: null }));
    expect(calculations.aimed?.calculation?.title).toBe('x');
    expect(asked).toHaveLength(1);
  });

  it('shows no answer about a place that it has left', async () => {
    const ghost = ghostAt('x');
    const { calculations } = table({ stand: { ghost } });
    const answered = calculations.aim(ghost);
    Object.assign(ghost, { legs: [{ type: 'Fire', target: 'y' }] });
    await answered;
    expect(calculations.aimed).toBeNull();
  });
});
