/** The formation marks of the units on the table: a formation keeps its colour and its letter as long as one plays. */
import type { Unit, UnitId } from '../protocol';
import { allotted, marks, type FormationMark } from './formations';

class Marked {
  private slots: ReadonlyMap<string, number> = new Map();
  now = $state.raw<ReadonlyMap<UnitId, FormationMark>>(new Map());

  /** What the view of the seat tells of its units, and nothing else. */
  tell(units: readonly Unit[]): void {
    this.slots = allotted(units, this.slots);
    const found = marks(units, this.slots);
    const same = ([id, { name, letter }]: [UnitId, FormationMark]) =>
      this.now.get(id)?.name === name && this.now.get(id)?.letter === letter;
    if (found.size !== this.now.size || ![...found].every(same)) this.now = found;
  }

  /** Another game begins. */
  forget(): void {
    this.slots = new Map();
    this.now = new Map();
  }
}

export const marked = new Marked();
