import { describe, expect, it } from 'vitest';
import { symbolOf, type Kind } from './symbols';

const kind = (type: string, name: string, armoured = false): Kind => ({
  type,
  name,
  armoured,
  vehicle: armoured || type === 'transport',
  weapon: '',
});
const drawn = (type: string, name: string, armoured = false) =>
  symbolOf(kind(type, name, armoured), 'silhouette');

describe('the symbol of a stand', () => {
  it('tells men on foot, on horse and engineers from guns', () => {
    const signs = [
      drawn('personnel', "Infantry '43"),
      drawn('personnel', 'Cavalry'),
      drawn('personnel', 'Pioneer'),
      drawn('anti-tank', '75mm ATG PaK 40'),
      drawn('artillery', '105mm IFH18'),
    ];
    expect(new Set(signs.map((sign) => JSON.stringify(sign))).size).toBe(5);
  });

  it('is the same in every language', () => {
    const infantry = kind('infantry', 'INF 1');
    const infanterie = { ...kind('Infanterie', 'INF 1'), sort: 'infantry', model: 'INF 1' };
    const unknown = kind('Infanterie', 'INF 1');
    for (const style of ['silhouette', 'nato'] as const) {
      expect(symbolOf(infanterie, style)).toBe(symbolOf(infantry, style));
      expect(symbolOf(unknown, style)).not.toBe(symbolOf(infantry, style));
    }
  });

  it('tells machine guns from infantry and mortars, in both styles', () => {
    for (const style of ['silhouette', 'nato'] as const) {
      const signs = [kind('hmg', 'HMG'), kind('infantry', 'INF'), kind('mortar', '81mm mortar')];
      expect(new Set(signs.map((one) => JSON.stringify(symbolOf(one, style)))).size).toBe(3);
    }
  });

  it('tells armoured vehicles by what they are for', () => {
    const [tank, hunter, flak, howitzer, carrier] = [
      drawn('tank', 'T-34c', true),
      drawn('anti-tank', 'SU-85', true),
      drawn('anti-aircraft', 'Wirbelwind', true),
      drawn('artillery', 'Wespe', true),
      drawn('apc', 'SdKfz 251/1', true),
    ];
    expect(new Set([tank, hunter, flak, howitzer, carrier].map((s) => JSON.stringify(s))).size).toBe(5);
  });

  it('shows aircraft as aircraft, and anti-aircraft guns as guns', () => {
    expect(drawn('aircraft', 'Il-2 M3')).toEqual(drawn('glider', 'Horsa'));
    expect(drawn('aircraft', 'Il-2 M3')).not.toEqual(drawn('anti-aircraft', '2 cm FlaK 38'));
  });

  it('shows a boat as a boat', () => {
    expect(drawn('boat', 'Storm boat')).toEqual(drawn('vessel', 'Gunboat', true));
  });
});
