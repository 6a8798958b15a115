/** Small pictures of maps, one after the other, each on a thread, so that the page answers meanwhile. */
import type { Box } from '../geometry';
import type { MapData } from '../protocol';
import type { SceneOptions } from './layer';
import { boxOfMap, makeModel } from './model';
import { makePainter, PagePainter, type Sitter } from './painter';

function sitterOf(data: MapData): Sitter {
  if (data.space === 'hexes') {
    return {
      box: boxOfMap(data.hexes),
      data,
      hire: () => new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' }),
      scene: async (options) => (await import('./map')).makeScene(makeModel(data), options),
    };
  }
  const [width, height] = data.size;
  return {
    box: { x: 0, y: 0, width: width * TABLE, height: height * TABLE },
    data,
    hire: () => new Worker(new URL('./table/thread.ts', import.meta.url), { type: 'module' }),
    scene: async (options) => (await import('./table/scene')).sceneOfTable(data, options),
  };
}

/** Map units to 1/1000 inch of a free table. */
const TABLE = 64 / 1000;

let last: Promise<void> = Promise.resolve();

/** Draws a map as large as fits, after those that were asked for before; not at all once nobody `wants` it. */
export function drawThumbnail(
  canvas: HTMLCanvasElement,
  data: MapData,
  options: SceneOptions,
  most: { width: number; height: number },
  wants: () => boolean,
): Promise<void> {
  last = last.then(() => (wants() ? paint(canvas, sitterOf(data), options, most) : undefined));
  return last;
}

async function paint(
  canvas: HTMLCanvasElement,
  sitter: Sitter,
  options: SceneOptions,
  most: { width: number; height: number },
): Promise<void> {
  const scale = scaleOf(sitter.box, most);
  canvas.width = Math.ceil(sitter.box.width * scale);
  canvas.height = Math.ceil(sitter.box.height * scale);
  const painter = makePainter(sitter);
  try {
    painter.sit(options);
    await painter.draw(canvas, sitter.box, scale);
  } catch {
    // The thread does not run in this browser.
    const page = new PagePainter(sitter);
    page.sit(options);
    await page.draw(canvas, sitter.box, scale);
  } finally {
    painter.close();
  }
}

function scaleOf({ width, height }: Box, most: { width: number; height: number }): number {
  const density = Math.min(window.devicePixelRatio || 1, 2);
  return Math.min((most.width * density) / width, (most.height * density) / height);
}
