import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import { About } from './about.svelte';

/** A table whose server answers so to every question. */
function about(answer: object, more: object = {}) {
  const asked: object[] = [];
  const game = {
    ask: (message: object) => (asked.push(message), Promise.resolve(answer)),
    clicks: { left: [{ action: { type: 'ActivateLeader' }, units: ['lt'] }] },
    inspected: 'tank',
    offer: { readAll: () => {} },
    past: { moment: null as object | null },
    position: 1,
    side: 'german',
    table: { view: { designation: null as object | null } },
    ...more,
  };
  const told = new About(game as unknown as Game);
  told.asks = new Set(['card', 'glance', 'overlay']);
  return { about: told, asked, game };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('what the map knows about a unit', () => {
  it('is shown, and hidden again', async () => {
    const { about: told } = about({ overlay: { lines: [] } });
    told.toggleOverlay();
    await settled();
    expect(told.overlay).toEqual({ lines: [] });
    told.toggleOverlay();
    expect(told.overlay).toBeNull();
  });

  it('is not shown once another unit is looked at', async () => {
    const { about: told } = about({ overlay: { lines: [] } });
    told.toggleOverlay('tank');
    told.hideOverlay();
    await settled();
    expect(told.overlay).toBeNull();
  });

  it('is asked for only where the rulebook knows anything', () => {
    const { about: told, asked } = about({});
    told.asks = new Set();
    told.toggleOverlay();
    told.toggleGlance();
    told.openCard();
    expect([asked, told.carded]).toEqual([[], null]);
  });
});

describe('a look over the own side', () => {
  it('is taken and put away', async () => {
    const { about: told } = about({ units: ['a'] });
    told.toggleGlance();
    await settled();
    expect(told.glance).toEqual(['a']);
    told.toggleGlance();
    expect(told.glance).toBeNull();
  });

  it('is taken anew in another position, and not from an old answer', async () => {
    const { about: told, asked, game } = about({ units: ['a'] });
    told.toggleGlance();
    await settled();
    told.renew();
    expect(told.glance).toEqual([]);
    game.position = 2;
    await settled();
    expect([told.glance, asked.length]).toEqual([[], 2]);
  });

  it('is not taken while looking back', () => {
    const { about: told, asked } = about({ units: ['a'] }, { past: { moment: {} } });
    told.toggleGlance();
    told.watch();
    expect(asked).toEqual([]);
  });
});

describe('those whom a leader would activate', () => {
  it('are asked for once a leader is chosen, and once only', async () => {
    const { about: told, asked } = about({ units: [{ unit: 'a' }, { unit: 'b' }] });
    told.askGroup('lt');
    told.askGroup('lt');
    await settled();
    expect([...told.group]).toEqual(['a', 'b']);
    expect(asked).toEqual([{ type: 'group', unit: 'lt' }]);
  });

  it('are those of the activation where nobody leads', () => {
    const view = { designation: { units: ['c'] } };
    const { about: told } = about({}, { table: { view } });
    told.askGroup('tank');
    expect([...told.group]).toEqual(['c']);
  });
});
