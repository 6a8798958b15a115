/** The table itself: a plain ground with an inch grid that can be switched off, and its measure along the edges. */
import type { Box } from '../../geometry';
import type { Picture, PictureOptions } from '../ground';

const COLOURS = {
  light: { ground: '#c9cf9f', line: '#6f7749', rim: '#6d5737', ink: '#3c4025' },
  dark: { ground: '#535a3d', line: '#a3ab7c', rim: '#2c2418', ink: '#dfe3c3' },
};
/** A line that is stronger and numbered comes after this number of inches. */
const STRONG = 6;
const RIM = 10;

export function tablePicture(holder: HTMLElement, box: Box, inch: number): Picture {
  const sheet = document.createElement('div');
  holder.append(sheet);
  return {
    dress: (options) => (sheet.innerHTML = drawn(box, inch, options)),
    show: () => {},
    destroy: () => sheet.remove(),
  };
}

function drawn({ width, height }: Box, inch: number, { theme, grid, numbers }: PictureOptions): string {
  const { ground, line, rim, ink } = COLOURS[theme];
  const lines = (size: number, across: (at: number) => string, strong: boolean) =>
    Array.from({ length: Math.floor(size / inch) + 1 }, (_, n) => n)
      .filter((n) => (n % STRONG === 0) === strong)
      .map((n) => across(n * inch))
      .join('');
  const net = (strong: boolean) =>
    `<path d="${lines(width, (x) => `M${x} 0V${height}`, strong)}${lines(height, (y) => `M0 ${y}H${width}`, strong)}" ` +
    `stroke="${line}" stroke-width="${strong ? 2.2 : 1}" opacity="${strong ? 0.5 : 0.32}" fill="none"/>`;
  const marks = (size: number, at: (n: number) => string) =>
    Array.from({ length: Math.floor(size / inch / STRONG) + 1 }, (_, i) => i * STRONG)
      .map((n) => `<text ${at(n * inch)}>${n}″</text>`)
      .join('');
  const measure =
    `<g fill="${ink}" font-family="system-ui, sans-serif" font-size="20" font-weight="600">` +
    `<g text-anchor="middle">${marks(width, (x) => `x="${x}" y="-20"`)}</g>` +
    `<g text-anchor="end">${marks(height, (y) => `x="-20" y="${y + 7}"`)}</g></g>`;
  return (
    `<svg width="${width}" height="${height}" style="position:absolute;left:0;top:0;overflow:visible">` +
    `<rect x="${-RIM}" y="${-RIM}" width="${width + 2 * RIM}" height="${height + 2 * RIM}" rx="8" fill="${rim}"/>` +
    `<rect width="${width}" height="${height}" fill="${ground}"/>` +
    (grid ? net(false) + net(true) : '') +
    (numbers ? measure : '') +
    '</svg>'
  );
}
