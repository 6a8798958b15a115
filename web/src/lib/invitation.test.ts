import { describe, expect, it } from 'vitest';
import { decoded } from './decoded';
import { invitationOf } from './invitation';

describe('a link to a seat', () => {
  it('brings the key after the name of the seat', () => {
    expect(invitationOf('#seat=german:a-b_c')).toEqual({ token: 'a-b_c' });
    expect(invitationOf('#seat=Bert%20B.:a%3Ab')).toEqual({ token: 'a:b' });
  });

  it('may be damaged, which is no reason to show nothing', () => {
    for (const hash of [
      '#seat=%:x',
      '#seat=x:%',
      '#seat=',
      '#seat=german',
      '#seat=:x',
      '#seat=german:',
      '#seat=%E4:x',
    ])
      expect(invitationOf(hash)).toEqual({ token: null });
  });

  it('is no other link', () => {
    for (const hash of ['', '#', '#moment=3', '#seats=a:b']) expect(invitationOf(hash)).toBeNull();
  });

  it('is read part by part', () => {
    expect([decoded('a%20b'), decoded('%'), decoded('')]).toEqual(['a b', null, '']);
  });
});
