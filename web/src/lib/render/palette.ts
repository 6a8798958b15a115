/** The one palette of the map. Colours are [red, green, blue]; the dark table dims them all by one rule. */

const LIGHT = {
  table: '#c9c4b4',
  ground: '#dcdcb9',
  groundLit: '#e6e5c8',
  groundDark: '#c6c89c',
  field: '#d3cf9d',
  fieldGreen: '#c3cd98',
  fieldBrown: '#d3c198',
  fieldPale: '#dcd8b4',
  furrow: '#a9a878',
  crops: '#e0cf86',
  cropsRipe: '#d8bf6c',
  cropRow: '#bfa656',
  tuft: '#9fa874',
  level1: '#d6c391',
  level2: '#c6a873',
  level3: '#b28d5b',
  contour: '#8d6a38',
  lit: '#fff6d8',
  shade: '#5d4526',
  woods: '#7f9b66',
  woodsRim: '#4f6b41',
  canopy: '#6d8c56',
  canopyDark: '#5f7f4e',
  bush: '#8da169',
  canopyAlt: '#7c9a5f',
  canopyLit: '#a0b87c',
  canopyShade: '#34492c',
  broken: '#d1c197',
  rock: '#a8977a',
  rockLit: '#d6cbb2',
  rockShade: '#7a6a50',
  town: '#d3cabb',
  garden: '#b7c08c',
  roofA: '#b26a50',
  roofB: '#a1604a',
  roofC: '#94887a',
  roofLit: '#d19a80',
  wall: '#5a4a3f',
  sand: '#ead9a6',
  sandDot: '#bfa66d',
  swamp: '#b9c7a5',
  reed: '#6f8a5c',
  water: '#94bccb',
  waterDeep: '#7fabbd',
  waterEdge: '#5d8b9f',
  waterLit: '#c4dde4',
  bank: '#97885f',
  gully: '#b9ab7e',
  road: '#f5ead0',
  roadEdge: '#85704f',
  highway: '#f0d9a0',
  track: '#8a6c45',
  deck: '#cdb48a',
  bridge: '#efe6d3',
  bridgeEdge: '#4a4038',
  grid: '#5b5638',
  number: '#5f5a41',
  name: '#2f2a1c',
  nameHalo: '#f4efd8',
  waterName: '#27566b',
  paper: '#efe9d6',
  ink: '#3b3424',
  cliff: '#4b3a28',
} as const;

export type Palette = { readonly [name in keyof typeof LIGHT]: string };

export function dimmed(colour: string): string {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const night = [20, 24, 28];
  return (
    '#' +
    channels
      .map((c, i) => Math.round((c * 0.76 + night[i]! * 0.24) * 0.86))
      .map((c) => Math.max(0, Math.min(255, c)).toString(16).padStart(2, '0'))
      .join('')
  );
}

const DARK = Object.fromEntries(
  Object.entries(LIGHT).map(([name, colour]) => [name, dimmed(colour)]),
) as Palette;

export function palette(theme: 'light' | 'dark'): Palette {
  // Lettering keeps its contrast: dark ink on a light halo, on a dimmed ground.
  return theme === 'light'
    ? LIGHT
    : {
        ...DARK,
        table: '#1a1d1c',
        name: '#15130c',
        nameHalo: '#b9b59d',
        number: '#37341f',
        grid: '#2b2917',
        waterName: '#10303f',
        paper: '#26292a',
        ink: '#b9b59d',
      };
}
