import { describe, expect, it } from 'vitest';
import { depthOf, parentsOf, search } from './rulebook';

const rule = (number: string, title: string, statement = '') => ({
  rule: number,
  title,
  statement,
  kind: '',
  level: '',
  status: '',
});

describe('rule numbers', () => {
  it('name what holds them', () => {
    expect(parentsOf('9.5.2')).toEqual(['9.5', '9.0']);
    expect(parentsOf('9.9-P1')).toEqual(['9.9', '9.0']);
    expect(parentsOf('9.0')).toEqual([]);
    expect(depthOf('8.2.1.1')).toBe(3);
  });
});

describe('searching', () => {
  const rules = [
    rule('9.0', 'Combat', 'firing'),
    rule('9.5', 'Direct fire'),
    rule('8.2', 'Line of sight', 'direct view'),
  ];

  it('finds by number', () => {
    expect(search(rules, '9').map((r) => r.rule)).toEqual(['9.0', '9.5']);
  });

  it('finds by words, titles first', () => {
    expect(search(rules, 'direct').map((r) => r.rule)).toEqual(['9.5', '8.2']);
    expect(search(rules, 'sight direct').map((r) => r.rule)).toEqual(['8.2']);
  });
});
