/** A part of a disc, as SVG writes it. */
import type { Box, Point } from '../../geometry';

/** Where the sign of a circle lies: on it and on the table, to the north if it can. */
export function signAt({ x, y }: Point, radius: number, { width, height }: Box): Point {
  const round = [0, 2, 1, 3, 0.5, 3.5, 1.5, 2.5].map((quarter) => {
    const turn = (quarter * Math.PI) / 2;
    return { x: x + radius * Math.sin(turn), y: y - radius * Math.cos(turn) };
  });
  const [least, most] = [20, { x: width - 20, y: height - 20 }];
  return round.find((p) => p.x > least && p.y > least && p.x < most.x && p.y < most.y) ?? round[0]!;
}

/** The part of a disc within some degrees to either side of a direction (0 to the north, clockwise). */
export function sector({ x, y }: Point, radius: number, facing: number, half: number): string {
  const edge = (degrees: number) => {
    const turn = (degrees * Math.PI) / 180;
    return `${(x + Math.sin(turn) * radius).toFixed(1)} ${(y - Math.cos(turn) * radius).toFixed(1)}`;
  };
  const large = half > 90 ? 1 : 0;
  return `M${x} ${y}L${edge(facing - half)}A${radius} ${radius} 0 ${large} 1 ${edge(facing + half)}Z`;
}
