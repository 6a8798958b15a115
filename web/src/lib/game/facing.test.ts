import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import type { Choice } from '../protocol';
import { Facing } from './facing.svelte';

const turn = (facing: number, type = 'Turn') =>
  ({
    kind: 'turn',
    units: ['tank'],
    places: [],
    action: { type, unit: 'tank', facing },
  }) as unknown as Choice;

/** A tank that faces north and may turn its hull to the sides 1, 2 and 5. */
function tank(more: object = {}) {
  const played: Choice[] = [];
  const game = {
    asked: true,
    clicks: { made: [{ unit: 'tank' }] },
    decisions: { play: (choice: Choice) => played.push(choice) },
    ground: { cells: ['0101'] },
    offer: { choices: [turn(1), turn(2), turn(5)] },
    position: 1,
    units: new Map([['tank', { id: 'tank', place: '0101', facing: 0 }]]),
    ...more,
  };
  return { facing: new Facing(game as unknown as Game), played };
}

describe('the direction that is about to be taken', () => {
  it('is the permitted one nearest to where the hand leads', () => {
    const { facing } = tank();
    expect(facing.lead('hull', 100)).toBe(true);
    expect(facing.heading).toMatchObject({ part: 'hull', way: 2 });
    facing.lead('hull', 350);
    expect(facing.heading?.way).toBe(5);
  });

  it('goes on from the present one by keys, over those that are not permitted', () => {
    const { facing } = tank();
    facing.wheel('hull', -1);
    expect(facing.heading?.way).toBe(5);
    facing.wheel('hull', -1);
    expect(facing.heading?.way).toBe(2);
    facing.wheel('hull', 1);
    expect(facing.heading?.way).toBe(5);
  });

  it('is none for a turret that cannot turn', () => {
    const { facing } = tank();
    expect(facing.lead('turret', 100)).toBe(false);
    expect(facing.heading).toBeNull();
  });

  it('is none while another side is asked', () => {
    expect(tank({ asked: false }).facing.lead('hull', 100)).toBe(false);
  });
});

it('a turn is played once, and then nothing is meant any more', () => {
  const { facing, played } = tank();
  facing.lead('hull', 60);
  expect(facing.turn()).toBe(true);
  expect(played).toEqual([turn(1)]);
  expect(facing.turn()).toBe(false);
});
