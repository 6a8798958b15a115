/** Where the figures of a counter stand that prints more than four: fire values, armor, morale. */
import type { Figure } from '../protocol';

export interface PlacedFigure {
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  /** `plain` ink, `white` for bombardment, `red` on yellow for anti-tank fire, `armor` on burgundy, `big` morale. */
  tone: 'plain' | 'white' | 'red' | 'armor' | 'big';
  /** Half the width of the field behind it, where it has one. */
  half: number;
}

const TONES: Record<string, PlacedFigure['tone']> = {
  bombardment: 'white',
  at: 'red',
  armor: 'armor',
  morale: 'big',
};

/** Movement at the top right, armor at the left, fire values along the foot; a leader's as on his piece. */
export function placeFigures(figures: readonly Figure[]): PlacedFigure[] {
  const foot = figures.filter((f) => ['direct', 'bombardment', 'at', 'combat', 'bonus'].includes(f.kind));
  const at = (f: Figure): Omit<PlacedFigure, 'text' | 'tone' | 'half'> => {
    if (f.kind === 'movement') return { x: 92, y: 25, anchor: 'end' };
    if (f.kind === 'armor') return { x: 19, y: 51, anchor: 'middle' };
    if (f.kind === 'morale') return { x: 50, y: 66, anchor: 'middle' };
    const i = foot.indexOf(f);
    if (foot.length === 3) return { x: [18, 50, 82][i]!, y: 93, anchor: 'middle' };
    return i === 0 ? { x: 8, y: 94, anchor: 'start' } : { x: 92, y: 94, anchor: 'end' };
  };
  return figures.map((f) => ({
    ...at(f),
    text: f.text,
    tone: TONES[f.kind] ?? 'plain',
    half: 5 + f.text.length * 4.6,
  }));
}

/** The figures in words, for labels and the text view. */
export function figuresInWords(figures: readonly Figure[], names: Record<string, string>): string {
  return figures.map((f) => `${names[f.kind] ?? f.kind} ${f.text}`).join(', ');
}
