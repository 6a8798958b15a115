import { describe, expect, it } from 'vitest';
import { Presses, READ_MS } from './presses';

/** A table whose position is set by hand, and the presses that are made at it. */
function atTable() {
  const table = { position: 1 as number | null };
  return { table, presses: new Presses(() => table.position) };
}

describe('a press', () => {
  it('is made on the table as it is', () => {
    const { table, presses } = atTable();
    presses.heard({ type: 'click', detail: 1 });
    expect(presses.position).toBe(1);
    table.position = 2;
    presses.heard({ type: 'click', detail: 1 });
    expect(presses.position).toBe(2);
  });

  it('that is the second of a double click is made on what the first was made on', () => {
    const { table, presses } = atTable();
    presses.heard({ type: 'mousedown', detail: 1 });
    presses.heard({ type: 'click', detail: 1 });
    table.position = 2;
    presses.arrived(0);
    presses.heard({ type: 'pointerdown', detail: 0 });
    presses.heard({ type: 'mousedown', detail: 2 });
    presses.heard({ type: 'click', detail: 2 });
    expect(presses.position).toBe(1);
    presses.heard({ type: 'click', detail: 3 });
    expect(presses.position).toBe(1);
    presses.heard({ type: 'click', detail: 1 });
    expect(presses.position).toBe(2);
  });

  it('again is the second of a double click, and no tap of a thumb', () => {
    const { presses } = atTable();
    presses.heard({ type: 'click', detail: 1 });
    expect(presses.again).toBe(false);
    presses.heard({ type: 'click', detail: 2 });
    expect(presses.again).toBe(true);
    presses.heard({ type: 'keydown' });
    expect(presses.again).toBe(false);
    presses.heard({ type: 'pointerdown', pointerType: 'touch' });
    presses.heard({ type: 'click', detail: 2 });
    expect(presses.again).toBe(false);
  });

  it('in quick succession is one of its own on a table that was there to be read', () => {
    const { table, presses } = atTable();
    presses.heard({ type: 'mousedown', detail: 1, timeStamp: 1000 });
    presses.heard({ type: 'click', detail: 1, timeStamp: 1050 });
    table.position = 2;
    presses.arrived(1100);
    presses.heard({ type: 'mousedown', detail: 2, timeStamp: 1100 + READ_MS });
    presses.heard({ type: 'click', detail: 2, timeStamp: 1150 + READ_MS });
    expect(presses.position).toBe(2);
    table.position = 3;
    presses.arrived(1200 + READ_MS);
    presses.heard({ type: 'mousedown', detail: 3, timeStamp: 1210 + READ_MS });
    expect(presses.position).toBe(2);
    // It was too late for the button when the mouse went down: letting it go late makes no press of it.
    presses.heard({ type: 'click', detail: 3, timeStamp: 1200 + 2 * READ_MS });
    expect(presses.position).toBe(2);
  });

  it('of a held key is made on what it was first pressed on, on a button too', () => {
    const { table, presses } = atTable();
    presses.heard({ type: 'keydown', repeat: false });
    presses.heard({ type: 'click', detail: 0 });
    table.position = 2;
    presses.heard({ type: 'keydown', repeat: true });
    presses.heard({ type: 'click', detail: 0 });
    expect(presses.position).toBe(1);
    presses.heard({ type: 'keyup' });
    expect(presses.position).toBe(2);
  });

  it('without mouse or key, as by a screen reader, is made on the table as it is', () => {
    const { table, presses } = atTable();
    presses.heard({ type: 'click', detail: 1 });
    table.position = 2;
    presses.heard({ type: 'click', detail: 2 });
    presses.heard({ type: 'click', detail: 0 });
    expect(presses.position).toBe(2);
  });
});
