/** Pictures of markers that lie on the ground: in a square with sides of 64 around the origin, the front to the north. */
export interface Stroke {
  d: string;
  fill?: string;
  stroke?: string;
  width?: number;
  dashes?: string;
}

const stones = (spots: readonly [number, number, number][]) =>
  spots
    .map(
      ([x, y, r]) => `M${x - r} ${y + r * 0.5}l${r * 0.4}-${r}h${r}l${r * 0.6} ${r}l-${r * 0.7} ${r * 0.5}z`,
    )
    .join('');

const RAILS = 'M-15-31V31M15-31V31';
const PLANKS = Array.from({ length: 9 }, (_, i) => `M-13 ${-28 + i * 7}H13`).join('');
const HEDGE = (side: -1 | 1) =>
  [14, 22, 30].map((x, i) => `M${side * x - 7} ${i % 2 ? 2 : -2}a7 8 0 1 0 14 0a7 8 0 1 0-14 0z`).join('');

export const TILES: Readonly<Record<string, readonly Stroke[]>> = {
  span: [
    { d: 'M-15-31H15V31H-15z', fill: '#c2a273', stroke: '#3f2f1b', width: 2 },
    { d: PLANKS, stroke: '#7a5f3a', width: 1.6 },
    { d: RAILS, stroke: '#3f2f1b', width: 4 },
  ],
  'broken span': [
    {
      d: 'M-15-31H15V-9L8-3L2-11L-5-2L-10-8L-15-4zM-15 31H15V8L9 3L3 10L-4 4L-9 11L-15 6z',
      fill: '#c2a273',
      stroke: '#3f2f1b',
      width: 2,
    },
    { d: 'M-15-31V-6M15-31V-11M-15 31V8M15 31V10', stroke: '#3f2f1b', width: 4 },
    { d: 'M-11-11L11 11M11-11L-11 11', stroke: '#fff4e6', width: 7 },
    { d: 'M-11-11L11 11M11-11L-11 11', stroke: '#b2220f', width: 3.6 },
  ],
  gap: [
    { d: 'M-10-31H10V31H-10z', fill: '#b89a6a' },
    { d: 'M-5-31V31M5-31V31', stroke: '#7a5f3a', width: 2.4, dashes: '6 3' },
    { d: HEDGE(-1) + HEDGE(1), fill: '#4d6b34', stroke: '#2b3f1c', width: 1.8 },
  ],
  ditch: [
    { d: 'M-32-12H32V12H-32z', fill: '#5a452c', stroke: '#2f2315', width: 1.6 },
    { d: 'M-32-2H32', stroke: '#2f2315', width: 6 },
    {
      d: 'M-28-12l4 9M-18-12l4 9M-8-12l4 9M2-12l4 9M12-12l4 9M22-12l4 9M-26 12l4-9M-16 12l4-9M-6 12l4-9M4 12l4-9M14 12l4-9M24 12l4-9',
      stroke: '#c2a273',
      width: 1.8,
    },
  ],
  rubble: [
    {
      d: 'M-29 8Q-24-20 0-24Q26-20 29 8Q22 27 0 27Q-22 27-29 8z',
      fill: '#8f887b',
      stroke: '#4a463d',
      width: 1.6,
    },
    {
      d: stones([
        [-16, 2, 9],
        [-2, -12, 8],
        [12, -2, 10],
        [-6, 14, 10],
        [14, 15, 8],
      ]),
      fill: '#cfc8b8',
      stroke: '#3c3831',
      width: 1.6,
    },
  ],
  rough: [
    {
      d: 'M-29 4Q-22-24 2-24Q28-20 28 4Q20 26-2 26Q-26 24-29 4z',
      fill: '#a58a60',
      stroke: '#5c4a2d',
      width: 1.6,
    },
    {
      d: 'M-18-4a8 5 0 1 0 16 0a8 5 0 1 0-16 0zM4-10a7 4 0 1 0 14 0a7 4 0 1 0-14 0zM2 11a9 5 0 1 0 18 0a9 5 0 1 0-18 0zM-18 14a6 4 0 1 0 12 0a6 4 0 1 0-12 0z',
      fill: '#57452a',
      stroke: '#d9c49b',
      width: 1.4,
    },
  ],
  cracks: [
    { d: 'M4-30L-6-12L5-6L-8 8L2 13L-6 30M5-6L18-14M-8 8L-22 13', stroke: '#fff4e6', width: 7 },
    { d: 'M4-30L-6-12L5-6L-8 8L2 13L-6 30M5-6L18-14M-8 8L-22 13', stroke: '#2a211a', width: 3.2 },
  ],
  brush: [
    {
      d: 'M-26 8a10 10 0 1 0 20 0a10 10 0 1 0-20 0zM-12-8a12 12 0 1 0 24 0a12 12 0 1 0-24 0zM4 10a11 11 0 1 0 22 0a11 11 0 1 0-22 0z',
      fill: '#55743a',
      stroke: '#2b3f1c',
      width: 1.8,
    },
    { d: 'M-20 6l4-5l4 5M-5-9l5-6l5 6M10 9l5-6l5 6', stroke: '#cfe0a6', width: 2 },
  ],
  burst: [
    {
      d: 'M0-30L6-14L20-24L15-8L31-4L16 4L24 20L8 14L2 30L-5 15L-20 24L-14 8L-30 4L-15-5L-24-20L-8-14z',
      fill: '#e0661a',
      stroke: '#6b1608',
      width: 2,
    },
    { d: 'M0-14L4-4L13-2L5 3L7 13L-1 7L-10 11L-5 2L-13-3L-4-5z', fill: '#ffe08a' },
  ],
  target: [
    { d: 'M-18 0a18 18 0 1 0 36 0a18 18 0 1 0-36 0z', stroke: '#fff4e6', width: 5 },
    { d: 'M-18 0a18 18 0 1 0 36 0a18 18 0 1 0-36 0z', stroke: '#b2220f', width: 2.4, dashes: '7 4' },
    { d: 'M0-27V-8M0 27V8M-27 0H-8M27 0H8', stroke: '#fff4e6', width: 5 },
    { d: 'M0-27V-8M0 27V8M-27 0H-8M27 0H8', stroke: '#b2220f', width: 2.4 },
  ],
};
