/** A moment to report: a record with a note in its header, ready to become a test. Pure. */
import type { Side, View } from './protocol';

export interface Report {
  /** What the player has to say. */
  text: string;
  /** The line of the record after which it was seen, and the side that saw it. */
  line: number;
  side: Side;
  position: View;
  versions: Record<string, string>;
  browser: string;
}

/** The decisions in a record: all of its lines but the header. */
export function linesOf(record: string): number {
  return record.split('\n').filter((row) => row.trim() !== '').length - 1;
}

/** The same record with the report in its header, where a replay overlooks it. */
export function withReport(record: string, report: Report): string {
  const end = record.indexOf('\n');
  const header = JSON.parse(record.slice(0, end)) as Record<string, unknown>;
  return JSON.stringify({ ...header, report }) + record.slice(end);
}
