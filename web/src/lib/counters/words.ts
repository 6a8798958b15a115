/** A counter in words: for badges, labels and the text view. */
import { t } from '../i18n';
import type { BadgeForm, Unit, UnitMark } from '../protocol';
import { named } from '../surface/places';
import { figuresInWords } from './figures';
import { looks } from './looks.svelte';
import { marked } from './marked.svelte';

export interface ShownBadge {
  code: string;
  text: string;
  /** `stop` is an octagon, so that the demoralized differ from the disrupted by shape. */
  form: BadgeForm;
}

const MOST = 3;

/** What is shown on the counter, the weightiest first; no two say the same. */
export function badgesOf(unit: Unit): ShownBadge[] {
  const badges: ShownBadge[] = [];
  const add = (code: string, text: string, form: ShownBadge['form']) => {
    if (code && !badges.some((b) => b.code === code)) badges.push({ code, text, form });
  };
  if (unit.dispersed) add(unit.dispersed, t.unit.dispersed, 'alarm');
  if (unit.spotted) add('S', t.unit.spotted, 'eye');
  for (const { code, text } of unit.badges) add(code, text, looks.now.badges[code] ?? 'tag');
  if (unit.cargo.length > 0) add('L', t.unit.loaded(unit.cargo.length), 'tag');
  if (unit.below) add('B', t.unit.below(unit.below), 'tag');
  // A counter that lies face down shows by itself that it has acted.
  if (unit.face_up === false) return badges.filter((b) => !['M', 'F', 'I'].includes(b.code)).slice(0, MOST);
  if (badges.some((b) => b.code === 'MF')) return badges.slice(0, MOST);
  if (unit.fired) add('F', t.unit.fired, 'tag');
  if (unit.moved) add('M', t.unit.moved, 'tag');
  return badges.slice(0, MOST);
}

/** The posture of a stand in a word; none where it is the usual one. */
export function stanceOf({ posture }: Unit): string | undefined {
  return posture === undefined ? undefined : (t.unit.stances[posture] ?? looks.now.stances?.[posture]?.word);
}

/** Words as they stand within a sentence: names in them keep their capitals, and so do words written in capitals. */
const small = (words: string) =>
  /^\p{Lu}\p{Lu}/u.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);

/** The states of a unit in words. */
export function statesOf(unit: Unit): string[] {
  const states: string[] = [];
  // A badge says the same in the words of its book.
  const told = new Set(unit.badges.map(({ code }) => code));
  if (unit.face_up === false && !told.has('I')) states.push(t.unit.faceDown);
  if (unit.dispersed && !told.has(unit.dispersed)) states.push(t.unit.dispersed);
  if (unit.moved && !told.has('M') && !told.has('MF')) states.push(t.unit.moved);
  if (unit.fired && !told.has('F')) states.push(t.unit.fired);
  const stance = stanceOf(unit);
  if (stance) states.push(stance);
  if (unit.cargo.length > 0 && !told.has('L')) states.push(t.unit.loaded(unit.cargo.length));
  if (unit.carrier) states.push(t.unit.carried);
  if (unit.below && !told.has('B')) states.push(t.unit.below(unit.below));
  if (unit.spotted && !unit.badges.some((b) => b.text.toLowerCase().includes(t.unit.spotted)))
    states.push(t.unit.spotted);
  return [...new Set([...states, ...unit.badges.map((b) => small(b.text))])];
}

export function valuesOf(unit: Unit): string {
  const morale = unit.printed && !unit.rank ? `, ${t.unit.printed(unit.printed)}` : '';
  return figuresInWords(unit.figures ?? [], looks.now, t.unit.figures) + morale;
}

/** The order that lies on a unit, in words. */
export function orderOf(mark: UnitMark | null | undefined): string[] {
  if (!mark) return [];
  if (mark.title === null) return [t.sheet.hidden];
  return [mark.open ? t.sheet.open(mark.title) : t.sheet.secret(mark.title)];
}

export function labelOf(unit: Unit, sideName: string, mark: UnitMark | null = unit.mark ?? null): string {
  const formation = marked.now.get(unit.id)?.name;
  const where = `${formation ? `, ${formation}` : ''}${unit.place ? `, ${named(unit.place)}` : ''}`;
  const states = [...orderOf(mark), ...statesOf(unit)];
  return `${sideName} ${unit.name}${where}: ${valuesOf(unit)}${states.length ? `; ${states.join(', ')}` : ''}`;
}

/** A name without what stands in the unit's own words elsewhere; it is never cut off. */
export function shortName(name: string): string {
  const bare = name
    .replace(/\s*\(.*\)$/, '')
    // The size stands in the unit's own words elsewhere.
    .replace(/ (platoon|company|battery|section|gun)\b/g, '')
    .trim();
  return looks.now.short[bare] ?? bare;
}

/** The size of a unit, in the page's language where it is a word. */
export const sizeOf = ({ size }: Unit): string => t.unit.sizes[size] ?? size;

/** What a counter that is seen from near by tells besides its figures: the kind of the unit, then its other values. */
export function detailsOf(unit: Unit): string[] {
  const values = [
    ...(unit.size && !unit.rank ? [sizeOf(unit)] : []),
    ...(unit.printed && !unit.rank ? [t.unit.printed(unit.printed)] : []),
    ...(unit.points && !unit.printed ? [t.forces.points(unit.points)] : []),
    ...(unit.steps && !unit.rank ? [t.unit.steps(unit.steps, unit.points)] : []),
  ];
  return [unit.type, values.join(' · ')].filter(Boolean);
}
