import { describe, expect, it } from 'vitest';
import { capsOf, changed, commandsOf, meant, objection, shown } from './keys';

const LIST: [string, string][] = [
  ['N / Shift+N', 'next unit'],
  ['U', 'undo'],
  ['+ / −', 'zoom'],
  ['1 – 9', 'a choice'],
  ['Esc', 'step back'],
];
const COMMANDS = commandsOf(LIST);

describe('keys', () => {
  it('are those of the list until they are changed', () => {
    expect([meant('u', {}), meant('N', {}), meant('[', {})]).toEqual(['u', 'N', '[']);
    expect([...COMMANDS]).toEqual([
      ['n', 'next unit'],
      ['u', 'undo'],
      ['+', 'zoom'],
      ['-', 'zoom'],
    ]);
  });

  it('mean what was chosen, and with Shift the same command the other way', () => {
    const chosen = changed('n', 'J', {});
    expect(chosen).toEqual({ n: 'j' });
    expect([meant('j', chosen), meant('J', chosen)]).toEqual(['n', 'N']);
    // The key that was left has no command any more.
    expect([meant('n', chosen), meant('N', chosen)]).toEqual([null, null]);
    expect(shown('n', chosen)).toBe('J');
  });

  it('can change places by way of a third key', () => {
    let chosen = changed('n', 'k', {});
    chosen = changed('u', 'n', chosen);
    chosen = changed('n', 'u', chosen);
    expect([meant('u', chosen), meant('n', chosen), meant('k', chosen)]).toEqual(['n', 'u', 'k']);
  });

  it('are shown in the list, written as on the keyboard', () => {
    const chosen = changed('n', 'j', {});
    expect(capsOf('N / Shift+N', chosen)).toEqual([
      { written: 'J', command: 'n', changeable: true },
      { written: 'Shift+J', command: 'n', changeable: false },
    ]);
    expect(capsOf('+ / −', chosen).map((cap) => cap.written)).toEqual(['+', '−']);
    expect(capsOf('1 – 9', chosen)).toEqual([{ written: '1 – 9', command: null, changeable: false }]);
    expect(capsOf('Shift+Arrows', chosen)[0]?.command).toBeNull();
  });

  it('object to a key that something else has', () => {
    expect(objection('u', 'n', COMMANDS, {})).toEqual({ kind: 'taken', by: 'u' });
    expect(objection('U', 'u', COMMANDS, {})).toBeNull();
    expect(objection('j', 'u', COMMANDS, { n: 'j' })).toEqual({ kind: 'taken', by: 'n' });
    expect(objection('n', 'u', COMMANDS, { n: 'j' })).toBeNull();
    expect(objection('4', 'u', COMMANDS, {})).toEqual({ kind: 'number' });
    expect([objection('Tab', 'u', COMMANDS, {}), objection(' ', 'u', COMMANDS, {})]).toEqual([
      { kind: 'unfit' },
      { kind: 'unfit' },
    ]);
  });

  it('go back to what they were', () => {
    expect(changed('n', 'n', { n: 'j', u: 'z' })).toEqual({ u: 'z' });
  });
});
