import { expect, it } from 'vitest';
import { faultyLine } from './fault';

it('names the line that is at fault', () => {
  expect(faultyLine('record:5: this decision cannot be read: Input data was truncated')).toBe(5);
  expect(faultyLine('line 12: the record says dice [1], the game says [4]')).toBe(12);
  expect(faultyLine('record: this file is not text; expected a record written by the table')).toBeNull();
});
