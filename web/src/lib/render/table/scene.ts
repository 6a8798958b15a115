/** A free table as a picture: layers from the ground up. */
import type { TableData } from '../../protocol';
import type { Layer, Scene, SceneOptions } from '../layer';
import { frame, frameOf } from './frame';
import { freeOf, hedges, reeds, woodFloors, woods } from './growth';
import { buildings, townFloors, towns } from './houses';
import { contours, edges, fields, grass, levels, light, strange, wastes, waters } from './land';
import { makeTable, PER_INCH, type TableModel } from './model';
import { names } from './names';
import { coloursOf, type Colours } from './palette';
import { crossings, fences, gullies, roads, streams, walls } from './ways';

/** The looks that are drawn here; any other is hatched. */
const LOOKS = new Set(
  (
    'slope hilltop woods heavy-woods town field swamp beach water gully stream road track dune crest cliff hedge ' +
    'fence wall bridge ford building'
  ).split(' '),
);

export const sceneOfTable = (data: TableData, options: SceneOptions): Scene =>
  makeTableScene(makeTable(data), options);

export function makeTableScene(model: TableModel, options: SceneOptions): Scene {
  const colours = coloursOf(options.theme);
  const free = freeOf(model);
  const layers: Layer[] = [
    grass(model, colours),
    levels(model, colours),
    wastes(model, colours),
    fields(model, colours),
    townFloors(model, colours),
    woodFloors(model, colours),
    light(model, colours),
    strange(model, LOOKS, colours),
    contours(model, colours),
    gullies(model, colours),
    waters(model, colours),
    streams(model, colours),
    edges(model, colours),
    roads(model, colours),
    crossings(model, colours),
    fences(model, colours),
    walls(model, colours),
    towns(model, free, colours),
    buildings(model, colours),
    hedges(model, colours),
    reeds(model, free, colours),
    woods(model, free, colours),
  ];
  if (options.grid) layers.push(grid(model, colours));
  if (options.numbers) layers.push(names(model, colours, options.density ?? 1));
  return { box: frameOf(model.box), layers, cut: model.box, margin: frame(model, options) };
}

/** A line that is stronger comes after this number of inches. */
const STRONG = 6;

/** The inch grid: hair lines on every screen. */
function grid({ box }: TableModel, colours: Colours): Layer {
  const net = (step: (n: number) => boolean) => {
    const path = new Path2D();
    for (let n = 1; n * PER_INCH < box.width; n++) {
      if (!step(n)) continue;
      path.moveTo(n * PER_INCH, 0);
      path.lineTo(n * PER_INCH, box.height);
    }
    for (let n = 1; n * PER_INCH < box.height; n++) {
      if (!step(n)) continue;
      path.moveTo(0, n * PER_INCH);
      path.lineTo(box.width, n * PER_INCH);
    }
    return path;
  };
  const [fine, strong] = [net((n) => n % STRONG !== 0), net((n) => n % STRONG === 0)];
  return [
    {
      box,
      draw: ({ ctx, scale }) => {
        ctx.strokeStyle = colours.grid;
        ctx.lineWidth = 1 / scale;
        ctx.globalAlpha = scale * PER_INCH < 9 ? 0.1 : 0.2;
        ctx.stroke(fine);
        ctx.lineWidth = 1.6 / scale;
        ctx.globalAlpha = 0.34;
        ctx.stroke(strong);
        ctx.globalAlpha = 1;
      },
    },
  ];
}
