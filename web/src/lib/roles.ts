/** Who is activated, and what for: the choices of an activation and a designation in rows. Pure. */
import { t } from './i18n';
import type { Choice, MarkPicture, Unit, UnitId, UnitMark } from './protocol';

/** A choice and its place among all of them. */
export interface Entry {
  choice: Choice;
  index: number;
}

export interface Row {
  unit: UnitId;
  entries: Entry[];
}

export interface Roles {
  /** For everybody who is not designated yet. */
  all: Entry[];
  /** Leaders with all in reach, and stacks. */
  groups: Entry[];
  /** What one unit may be activated or designated for. */
  rows: Row[];
}

const PICTURES: Record<string, MarkPicture> = { move: 'move', fire: 'fire' };

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** A role in words; a unit that cannot move by itself does other work when others move. */
export function wordOfRole(role: string, unit?: Pick<Unit, 'work'>): string {
  if (role === 'move' && unit?.work) return sentence(unit.work);
  return t.roles.names[role] ?? role;
}

/** What a unit is activated for, as a marker on its counter. */
export function markOfRole(role: string, unit?: Pick<Unit, 'work'>): UnitMark {
  const title = wordOfRole(role, unit);
  const picture = role === 'move' && unit?.work ? 'plate' : (PICTURES[role] ?? 'plate');
  return { title, code: title.slice(0, 1), picture, open: true };
}

/** Kinds of choices that say who is activated, and what for. */
export function isRole(choice: Choice): boolean {
  return choice.kind === 'activate' || choice.kind === 'designate';
}

/** What an action says that its unit will do: `move`, `fire`, `recover` or `direct`; null where it says nothing. */
export function roleOf(choice: Choice): string | null {
  return typeof choice.action.role === 'string' ? choice.action.role : null;
}

/** Leads others: a leader, or all of a hex. */
export function isGroup(choice: Choice): boolean {
  return choice.kind === 'activate' && roleOf(choice) === null;
}

export function inRows(entries: readonly Entry[]): Roles {
  const roles: Roles = { all: [], groups: [], rows: [] };
  for (const entry of entries) {
    const unit = entry.choice.units[0];
    const row = roles.rows.find((r) => r.unit === unit);
    // A stack of one is that unit alone.
    if (isStack(entry.choice) && unit === undefined) continue;
    if (isGroup(entry.choice)) roles.groups.push(entry);
    else if (unit === undefined) roles.all.push(entry);
    else if (row) row.entries.push(entry);
    else roles.rows.push({ unit, entries: [entry] });
  }
  // Those who bring many come before those who bring a few.
  roles.groups.sort((a, b) => Number(isStack(a.choice)) - Number(isStack(b.choice)));
  return roles;
}

/** All of a hex, and not a leader's group. */
export function isStack(choice: Choice): boolean {
  return isGroup(choice) && choice.places.length > 0;
}

/** Leaders through whom others can be activated, in the order of the choices. */
export function leaders(choices: readonly Choice[]): UnitId[] {
  return choices.filter((c) => isGroup(c) && !isStack(c)).flatMap((c) => c.units.slice(0, 1));
}
