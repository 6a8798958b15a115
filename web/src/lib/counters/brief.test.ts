import { describe, expect, it } from 'vitest';
import { briefer } from './brief';

describe('the shorter forms of a name', () => {
  it.each([
    ['FO 1', ['FO 1']],
    ['A-10 12', ['A-10 12']],
    ['Infantry Support/MMG 1', ['Infantry Support/MMG 1', 'Inf. Supp./MMG 1', 'Infantry 1', 'Inf. 1']],
    ['105mm M2A1 How. [2] 3', ['105mm M2A1 How. [2] 3', '105mm M2A1 How. 3', '105mm M2A1 3', '105mm 3']],
    ['Infanterie-Unterstützung 2', ['Infanterie-Unterstützung 2', 'Inf.-Unt. 2', 'Infanterie 2', 'Inf. 2']],
    ['Schützenkompanie 43 1', ['Schützenkompanie 43 1', 'Schütz. 43 1', 'Schützenkompanie 1', 'Schütz. 1']],
    [
      'Medium Truck, 2-3 Ton 1',
      [
        'Medium Truck, 2-3 Ton 1',
        'Med. Truck, 2-3 Ton 1',
        'Medium Truck, 2-3 1',
        'Medium Truck 1',
        'Medium 1',
        'Med. Truck, 2-3 1',
        'Med. Truck 1',
        'Med. 1',
      ],
    ],
    ['Panther', ['Panther', 'Panth.']],
  ])('%s', (name, forms) => {
    expect(briefer(name)).toEqual(forms);
  });
});
