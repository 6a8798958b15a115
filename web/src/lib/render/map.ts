/** The map as a picture: layers from the ground up, drawn for any part of it at any scale. */
import * as cover from './cover';
import { frame } from './frame';
import * as ground from './ground';
import * as labels from './labels';
import type { Layer, Scene, SceneOptions } from './layer';
import type { MapModel } from './model';
import { palette } from './palette';
import { settlements, townFloors } from './settlements';
import { sides } from './sides';
import * as ways from './ways';

export function makeScene(model: MapModel, options: SceneOptions): Scene {
  const colours = palette(options.theme);
  const steps = ground.stepsOf(model);
  const parcels = ground.allParcels(model);
  const layers: Layer[] = [
    ground.sheet(model, colours),
    ground.levels(steps, colours),
    ground.fields(model, parcels, colours),
    cover.sandFloor(model, colours),
    cover.swampFloor(model, colours),
    cover.brokenFloor(model, colours),
    ground.crops(model, parcels, colours),
    cover.woodsFloors(model, colours),
    townFloors(model, colours),
    ground.light(model, colours),
    ground.contours(steps, colours),
    cover.sand(model, colours),
    ways.gullies(model, colours),
    cover.water(model, colours),
    cover.swamp(model, colours),
    cover.broken(model, colours),
    cover.bushes(model, colours),
    cover.craters(model, colours),
    ways.rails(model, colours),
    ways.roads(model, colours),
    cover.woods(model, colours),
    settlements(model, parcels, colours),
    ways.crossings(model, colours),
  ];
  if (options.grid) layers.push(ground.grid(model, colours), sides(model, colours));
  if (options.numbers) layers.push(labels.numbers(model, colours));
  layers.push(labels.names(model, colours), labels.boards(model, colours));
  return { box: model.box, cut: model.sheet, layers, margin: frame(model, colours) };
}
