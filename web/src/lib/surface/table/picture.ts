/** The table itself: its ground on tiles, within a frame that has the measure along its edges. */
import type { TableData } from '../../protocol';
import { PER_INCH, type TableModel } from '../../render/table/model';
import { makeTableScene } from '../../render/table/scene';
import { Tiles } from '../../render/tiles';
import type { Picture } from '../ground';

const RIM = 40;
/** A number comes after this number of inches. */
const STRONG = 6;
const COLOURS = {
  light: { rim: '#74603f', edge: '#4b3a22', ink: '#f6efd9' },
  dark: { rim: '#3a3022', edge: '#15110b', ink: '#d6cfb4' },
};

export function tablePicture(holder: HTMLElement, data: TableData, model: TableModel): Picture {
  const frame = document.createElement('div');
  holder.append(frame);
  const tiles = new Tiles(holder, {
    box: model.box,
    data,
    hire: () => new Worker(new URL('../../render/table/thread.ts', import.meta.url), { type: 'module' }),
    scene: (options) => makeTableScene(model, options),
  });
  return {
    dress: (options) => {
      frame.innerHTML = framed(model.box, options);
      Object.assign(frame.style, { position: 'absolute', left: '0', top: '0' });
      tiles.dress(options);
    },
    show: (view, scale) => tiles.show(view, scale),
    destroy: () => {
      tiles.destroy();
      frame.remove();
    },
  };
}

function framed(
  { width, height }: { width: number; height: number },
  { theme, numbers }: { theme: 'light' | 'dark'; numbers: boolean },
): string {
  const { rim, edge, ink } = COLOURS[theme];
  const marks = (size: number, at: (n: number) => string) =>
    Array.from({ length: Math.floor(size / PER_INCH / STRONG) + 1 }, (_, i) => i * STRONG)
      .map((n) => `<text ${at(n * PER_INCH)}>${n}″</text>`)
      .join('');
  const measure =
    `<g fill="${ink}" font-family="system-ui, sans-serif" font-size="26" font-weight="600">` +
    `<g text-anchor="middle">${marks(width, (x) => `x="${x}" y="-13"`)}` +
    `${marks(height, (y) => `transform="translate(-13 ${y}) rotate(-90)"`)}</g></g>`;
  return (
    `<svg width="${width}" height="${height}" overflow="visible" display="block">` +
    `<rect x="${6 - RIM}" y="${10 - RIM}" width="${width + 2 * RIM}" height="${height + 2 * RIM}" rx="8" fill="#000" opacity=".28"/>` +
    `<rect x="${-RIM}" y="${-RIM}" width="${width + 2 * RIM}" height="${height + 2 * RIM}" rx="8" fill="${rim}"/>` +
    `<rect x="-4" y="-4" width="${width + 8}" height="${height + 8}" fill="${edge}"/>` +
    (numbers ? measure : '') +
    '</svg>'
  );
}
