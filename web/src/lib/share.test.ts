import { describe, expect, it } from 'vitest';
import { pictureOf, type Told } from './share';

const told: Told = {
  title: 'Stugs & <Stoves>',
  winner: 'German wins',
  reason: 'by points',
  sides: [
    { id: 'german', name: 'German', score: '7' },
    { id: 'soviet', name: 'Soviet', score: '4' },
  ],
  points: [{ n: 0, turn: 1, scores: {}, worth: {} }],
  turns: 8,
  turnings: [],
  losses: new Map([[2, new Map([['soviet', 3]])]]),
  words: {
    lead: 'Lead',
    losses: 'Losses',
    turning: 'Turning points',
    turn: (n) => `Turn ${n}`,
    made: 'Made with Opfire',
  },
};

describe('the picture of a game', () => {
  it('tells title, end and score, and draws the losses', () => {
    const svg = pictureOf(told);
    expect(svg).toContain('Stugs &amp; &lt;Stoves&gt;');
    expect(svg).not.toContain('<Stoves>');
    expect(svg).toContain('7 : 4');
    expect(svg).toContain('>3</text>');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  it('asks no other machine for anything', () => {
    expect(pictureOf(told).replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /https?:|href|url\((?!#)/,
    );
  });
});
