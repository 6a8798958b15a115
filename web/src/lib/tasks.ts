/** What a side has to do, in a sentence made of its victory conditions. Pure. */
import type { Place, Side, VictoryLine } from './protocol';

/** The words of a language for the parts of the sentence. */
export interface TaskWords {
  hold: (places: string, points: number) => string;
  leave: (by: string, points: number, unit: string) => string;
  destroy: (points: number, unit: string) => string;
  only: (types: string) => string;
  except: (types: string) => string;
  many: (n: number, names: string) => string;
  units: Record<string, string>;
  edges: Record<string, string>;
}

const FEW = 3;

export function taskOf(
  lines: readonly VictoryLine[],
  side: Side,
  labelOf: (place: Place) => string,
  words: TaskWords,
): string {
  const parts = lines.filter((line) => line.side === side).map((line) => partOf(line, labelOf, words));
  const text = parts.join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function partOf(line: VictoryLine, labelOf: (place: Place) => string, words: TaskWords): string {
  const { kind, each = 0, places = [], unit = '' } = line;
  const counted = words.units[unit] ?? unit;
  switch (kind) {
    case 'control':
      return words.hold(inWords(places, labelOf, words), each);
    case 'exit':
      return words.leave(inWords(places, labelOf, words), each, counted) + limits(line, words);
    case 'eliminate':
      return words.destroy(each, counted) + limits(line, words);
    default:
      return line.text;
  }
}

function limits({ only = [], except = [] }: VictoryLine, words: TaskWords): string {
  const parts = [
    only.length > 0 ? words.only(only.join(', ')) : '',
    except.length > 0 ? words.except(except.join(', ')) : '',
  ];
  return parts
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('');
}

/** A few places by their names; of many the number, and the names that the map has for some of them. */
function inWords(places: readonly Place[], labelOf: (place: Place) => string, words: TaskWords): string {
  const name = (place: Place) => {
    const label = labelOf(place);
    return words.edges[place] ?? (label ? `${label} (${place})` : place);
  };
  if (places.length <= FEW) return places.map(name).join(', ');
  const labels = [...new Set(places.map(labelOf).filter(Boolean))];
  return words.many(places.length, labels.length > 0 ? labels.join(', ') : `${places[0]} … ${places.at(-1)}`);
}
