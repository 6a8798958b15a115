import { describe, expect, it } from 'vitest';
import type { Game } from '../game.svelte';
import { LineOfSight } from './los.svelte';

/** A table on which a tank is chosen at 0101, or nobody; the server answers so. */
function sight(answer: object, chosen: string[] = []) {
  const asked: object[] = [];
  const game = {
    ask: (message: object) => (asked.push(message), Promise.resolve(answer)),
    clicks: { units: chosen },
    past: { moment: null as object | null },
    tape: { inHand: 'tape' as string | null },
    units: new Map([['tank', { id: 'tank', place: '0101' }]]),
  };
  return { asked, game, los: new LineOfSight(game as unknown as Game) };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('the line of sight', () => {
  it('begins at the chosen unit, and goes to the place that is clicked', async () => {
    const { los, asked, game } = sight({ clear: true, at: null }, ['tank']);
    los.toggle();
    expect([los.tool?.from, game.tape.inHand]).toEqual(['0101', null]);
    los.click('0104');
    await settled();
    expect(asked).toEqual([{ type: 'los', from: '0101', to: '0104' }]);
    expect(los.tool?.answer).toMatchObject({ clear: true });
  });

  it('begins where the player clicks first if nobody is chosen', () => {
    const { los, asked } = sight({});
    los.toggle();
    los.click('0205');
    los.click('0205');
    expect([los.tool?.from, los.tool?.to, asked]).toEqual(['0205', null, []]);
  });

  it('begins anew with a third click', async () => {
    const { los } = sight({ at: null }, ['tank']);
    los.toggle();
    los.click('0104');
    await settled();
    los.click('0301');
    expect([los.tool?.from, los.tool?.to, los.tool?.answer]).toEqual(['0301', null, null]);
  });

  it('drops an answer about another place', async () => {
    const { los } = sight({ clear: true, at: null }, ['tank']);
    los.toggle();
    los.click('0104');
    los.click('0301');
    await settled();
    expect(los.tool?.answer).toBeNull();
  });

  it('tells a point of the free table by its two numbers', async () => {
    const { los } = sight({ clear: false, at: [10500, 2000] }, ['tank']);
    los.toggle();
    los.click('12,3');
    await settled();
    expect(los.tool?.answer?.at).toBe('10.5,2');
  });

  it('is put away by a second press, and not taken up while looking back', () => {
    const { los, game } = sight({});
    los.toggle();
    los.toggle();
    expect(los.tool).toBeNull();
    game.past.moment = {};
    los.toggle();
    expect(los.tool).toBeNull();
  });
});

it('what is seen from a place is shown and hidden again', async () => {
  const { los, asked } = sight({ places: ['0102'] }, ['tank']);
  los.toggle();
  await los.toggleSees();
  los.toggleHigh();
  expect([los.tool?.sees, los.tool?.high]).toEqual([{ places: ['0102'] }, true]);
  await los.toggleSees();
  expect([los.tool?.sees, los.tool?.high]).toEqual([null, false]);
  expect(asked).toEqual([{ type: 'sees', place: '0101' }]);
});
