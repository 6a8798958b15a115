/** The table itself: its ground within its frame, on tiles. */
import type { TableData } from '../../protocol';
import { frameOf } from '../../render/table/frame';
import type { TableModel } from '../../render/table/model';
import { makeTableScene } from '../../render/table/scene';
import { sketch } from '../../render/table/sketch';
import { Tiles } from '../../render/tiles';
import type { Picture } from '../ground';

export function tablePicture(holder: HTMLElement, data: TableData, model: TableModel): Picture {
  return new Tiles(holder, {
    box: frameOf(model.box),
    data,
    hire: () => new Worker(new URL('../../render/table/thread.ts', import.meta.url), { type: 'module' }),
    scene: (options) => makeTableScene(model, options),
    sketch: ({ theme }) => sketch(model, frameOf(model.box), theme),
  });
}
