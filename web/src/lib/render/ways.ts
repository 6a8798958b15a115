/** Gullies and streams, roads, tracks, bridges and fords. */
import type { Point } from '../geometry';
import { centre } from '../hexgeo';
import type { MapHex } from '../protocol';
import { fills, type Item, type Layer } from './layer';
import { has, pointOn, type MapModel, type Way } from './model';
import type { Palette } from './palette';
import { turnedRect } from './shapes';

function perChunk(model: MapModel, kind: Way['kind'], make: (ways: Way[]) => Item['draw']): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const ways = chunk.hexes.flatMap((h) => model.ways.get(h.name) ?? []).filter((w) => w.kind === kind);
    return ways.length === 0 ? [] : [{ box: chunk.box, draw: make(ways) }];
  });
}

function pathOfWays(ways: Way[]): Path2D {
  const path = new Path2D();
  for (const way of ways) {
    for (const [a, b, c, d] of way.curves) {
      path.moveTo(a.x, a.y);
      path.bezierCurveTo(b.x, b.y, c.x, c.y, d.x, d.y);
    }
  }
  return path;
}

/** Every coat is a layer of its own, so that no joint shows where pieces meet. */
function coat(model: MapModel, kind: Way['kind'], colour: string, width: number, alpha = 1): Layer {
  return perChunk(model, kind, (ways) => {
    const path = pathOfWays(ways);
    return ({ ctx }) => {
      ctx.lineCap = 'round';
      ctx.globalAlpha = alpha;
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
    };
  });
}

export function gullies(model: MapModel, colours: Palette): Layer {
  const banks = perChunk(model, 'gully', (ways) => {
    const ticks = hachures(ways);
    return ({ ctx, scale }) => {
      if (scale < 0.4) return;
      ctx.strokeStyle = colours.bank;
      ctx.lineWidth = 1;
      ctx.stroke(ticks);
    };
  });
  return [
    ...banks,
    ...coat(model, 'gully', colours.bank, 15),
    ...coat(model, 'gully', colours.gully, 12),
    ...coat(model, 'gully', colours.waterEdge, 6.4),
    ...coat(model, 'gully', colours.water, 4.8),
    ...coat(model, 'gully', colours.waterLit, 1.6),
  ];
}

function hachures(ways: Way[]): Path2D {
  const path = new Path2D();
  for (const way of ways) {
    for (const curve of way.curves) {
      for (let t = 0.04; t < 1; t += 0.07) {
        const p = pointOn(curve, t);
        const q = pointOn(curve, Math.min(1, t + 0.02));
        const length = Math.hypot(q.x - p.x, q.y - p.y) || 1;
        const n = { x: -(q.y - p.y) / length, y: (q.x - p.x) / length };
        for (const side of [-1, 1]) {
          path.moveTo(p.x + n.x * side * 6, p.y + n.y * side * 6);
          path.lineTo(p.x + n.x * side * 10.5, p.y + n.y * side * 10.5);
        }
      }
    }
  }
  return path;
}

export function roads(model: MapModel, colours: Palette): Layer {
  const tracks = perChunk(model, 'track', (ways) => {
    const path = pathOfWays(ways);
    return ({ ctx }) => {
      ctx.lineCap = 'butt';
      ctx.strokeStyle = colours.road;
      ctx.globalAlpha = 0.55;
      ctx.lineWidth = 5;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colours.track;
      ctx.lineWidth = 2.2;
      ctx.setLineDash([7, 4]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    };
  });
  return [
    ...tracks,
    ...coat(model, 'road', colours.roadEdge, 9.4),
    ...coat(model, 'road', colours.road, 6.6),
  ];
}

export function rails(model: MapModel, colours: Palette): Layer {
  return perChunk(model, 'rails', (ways) => {
    const path = pathOfWays(ways);
    return ({ ctx }) => {
      ctx.lineCap = 'butt';
      ctx.strokeStyle = colours.bridgeEdge;
      ctx.lineWidth = 8;
      ctx.setLineDash([2, 4]);
      ctx.stroke(path);
      ctx.setLineDash([]);
      ctx.lineWidth = 4.4;
      ctx.stroke(path);
      ctx.strokeStyle = colours.bridge;
      ctx.lineWidth = 2;
      ctx.stroke(path);
    };
  });
}

function lineThrough(model: MapModel, hex: MapHex, kinds: Way['kind'][]): { at: Point; angle: number } {
  const way = (model.ways.get(hex.name) ?? []).find((w) => kinds.includes(w.kind));
  const curve = way?.curves[0];
  if (!curve) return { at: centre(hex), angle: 0 };
  const [a, b] = [pointOn(curve, 0.47), pointOn(curve, 0.53)];
  return { at: pointOn(curve, 0.5), angle: Math.atan2(b.y - a.y, b.x - a.x) };
}

export function crossings(model: MapModel, colours: Palette): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const [deck, rails, stones] = [new Path2D(), new Path2D(), new Path2D()];
    let any = false;
    for (const hex of chunk.hexes) {
      if (hex.bridge) {
        any = true;
        const { at, angle } = lineThrough(model, hex, ['road', 'track']);
        turnedRect(deck, at.x, at.y, 27, 10.5, angle);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (const side of [-1, 1]) {
          const at2 = (along: number, out: number): [number, number] => [
            at.x + c * along - s * out * side,
            at.y + s * along + c * out * side,
          ];
          rails.moveTo(...at2(-16, 8.5));
          rails.lineTo(...at2(-12.5, 5.6));
          rails.lineTo(...at2(12.5, 5.6));
          rails.lineTo(...at2(16, 8.5));
        }
      }
      if (hex.ford || has(hex, 'ford')) {
        any = true;
        const { at, angle } = lineThrough(model, hex, ['gully']);
        for (const along of [-7, 0, 7]) {
          for (const out of [-5, 0, 5]) {
            const x = at.x + Math.cos(angle) * along - Math.sin(angle) * out;
            const y = at.y + Math.sin(angle) * along + Math.cos(angle) * out;
            stones.moveTo(x + 2, y);
            stones.ellipse(x, y, 2.2, 1.6, angle, 0, 7);
          }
        }
      }
    }
    if (!any) return [];
    return [
      {
        box: chunk.box,
        draw: ({ ctx }) => {
          fills(ctx, [deck, colours.bridge], [stones, colours.rockLit]);
          ctx.lineJoin = 'round';
          ctx.strokeStyle = colours.bridgeEdge;
          ctx.lineWidth = 2.2;
          ctx.stroke(rails);
          ctx.lineWidth = 0.7;
          ctx.stroke(stones);
        },
      },
    ];
  });
}
