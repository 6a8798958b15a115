/** Streams, gullies, roads, tracks, what crosses them, and walls and fences. */
import type { Point } from '../../geometry';
import type { Brush, Item, Layer } from '../layer';
import { hash } from '../noise';
import { courseOf, grown, paces, type Feature, type TableModel } from './model';
import type { Colours } from './palette';

interface Stroke {
  colour: string;
  width: number;
  alpha?: number;
  dash?: number[];
  /** Drawn beside the way, in map units. */
  aside?: number;
}

function stroked(feature: Feature, strokes: readonly Stroke[]): Item {
  const courses = strokes.map(({ aside }) => courseOf(feature.way, aside ?? 0));
  return {
    box: grown(feature.box, 16),
    draw: ({ ctx, scale }: Brush) => {
      ctx.lineJoin = 'round';
      strokes.forEach(({ colour, width, alpha, dash }, i) => {
        // Fine dashes are left out where they would be specks.
        if (dash && width * scale < 0.7) return;
        ctx.globalAlpha = alpha ?? 1;
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.setLineDash(dash ?? []);
        ctx.stroke(courses[i]!);
      });
      ctx.setLineDash([]);
      ctx.globalAlpha = 1;
    },
  };
}

const only = ({ features }: TableModel, ...looks: string[]): Feature[] =>
  features.filter((f) => looks.includes(f.look) && f.way.length > 1);

/** Streams and rivers within their banks; where two meet, their waters are one. */
export function streams(model: TableModel, c: Colours): Layer {
  const found = only(model, 'stream');
  const each = (strokes: (width: number) => Stroke[]) => found.map((f) => stroked(f, strokes(f.width)));
  return [
    ...each((w) => [
      { colour: c.bank, width: w + 9, alpha: 0.55 },
      { colour: c.bank, width: w + 3 },
    ]),
    ...each((w) => [{ colour: c.waterEdge, width: w - 3 }]),
    ...each((w) => [
      { colour: c.waterDeep, width: w - 8 },
      { colour: c.water, width: w * 0.62 },
      { colour: c.waterLit, width: w * 0.2, alpha: 0.45, aside: -w * 0.16 },
      { colour: c.waterLit, width: 2.2, alpha: 0.85, dash: [34, 52, 18, 70], aside: w * 0.18 },
      { colour: c.waterLit, width: 2, alpha: 0.7, dash: [22, 64], aside: -w * 0.3 },
    ]),
  ];
}

/** Gullies: a dry bed between banks that fall inwards. */
export function gullies(model: TableModel, c: Colours): Layer {
  return only(model, 'gully').flatMap((f) => {
    const w = f.width;
    const banks = new Path2D();
    for (const side of [-1, 1]) {
      paces(f.way, 12).forEach(({ x, y, angle }, i) => {
        const [nx, ny] = [-Math.sin(angle) * side, Math.cos(angle) * side];
        const inner = w / 2 - 9 - 6 * hash(`${f.id} ${side} ${i}`);
        banks.moveTo(x + nx * (w / 2), y + ny * (w / 2));
        banks.lineTo(x + nx * inner, y + ny * inner);
      });
    }
    const bed = stroked(f, [
      { colour: c.gullyDeep, width: w + 4 },
      { colour: c.gully, width: w - 4 },
      { colour: c.gullyDeep, width: w * 0.4, alpha: 0.5 },
      { colour: c.shade, width: 3, alpha: 0.45, dash: [12, 9], aside: 3 },
    ]);
    const ticks: Item = {
      box: grown(f.box, 10),
      draw: ({ ctx }) => {
        ctx.strokeStyle = c.cliff;
        ctx.lineWidth = 2.4;
        ctx.stroke(banks);
      },
    };
    return [bed, ticks];
  });
}

/** Roads and tracks: all edges first, so that they run into one another where they meet. */
export function roads(model: TableModel, c: Colours): Layer {
  const [tracks, highroads] = [only(model, 'track'), only(model, 'road')];
  return [
    ...tracks.map((f) => stroked(f, [{ colour: c.trackEdge, width: f.width * 0.56, alpha: 0.85 }])),
    ...highroads.map((f) =>
      stroked(f, [
        { colour: c.shade, width: f.width * 0.82 + 8, alpha: 0.14, aside: 4 },
        { colour: c.roadEdge, width: f.width * 0.82 },
      ]),
    ),
    ...tracks.map((f) =>
      stroked(f, [
        { colour: c.track, width: f.width * 0.56 - 5 },
        { colour: c.trackEdge, width: 3.4, alpha: 0.6, dash: [40, 5, 24, 7], aside: -7 },
        { colour: c.trackEdge, width: 3.4, alpha: 0.6, dash: [30, 6, 44, 5], aside: 7 },
      ]),
    ),
    ...highroads.map((f) =>
      stroked(f, [
        { colour: c.road, width: f.width * 0.82 - 6 },
        { colour: c.rut, width: 3, alpha: 0.8, aside: -11 },
        { colour: c.rut, width: 3, alpha: 0.8, aside: 11 },
      ]),
    ),
  ];
}

/** Bridges of planks between parapets, and fords of stones under shallow water. */
export function crossings(model: TableModel, c: Colours): Layer {
  return [...only(model, 'ford').map((f) => ford(f, c)), ...only(model, 'bridge').map((f) => bridge(f, c))];
}

function across(way: readonly Point[], pace: number, half: number): Path2D {
  const path = new Path2D();
  for (const { x, y, angle } of paces(way, pace)) {
    const [nx, ny] = [-Math.sin(angle) * half, Math.cos(angle) * half];
    path.moveTo(x + nx, y + ny);
    path.lineTo(x - nx, y - ny);
  }
  return path;
}

function bridge(f: Feature, c: Colours): Item {
  const w = f.width;
  const deck = courseOf(f.way);
  const cast = courseOf(f.way.map(({ x, y }) => ({ x: x + 7, y: y + 9 })));
  const planks = across(f.way, 8, w / 2 - 6);
  const rails = [courseOf(f.way, w / 2 - 3), courseOf(f.way, 3 - w / 2)];
  const ends = [f.way[0]!, f.way.at(-1)!];
  const angle = Math.atan2(ends[1]!.y - ends[0]!.y, ends[1]!.x - ends[0]!.x);
  return {
    box: grown(f.box, 24),
    draw: ({ ctx }) => {
      const line = (path: Path2D, colour: string, width: number, alpha = 1) => {
        ctx.globalAlpha = alpha;
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.stroke(path);
      };
      line(cast, c.shade, w, 0.4);
      line(deck, c.timber, w);
      line(deck, c.deck, w - 9);
      line(planks, c.plank, 2);
      for (const rail of rails) {
        line(rail, c.timber, 6.5);
        line(rail, c.stoneLit, 2);
      }
      // The wings of the parapets open towards the banks.
      ctx.fillStyle = c.timber;
      ends.forEach(({ x, y }) => {
        for (const side of [-1, 1]) {
          const far = (w / 2 - 2) * side;
          ctx.beginPath();
          ctx.arc(x - Math.sin(angle) * far, y + Math.cos(angle) * far, 6, 0, 7);
          ctx.fill();
        }
      });
      ctx.globalAlpha = 1;
    },
  };
}

function ford(f: Feature, c: Colours): Item {
  const w = f.width;
  const way = courseOf(f.way);
  const ripples = [-0.34, -0.12, 0.12, 0.34].map((aside) => courseOf(f.way, aside * w));
  const stones = new Path2D();
  paces(f.way, 13).forEach(({ x, y, angle }, i) => {
    for (let n = -2; n <= 2; n++) {
      const whim = hash(`${f.id} ${i} ${n}`);
      const aside = (n / 5.2 + (whim - 0.5) * 0.1) * w;
      const [px, py] = [x - Math.sin(angle) * aside, y + Math.cos(angle) * aside];
      stones.moveTo(px + 4, py);
      stones.ellipse(px, py, 2.6 + whim * 2.6, 2 + whim * 1.8, whim * 3, 0, 7);
    }
  });
  return {
    box: grown(f.box, 12),
    draw: ({ ctx }) => {
      ctx.globalAlpha = 0.62;
      ctx.strokeStyle = c.sand;
      ctx.lineWidth = w;
      ctx.stroke(way);
      ctx.globalAlpha = 0.9;
      ctx.strokeStyle = c.waterLit;
      ctx.lineWidth = 2.4;
      ctx.setLineDash([11, 8]);
      for (const ripple of ripples) ctx.stroke(ripple);
      ctx.setLineDash([]);
      ctx.globalAlpha = 1;
      ctx.fillStyle = c.stone;
      ctx.fill(stones);
      ctx.strokeStyle = c.stoneEdge;
      ctx.lineWidth = 1.2;
      ctx.stroke(stones);
    },
  };
}

/** Walls of stone: blocks with a lit top. */
export function walls(model: TableModel, c: Colours): Layer {
  return only(model, 'wall').map((f) =>
    stroked(f, [
      { colour: c.shade, width: 15, alpha: 0.32, aside: 4 },
      { colour: c.stoneEdge, width: 13 },
      { colour: c.stone, width: 9, dash: [13, 2.4, 9, 2.4] },
      { colour: c.stoneLit, width: 3, dash: [13, 2.4, 9, 2.4], aside: -2 },
    ]),
  );
}

/** Fences of wood: two rails and posts. */
export function fences(model: TableModel, c: Colours): Layer {
  return only(model, 'fence').map((f) => {
    const rails = [courseOf(f.way, -2.6), courseOf(f.way, 2.6)];
    const posts = new Path2D();
    const casts = new Path2D();
    for (const { x, y } of [...paces(f.way, 26), ...f.way]) {
      posts.rect(x - 4, y - 4, 8, 8);
      casts.rect(x - 1, y, 11, 9);
    }
    return {
      box: grown(f.box, 14),
      draw: ({ ctx }) => {
        ctx.lineJoin = 'round';
        ctx.globalAlpha = 0.3;
        ctx.fillStyle = c.shade;
        ctx.fill(casts);
        ctx.globalAlpha = 1;
        ctx.strokeStyle = c.rail;
        ctx.lineWidth = 2.6;
        for (const rail of rails) ctx.stroke(rail);
        ctx.fillStyle = c.rail;
        ctx.fill(posts);
      },
    };
  });
}
