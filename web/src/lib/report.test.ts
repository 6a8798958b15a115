import { describe, expect, it } from 'vitest';
import type { View } from './protocol';
import { linesOf, withReport, type Report } from './report';

const record = '{"opfire":1,"scenario":"a = \\"b\\"\\n"}\n{"n":1,"seat":"red"}\n{"n":2,"seat":"blue"}\n';
const report: Report = {
  text: 'The "bridge"\nis gone',
  line: 2,
  side: 'red',
  position: { turn: 3 } as View,
  versions: { opfire: '1' },
  browser: 'x',
};

describe('a report', () => {
  it('changes nothing of the record but adds itself to the header', () => {
    const [header, ...lines] = withReport(record, report).split('\n');
    expect(lines.join('\n')).toBe(record.slice(record.indexOf('\n') + 1));
    expect(JSON.parse(header!)).toEqual({ opfire: 1, scenario: 'a = "b"\n', report });
  });

  it('counts the decisions', () => {
    expect(linesOf(record)).toBe(2);
  });
});
