/** Keys that players may change. A command goes by the key that it has at first, a small letter or a sign. Pure. */

/** The keys that a player has changed: by command the key chosen for it. */
export type Chosen = Readonly<Record<string, string>>;

/** A key in a row of the list: as it is written, the command that it is for, and whether it may be changed here. */
export interface Cap {
  written: string;
  command: string | null;
  changeable: boolean;
}

/** How a sign is written, where it is not written as it is typed. */
const WRITTEN: Readonly<Record<string, string>> = { '-': '−' };
const typed = (written: string): string =>
  Object.keys(WRITTEN).find((key) => WRITTEN[key] === written) ?? written.toLowerCase();

const isLetter = (key: string) => key.toLowerCase() !== key.toUpperCase();
const own = (command: string, chosen: Chosen) => chosen[command] ?? command;

/** The key of a command as it is shown to the player. */
export function shown(command: string, chosen: Chosen): string {
  const key = own(command, chosen);
  return WRITTEN[key] ?? key.toUpperCase();
}

/** The key that a press stands for, had no key been changed; null if its command has another key now. */
export function meant(pressed: string, chosen: Chosen): string | null {
  const key = pressed.toLowerCase();
  const command = Object.keys(chosen).find((each) => chosen[each] === key);
  // With Shift a letter stays its command's other half.
  if (command !== undefined) return pressed !== key && isLetter(command) ? command.toUpperCase() : command;
  return key in chosen ? null : pressed;
}

/** The keys in a row of the list, as in "N / Shift+N": a key with another one before it follows the key alone. */
export function capsOf(row: string, chosen: Chosen): Cap[] {
  return row.split(' / ').map((written) => {
    const [key = '', ...before] = written.split('+').reverse();
    if (written === '+') return { written: shown('+', chosen), command: '+', changeable: true };
    const command = typed(key);
    if (command.length !== 1) return { written, command: null, changeable: false };
    return {
      written: [...before.reverse(), shown(command, chosen)].join('+'),
      command,
      changeable: before.length === 0,
    };
  });
}

/** Every command that a list of keys names, with what it does. */
export function commandsOf(list: readonly (readonly [string, string])[]): Map<string, string> {
  const caps = list.flatMap(([row, what]) =>
    capsOf(row, {}).map(({ command, changeable }): [string | null, string, boolean] => [
      command,
      what,
      changeable,
    ]),
  );
  return new Map(caps.flatMap(([command, what, own]) => (command && own ? [[command, what]] : [])));
}

/** What stands against a key for a command: the browser needs it, a choice in the list has it, or a command has it. */
export type Objection = { kind: 'unfit' } | { kind: 'number' } | { kind: 'taken'; by: string };

export function objection(
  key: string,
  command: string,
  commands: ReadonlyMap<string, string>,
  chosen: Chosen,
): Objection | null {
  if (key.length !== 1 || key.trim() === '') return { kind: 'unfit' };
  if (/[1-9]/.test(key)) return { kind: 'number' };
  const by = [...commands.keys()].find((each) => each !== command && own(each, chosen) === key.toLowerCase());
  return by === undefined ? null : { kind: 'taken', by };
}

/** The keys with another one for a command; its first one needs no note. */
export function changed(command: string, key: string, chosen: Chosen): Chosen {
  const others = Object.entries(chosen).filter(([each]) => each !== command);
  const now = key.toLowerCase();
  return Object.fromEntries(now === command ? others : [...others, [command, now]]);
}
