/** A scene of the film in words. Pure. */
import { wordOf } from '../chances';
import { figuresInWords } from '../counters/figures';
import { looks } from '../counters/looks.svelte';
import { language, t } from '../i18n';
import { overTable } from '../inwords';
import type { Figure, Unit, UnitId } from '../protocol';
import type { Scene } from './scenes';

/** The calibre that a name tells, in words and in millimetres: "7.5cm Pak 40", "82mm 1". */
export function calibreOf(name: string): { text: string; mm: number } | null {
  const found = /(\d+(?:[.,]\d+)?)\s?(cm|mm)\b/i.exec(name);
  if (!found) return null;
  const size = Number(found[1]!.replace(',', '.'));
  const unit = found[2]!.toLowerCase();
  return { text: `${found[1]} ${unit}`, mm: unit === 'cm' ? size * 10 : size };
}

/** The calibre of the gun of a shot: as the shot tells it, or else as the name of its unit does. */
export function calibreWith(unit: Unit | null, mm = 0): ReturnType<typeof calibreOf> {
  if (mm > 0) return { text: `${mm.toLocaleString(language.told)} mm`, mm };
  return unit && calibreOf(unit.name);
}

/** The figures of a counter that say how hard it hits. */
const STRENGTHS = new Set(['attack', 'penetration', 'direct', 'bombardment', 'at', 'ap', 'he']);

/** What a unit fires with: the calibre that is known of it, or else the strength that the shot tells or the unit has. */
export function gunOf(unit: Unit | null, mm = 0, strength = ''): string {
  const calibre = calibreWith(unit, mm);
  if (calibre) return calibre.text;
  if (strength) return strength;
  const strong = ({ kind, text }: Figure) => STRENGTHS.has(kind) && text !== '0';
  const figures = (unit?.figures ?? []).filter(strong).slice(0, 1);
  return figuresInWords(figures, looks.now, t.unit.figures);
}

/** The way of a move over the free table in words, where the sentence of the log would give a point by its coordinates. */
export function wayOf({ kind, path, text, units }: Scene, nameOf: (id: UnitId) => string): string | null {
  const name = nameOf(units[0] ?? '');
  const named = kind === 'move' && path.length > 1 && text.includes(path.at(-1)!);
  return named && name ? overTable(name, path) : null;
}

const LEAST_PX = 2;
const MOST_PX = 7;
/** A gun of so many millimetres is drawn one pixel wider. */
const MM_A_PX = 22;
const STRENGTH_A_PX = 4;

/** The width of the line of a shot, in pixels of the screen. */
export function widthOf(unit: Unit | null, mm = 0): number {
  const calibre = calibreWith(unit, mm);
  const thick = calibre ? calibre.mm / MM_A_PX : (unit?.attack ?? 0) / STRENGTH_A_PX;
  return Math.min(MOST_PX, LEAST_PX + thick);
}

/** What came of it, in a few words. */
export function resultOf({ losses, effects, calculation, dice, kind }: Scene): string {
  if (losses.length > 0) return t.film.lost(losses.length);
  const known = effects.map((effect) => t.film.effects[effect.kind]).filter((word) => word !== undefined);
  if (known.length > 0) return [...new Set(known)].join(', ');
  const result = calculation?.result ?? null;
  if (result !== null) return wordOf(result);
  return kind === 'shot' && dice.length === 0 ? t.film.aims : '';
}
