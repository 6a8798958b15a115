/** Streams and gullies, roads, tracks and rails, bridges and fords. */
import type { Point } from '../geometry';
import { centre } from '../hexgeo';
import type { MapHex } from '../protocol';
import { fills, type Brush, type Item, type Layer } from './layer';
import { has, nearestWay, pointOn, type Curve, type MapModel, type Way } from './model';
import { hash } from './noise';
import type { Palette } from './palette';

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

/** Streams rise from a spring and end in a pond; a dry gully has a bed of earth. */
export function gullies(model: MapModel, colours: Palette): Layer {
  const ticks = (kind: Way['kind']) =>
    perChunk(model, kind, (ways) => {
      const path = combs(ways, kind === 'dry' ? 10.5 : 9);
      return ({ ctx, scale }) => {
        if (scale < 0.4) return;
        ctx.strokeStyle = colours.bank;
        ctx.lineWidth = 0.9;
        ctx.stroke(path);
      };
    });
  return [
    ...coat(model, 'dry', colours.bank, 17, 0.25),
    ...ticks('dry'),
    ...coat(model, 'dry', colours.bank, 12.5),
    ...coat(model, 'dry', colours.gully, 10),
    ...coat(model, 'dry', colours.bank, 2.6, 0.55),
    ...coat(model, 'gully', colours.bank, 20, 0.16),
    ...ticks('gully'),
    ...ponds(model, colours.bank, 3.4),
    ...coat(model, 'gully', colours.bank, 11.6),
    ...ponds(model, colours.waterEdge, 1.5),
    ...coat(model, 'gully', colours.waterEdge, 8.4),
    ...ponds(model, colours.water, 0),
    ...coat(model, 'gully', colours.water, 6.6),
    ...coat(model, 'gully', colours.waterLit, 1.8, 0.75),
  ];
}

/** Where a stream begins or ends in the middle of a hex there is a pool, as round as water lies. */
function ponds(model: MapModel, colour: string, grown: number): Layer {
  return model.data.hexes.flatMap((hex): Item[] => {
    const way = (model.ways.get(hex.name) ?? []).find((w) => w.kind === 'gully' && w.ends);
    if (!way) return [];
    const c = way.curves[0]![3];
    const path = new Path2D();
    for (let i = 0; i <= 16; i++) {
      const turn = (i / 16) * 2 * Math.PI;
      const r = 10 + 4 * hash(`pond ${hex.name} ${(i % 16) >> 1}`) + grown;
      const [x, y] = [c.x + Math.cos(turn) * r * 1.25, c.y + Math.sin(turn) * r * 0.9];
      if (i === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    return [
      {
        box: { x: c.x - 25, y: c.y - 25, width: 50, height: 50 },
        draw: ({ ctx }) => {
          ctx.lineJoin = 'round';
          ctx.lineWidth = 4;
          ctx.strokeStyle = colour;
          ctx.stroke(path);
          fills(ctx, [path, colour]);
        },
      },
    ];
  });
}

/** Short lines down both banks. */
function combs(ways: Way[], far: number): Path2D {
  const path = new Path2D();
  for (const way of ways) {
    for (const curve of way.curves) {
      for (let t = 0.04; t < 1; t += 0.085) {
        const p = pointOn(curve, t);
        const q = pointOn(curve, Math.min(1, t + 0.02));
        const length = Math.hypot(q.x - p.x, q.y - p.y) || 1;
        const n = { x: -(q.y - p.y) / length, y: (q.x - p.x) / length };
        for (const side of [-1, 1]) {
          path.moveTo(p.x + n.x * side * 5.4, p.y + n.y * side * 5.4);
          path.lineTo(p.x + n.x * side * far, p.y + n.y * side * far);
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
      ctx.lineCap = 'round';
      ctx.strokeStyle = colours.road;
      ctx.globalAlpha = 0.6;
      ctx.lineWidth = 5;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
      ctx.lineCap = 'butt';
      ctx.strokeStyle = colours.track;
      ctx.lineWidth = 2;
      ctx.setLineDash([7, 4]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    };
  });
  return [
    ...tracks,
    ...coat(model, 'road', colours.roadEdge, 8.6),
    ...coat(model, 'highway', colours.roadEdge, 12.4),
    ...coat(model, 'road', colours.road, 6),
    ...coat(model, 'highway', colours.highway, 9.4),
    ...coat(model, 'highway', colours.roadEdge, 1.1, 0.7),
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

const ROADS: readonly Way['kind'][] = ['highway', 'road', 'track'];

/** A piece of a road that is carried, from end to end. */
export interface Span {
  hex: MapHex;
  points: Point[];
}

/** The bridges: of the road through each such hex the piece that lies over water, and a little more. */
export function spansOf(model: MapModel): Span[] {
  return model.data.hexes
    .filter((hex) => hex.bridge !== '')
    .flatMap((hex): Span[] => {
      const ways = model.ways.get(hex.name) ?? [];
      const road = ROADS.flatMap((kind) => ways.filter((way) => way.kind === kind))[0];
      return road ? [{ hex, points: carried(model, hex, road.curves[0]!) }] : [];
    });
}

const PIECES = 40;

function carried(model: MapModel, hex: MapHex, curve: Curve): Point[] {
  const all = Array.from({ length: PIECES + 1 }, (_, i) => pointOn(curve, i / PIECES));
  const wet = all.map((p) => isOverWater(model, hex, p));
  const [first, last] = [wet.indexOf(true), wet.lastIndexOf(true)];
  return first < 0 ? all.slice(PIECES * 0.35, PIECES * 0.65) : all.slice(Math.max(0, first - 1), last + 2);
}

const CHANNEL: readonly Way['kind'][] = ['gully', 'dry'];

function isOverWater(model: MapModel, hex: MapHex, p: Point): boolean {
  if (has(hex, 'water')) {
    const share = model.land.share('water', (h) => has(h, 'water'));
    if (model.land.at(share, p) > 0.45) return true;
  }
  return nearestWay(model, hex, p, CHANNEL).distance < 9;
}

/** A course beside another. */
function beside(points: readonly Point[], aside: number): Point[] {
  return points.map((p, i) => {
    const [a, b] = [points[Math.max(0, i - 1)]!, points[Math.min(points.length - 1, i + 1)]!];
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return { x: p.x - ((b.y - a.y) / far) * aside, y: p.y + ((b.x - a.x) / far) * aside };
  });
}

function lineOf(points: readonly Point[]): Path2D {
  const path = new Path2D();
  points.forEach((p, i) => (i === 0 ? path.moveTo(p.x, p.y) : path.lineTo(p.x, p.y)));
  return path;
}

/** A deck of planks or stone between parapets, with wing walls where it meets the road. */
function bridge({ points, hex }: Span, colours: Palette): Item['draw'] {
  const [deck, cast, planks, rails, wings] = [
    lineOf(points),
    lineOf(points.map((p) => ({ x: p.x + 2.4, y: p.y + 3.4 }))),
    new Path2D(),
    new Path2D(),
    new Path2D(),
  ];
  const [left, right] = [beside(points, -5.6), beside(points, 5.6)];
  for (const side of [left, right]) rails.addPath(lineOf(side));
  left.forEach((p, i) => {
    if (hex.bridge !== 'wood' && i % 6 !== 3) return;
    planks.moveTo(p.x, p.y);
    planks.lineTo(right[i]!.x, right[i]!.y);
  });
  for (const [side, out] of [
    [left, -3.6],
    [right, 3.6],
  ] as const) {
    const far = beside(points, (side === left ? -5.6 : 5.6) + out);
    for (const [end, on] of [
      [0, 1],
      [points.length - 1, points.length - 2],
    ] as const) {
      const [p, q] = [points[end]!, points[on]!];
      const length = Math.hypot(p.x - q.x, p.y - q.y) || 1;
      wings.moveTo(side[end]!.x, side[end]!.y);
      wings.lineTo(far[end]!.x + ((p.x - q.x) / length) * 4.5, far[end]!.y + ((p.y - q.y) / length) * 4.5);
    }
  }
  return ({ ctx, scale }: Brush) => {
    ctx.lineCap = 'butt';
    ctx.lineJoin = 'round';
    const stroke = (path: Path2D, colour: string, width: number, alpha = 1) => {
      ctx.globalAlpha = alpha;
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.stroke(path);
    };
    stroke(cast, colours.bridgeEdge, 11.5, 0.35);
    stroke(deck, hex.bridge === 'wood' ? colours.deck : colours.bridge, 11.4);
    if (scale > 0.4) stroke(planks, colours.bridgeEdge, 0.7, 0.6);
    stroke(rails, colours.bridgeEdge, hex.bridge === 'steel' ? 2.8 : 1.9);
    ctx.lineCap = 'round';
    stroke(wings, colours.bridgeEdge, 2.1);
    ctx.globalAlpha = 1;
  };
}

export function crossings(model: MapModel, colours: Palette): Layer {
  const spans = spansOf(model).map((span): Item => {
    const c = centre(span.hex);
    return { box: { x: c.x - 70, y: c.y - 70, width: 140, height: 140 }, draw: bridge(span, colours) };
  });
  return [...fords(model, colours), ...spans];
}

function fords(model: MapModel, colours: Palette): Layer {
  return model.chunks.flatMap((chunk): Item[] => {
    const stones = new Path2D();
    const hexes = chunk.hexes.filter((hex) => hex.ford || has(hex, 'ford'));
    for (const hex of hexes) {
      const { at, angle } = channelOf(model, hex);
      for (const along of [-7, 0, 7]) {
        for (const out of [-5, 0, 5]) {
          const x = at.x + Math.cos(angle) * along - Math.sin(angle) * out;
          const y = at.y + Math.sin(angle) * along + Math.cos(angle) * out;
          stones.moveTo(x + 2, y);
          stones.ellipse(x, y, 2.2, 1.6, angle, 0, 7);
        }
      }
    }
    if (hexes.length === 0) return [];
    return [
      {
        box: chunk.box,
        draw: ({ ctx }) => {
          fills(ctx, [stones, colours.rockLit]);
          ctx.strokeStyle = colours.bridgeEdge;
          ctx.lineWidth = 0.7;
          ctx.stroke(stones);
        },
      },
    ];
  });
}

function channelOf(model: MapModel, hex: MapHex): { at: Point; angle: number } {
  const way = (model.ways.get(hex.name) ?? []).find((w) => CHANNEL.includes(w.kind));
  const curve = way?.curves[0];
  if (!curve) return { at: centre(hex), angle: 0 };
  const [a, b] = [pointOn(curve, 0.47), pointOn(curve, 0.53)];
  return { at: pointOn(curve, 0.5), angle: Math.atan2(b.y - a.y, b.x - a.x) };
}
