/** A finished game as a picture. It is made in the page, and nothing leaves the machine. */
import { barsOf, chartOf, type Turning } from './course';
import type { CoursePoint, Side } from './protocol';

export const WIDTH = 1200;
export const HEIGHT = 860;

/** What the picture tells, in the words of the page. */
export interface Told {
  title: string;
  /** The end in two lines: who wins, and why. */
  winner: string;
  reason: string;
  sides: readonly [{ id: Side; name: string; score: string }, { id: Side; name: string; score: string }];
  points: readonly CoursePoint[];
  turns: number;
  turnings: readonly Turning[];
  losses: ReadonlyMap<number, ReadonlyMap<Side, number>>;
  words: { lead: string; losses: string; turning: string; turn: (n: number) => string; made: string };
}

const ONE = '#4f6b7c';
const TWO = '#b5673a';
const INK = '#26231b';
const PALE = '#6b634f';

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

function text(x: number, y: number, size: number, words: string, more = ''): string {
  return `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escaped(words)}</text>`;
}

/** A sentence that fits into its place. */
const short = (words: string, letters: number) =>
  words.length <= letters ? words : `${words.slice(0, letters - 1).trimEnd()}…`;

/** The radius of the marker of a turning point. */
const MARK = 13;

function curve(told: Told): string {
  const [one, two] = told.sides;
  const chart = chartOf(told.points, [one.id, two.id], 1080, 250, MARK + 1);
  const grid = chart.turns.map(
    ({ turn, x }) =>
      `<path d="M${x} 0V250" stroke="#d6ccb4"/>` + text(x + 4, 246, 14, `${turn}`, `fill="${PALE}"`),
  );
  const marks = told.turnings.map(({ n }, i) => {
    const { x, y } = chart.at(n);
    return `<circle cx="${x}" cy="${y}" r="${MARK}" fill="#fbf8f0" stroke="${INK}" stroke-width="2"/>${text(x, y + 5, 15, `${i + 1}`, 'text-anchor="middle" font-weight="700"')}`;
  });
  return `<g transform="translate(60 200)">
<clipPath id="up"><path d="M0 0H1080V125H0z"/></clipPath><clipPath id="down"><path d="M0 125H1080V250H0z"/></clipPath>
${grid.join('')}<path d="${chart.area}" fill="${ONE}" opacity="0.75" clip-path="url(#up)"/>
<path d="${chart.area}" fill="${TWO}" opacity="0.75" clip-path="url(#down)"/>
<path d="M0 125H1080" stroke="${PALE}"/><path d="${chart.line}" fill="none" stroke="${INK}" stroke-width="2.5"/>
${text(6, 20, 15, one.name, `fill="${ONE}" font-weight="700"`)}${text(6, 222, 15, two.name, `fill="${TWO}" font-weight="700"`)}
${marks.join('')}</g>`;
}

function turnings(told: Told): string {
  const rows = told.turnings.map(({ turn, event }, i) =>
    text(60, 536 + i * 30, 17, `${i + 1}. ${told.words.turn(turn)}: ${short(event.text, 62)}`),
  );
  return (
    text(60, 500, 16, told.words.turning.toUpperCase(), `fill="${PALE}" letter-spacing="1.5"`) + rows.join('')
  );
}

function bars(told: Told): string {
  const [one, two] = told.sides;
  const found = barsOf(told.losses, [one.id, two.id], told.turns, 420, 210);
  const drawn = found.map(({ x, y, width, height, side, lost }) => {
    const up = side === one.id;
    const label = text(x + width / 2, up ? y - 5 : y + height + 16, 14, `${lost}`, 'text-anchor="middle"');
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${up ? ONE : TWO}"/>${label}`;
  });
  return `${text(720, 500, 16, told.words.losses.toUpperCase(), `fill="${PALE}" letter-spacing="1.5"`)}
<g transform="translate(720 520)"><path d="M0 105H420" stroke="${PALE}"/>${drawn.join('')}</g>`;
}

/** The picture as SVG. */
export function pictureOf(told: Told): string {
  const [one, two] = told.sides;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, 'Noto Sans', sans-serif" fill="${INK}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#f4eee0"/><rect x="14" y="14" width="${WIDTH - 28}" height="${HEIGHT - 28}" fill="none" stroke="#8d8367" stroke-width="2"/>
<g font-family="Palatino, Georgia, 'DejaVu Serif', serif">${text(60, 78, 40, told.title, 'font-weight="600"')}
${text(60, 122, 26, told.winner)}${text(1140, 78, 40, `${one.score} : ${two.score}`, 'text-anchor="end" font-weight="600"')}</g>
${text(1140, 108, 17, `${one.name} : ${two.name}`, `text-anchor="end" fill="${PALE}"`)}${text(60, 150, 17, short(told.reason, 110), `fill="${PALE}"`)}
${text(60, 186, 16, told.words.lead.toUpperCase(), `fill="${PALE}" letter-spacing="1.5"`)}${curve(told)}
${turnings(told)}${bars(told)}${text(60, HEIGHT - 40, 15, told.words.made, `fill="${PALE}"`)}
</svg>`;
}

/** The picture as a file that can be sent to anybody. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(2 * WIDTH, 2 * HEIGHT);
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: 'image/png' });
  } finally {
    URL.revokeObjectURL(url);
  }
}
