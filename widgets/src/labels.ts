// Where the names of witnesses go: beside their instance, clear of dots and of one another.
import type { Layout } from "./layout";
import type { Spot } from "./spots";

export interface Box extends Spot {
  width: number;
  height: number;
}

const DIRECTIONS = [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]] as const;

/** For each spot the upper left corner of a box of `size` beside it, at `distance`. */
export function placed(
  spots: readonly Spot[], sizes: readonly { width: number; height: number }[],
  distance: number, layout: Layout,
): Box[] {
  const near = crowd(layout, spots, 160);
  const boxes: Box[] = [];
  spots.forEach((spot, k) => {
    const size = sizes[k]!;
    const tried = DIRECTIONS.map(([dx, dy]) => beside(spot, size, dx, dy, distance));
    const cost = (box: Box): number =>
      20 * boxes.filter((other) => overlap(box, other)).length
      + 6 * spots.filter((other) => other !== spot && inside(box, other, distance)).length
      + 2 * near.filter((dot) => inside(box, dot, layout.radius)).length
      + layout.texts.filter((text) => inside(box, text, 6)).length
      + (box.x < 0 || box.y < 0 || box.x + box.width > layout.width || box.y + box.height > layout.height ? 40 : 0);
    const costs = tried.map(cost);
    boxes.push(tried[costs.indexOf(Math.min(...costs))]!);
  });
  return boxes;
}

/** Only dots nearby can be hidden, and there may be thousands. */
function crowd(layout: Layout, spots: readonly Spot[], reach: number): Spot[] {
  return layout.spots.flatMap((row) => row.filter((dot) =>
    spots.some((s) => Math.abs(s.x - dot.x) < reach && Math.abs(s.y - dot.y) < reach)));
}

function beside(
  { x, y }: Spot, { width, height }: { width: number; height: number }, dx: number, dy: number,
  distance: number,
): Box {
  const out = dx && dy ? distance * 0.75 : distance;
  return {
    x: x + dx * out + ((dx - 1) * width) / 2,
    y: y + dy * out + ((dy - 1) * height) / 2,
    width, height,
  };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function inside(box: Box, { x, y }: Spot, margin: number): boolean {
  return x > box.x - margin && x < box.x + box.width + margin
    && y > box.y - margin && y < box.y + box.height + margin;
}
