import { describe, expect, it } from 'vitest';
import { symbolOf, type Kind } from './symbols';

function kind(type: string, name: string, weapon: string, vehicle: boolean, armoured = vehicle): Kind {
  return { type, name, weapon, vehicle, armoured };
}

const sign = (k: Kind) => symbolOf(k, 'silhouette');

describe('silhouettes', () => {
  it('tell a towed gun from a tank, whatever its type is called', () => {
    const gun = sign(kind('anti-tank gun', '8.8cm Pak 43', 'A', false));
    const tank = sign(kind('tank', 'T-34/76', 'A', true));
    expect(gun).not.toBe(tank);
    expect(gun).toBe(sign(kind('artillery', '37mm AA gun', 'H', false)));
  });

  it('tell a self-propelled howitzer from a towed one', () => {
    expect(sign(kind('howitzer', 'Wespe', '(H)', true))).not.toBe(
      sign(kind('howitzer', '76.2mm howitzer', '(H)', false)),
    );
  });

  it('show a reconnaissance half-track as a half-track and a car as a car', () => {
    const track = sign(kind('reconnaissance', 'SdKfz 250/8', 'H', true));
    expect(track).toBe(sign(kind('transport', 'M-2 half-track', 'C(I)', true)));
    expect(track).not.toBe(sign(kind('reconnaissance', 'SdKfz 234/1', 'H', true)));
  });

  it('leave men on foot their sign in both styles', () => {
    const rifle = kind('infantry', 'Rifle platoon 42', 'I', false);
    expect(symbolOf(rifle, 'nato')).toBe(symbolOf(rifle, 'silhouette'));
  });
});
