import { describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../i18n';
import type { Unit } from '../protocol';
import { looks, PLAIN_LOOKS } from './looks.svelte';
import { badgesOf, detailsOf, labelOf, shortName, statesOf, valuesOf } from './words';

looks.now = {
  ...PLAIN_LOOKS,
  figures: {
    direct: { title: 'direct fire', at: 'foot', tone: 'plain' },
    morale: { title: 'morale', at: 'centre', tone: 'huge' },
  },
  badges: { D: 'alarm', DM: 'stop' },
};

const unit = (what: Partial<Unit>) =>
  ({
    name: 'INF 1',
    hex: '1-D6',
    face_up: true,
    dispersed: '',
    spotted: '',
    below: '',
    cargo: [],
    carrier: null,
    moved: false,
    fired: false,
    badges: [],
    figures: [{ kind: 'direct', text: '5-3' }],
    rank: '',
    printed: '8/7',
    ...what,
  }) as unknown as Unit;

describe('a counter in words', () => {
  it('shows each morale state by a code, by a shape of its own, and by a word', () => {
    const badges = (code: string, text: string) => badgesOf(unit({ badges: [{ code, text }] }))[0];
    const disrupted = badges('D', 'Disrupted');
    const demoralized = badges('DM', 'Demoralized');
    expect([disrupted?.code, demoralized?.code]).toEqual(['D', 'DM']);
    expect(disrupted?.form).not.toBe(demoralized?.form);
    expect(labelOf(unit({ badges: [{ code: 'DM', text: 'Demoralized' }] }), 'German')).toContain(
      'demoralized',
    );
  });

  it('writes states small, but names in them as they are, and no state twice', () => {
    const badges = [
      { code: 'L', text: 'Carries INF 2' },
      { code: 'S', text: 'Spotted firing' },
      { code: 'C', text: 'SPOT/MOVE' },
    ];
    expect(statesOf(unit({ badges, spotted: 'spotted' }))).toEqual([
      'carries INF 2',
      'spotted firing',
      'SPOT/MOVE',
    ]);
  });

  it('says in the words of a badge what is told by the unit as well, and not twice', () => {
    const badges = [
      { code: 'I', text: 'Inverted: it has acted' },
      { code: 'L', text: 'Carries INF 2' },
      { code: 'M', text: 'Has moved' },
      { code: 'F', text: 'Has fired' },
      { code: 'B', text: 'Dug in' },
    ];
    const laden = { face_up: false, moved: true, fired: true, cargo: ['inf-2'], below: 'dug-in' };
    expect(statesOf(unit({ ...laden, badges }))).toEqual([
      'inverted: it has acted',
      'carries INF 2',
      'has moved',
      'has fired',
      'dug in',
    ]);
  });

  it('names the printed morale, but for a leader, whose piece shows it', () => {
    expect(valuesOf(unit({}))).toBe('direct fire 5-3, morale 8/7');
    expect(valuesOf(unit({ rank: 'LT', figures: [{ kind: 'morale', text: '9' }], printed: '9' }))).toBe(
      'morale 9',
    );
  });

  it('tells from near by the kind, the size and the printed morale, and what the book counts it', () => {
    expect(detailsOf(unit({ type: 'infantry', size: 'platoon', points: 2 }))).toEqual([
      'infantry',
      'platoon · morale 8/7',
    ]);
    expect(detailsOf(unit({ type: 'tank', printed: '', points: 14 }))).toEqual(['tank', '14 points']);
    expect(detailsOf(unit({ type: 'leader', size: 'platoon', rank: 'LT', printed: '9' }))).toEqual([
      'leader',
    ]);
  });

  it('tells the posture in a word, but for the usual one', () => {
    expect(labelOf(unit({ posture: 'fire/move' }), 'German')).toContain('fire + move');
    expect(labelOf(unit({ posture: 'firing' }), 'German')).not.toContain('firing');
  });
});

describe('the name on a counter', () => {
  it('is never cut off', () => {
    expect(shortName('StuH 42 Sturmhaubitze')).toBe('StuH 42 Sturmhaubitze');
  });
});

describe('in German', () => {
  it('a size that is a word is German, too', async () => {
    vi.stubGlobal('document', { documentElement: {} });
    await chooseLanguage('de');
    try {
      expect(detailsOf(unit({ type: 'Panzer', size: 'heavy', printed: '', points: 0 }))).toEqual([
        'Panzer',
        'schwer',
      ]);
      expect(detailsOf(unit({ type: 'Panzer', size: '-1', printed: '', points: 0 }))).toEqual([
        'Panzer',
        '-1',
      ]);
    } finally {
      await chooseLanguage('en');
    }
  });
});
