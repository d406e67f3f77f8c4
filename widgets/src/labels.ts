// Where texts go beside instances: clear of one another, of axes and names, and of dots if it can be.
import type { Layout } from "./layout";
import { boxOf, meet, type Box, type Spot } from "./spots";

/** What covering something costs: a text, an instance that is ringed, an instance. Out of the
 * picture nothing can be read at all. */
const [TEXT, RINGED, DOT, OUTSIDE] = [40, 12, 6, 400];
const CELL = 48;

/** Which places of a picture are taken. */
export class FreePlaces {
  private readonly cells = new Map<number, [box: Box, cost: number][]>();

  constructor(private readonly layout: Layout) {
    const { texts, spots, radius: r } = layout;
    for (const text of texts) this.take(boxOf(text), TEXT);
    for (const { x, y } of spots.flat()) this.take({ x: x - r, y: y - r, width: 2 * r, height: 2 * r }, DOT);
  }

  take(box: Box, cost: number): void {
    for (const key of keysOf(box)) {
      const there = this.cells.get(key);
      if (there) there.push([box, cost]);
      else this.cells.set(key, [[box, cost]]);
    }
  }

  cost(box: Box): number {
    const { width, height } = this.layout;
    const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    const found = new Set<Box>();
    let sum = inside ? 0 : OUTSIDE;
    for (const key of keysOf(box)) {
      for (const [other, cost] of this.cells.get(key) ?? []) {
        if (found.has(other) || !meet(box, other)) continue;
        found.add(other);
        sum += cost;
      }
    }
    return sum;
  }

  /** The cheapest of some boxes, of equal ones the first; it is taken from now on. */
  placed(boxes: readonly Box[], more: (box: Box) => number = () => 0): Box {
    let [best, least] = [boxes[0]!, Infinity];
    for (const box of boxes) {
      const cost = this.cost(box) + more(box);
      if (cost < least) [best, least] = [box, cost];
      if (least === 0) break;
    }
    this.take(best, TEXT);
    return best;
  }

  copy(): FreePlaces {
    const found = new FreePlaces({ ...this.layout, texts: [], spots: [] });
    for (const [key, there] of this.cells) found.cells.set(key, [...there]);
    return found;
  }
}

function* keysOf({ x, y, width, height }: Box): Iterable<number> {
  for (let k = Math.floor(x / CELL); k <= (x + width) / CELL; k++) {
    for (let l = Math.floor(y / CELL); l <= (y + height) / CELL; l++) yield 4096 * k + l;
  }
}

/** Places for a small text at a spot: at its corners, then at its sides, then a little further. */
export function corners({ x, y }: Spot, { width, height }: Size, r: number): Box[] {
  return [0, 4, 8].flatMap((out) => [
    { x: x + r + out, y: y + r - 1 + out }, { x: x + r + out, y: y - r + 1 - out - height },
    { x: x - r - out - width, y: y - r + 1 - out - height }, { x: x - r - out - width, y: y + r - 1 + out },
    { x: x - width / 2, y: y + r + 1 + out }, { x: x - width / 2, y: y - r - 1 - out - height },
    { x: x + r + 2 + out, y: y - height / 2 }, { x: x - r - 2 - out - width, y: y - height / 2 },
  ]).map((at) => ({ ...at, width, height }));
}

/** The same in rows, below every shape first: there is room. */
export function below(spot: Spot, size: Size, r: number): Box[] {
  const x = spot.x - size.width / 2;
  const under = [3 * r + 2, 3 * r + 14, -3 * r - size.height - 2].map((dy) => ({ ...size, x, y: spot.y + dy }));
  return [...under, ...corners(spot, size, r)];
}

interface Size {
  width: number;
  height: number;
}

const STEPS = [0, 10, 22, 36, 54, 76, 102, 132];
const DIRECTIONS = Array.from({ length: 16 }, (_, k): [number, number] =>
  [Math.cos((k * Math.PI) / 8 - Math.PI / 4), Math.sin((k * Math.PI) / 8 - Math.PI / 4)]);

/** For each ringed spot a box of its size beside it, at `distance` or, where there is no room,
 * further away. */
export function placed(spots: readonly Spot[], sizes: readonly Size[], distance: number, room: FreePlaces): Box[] {
  const own = room.copy();
  for (const { x, y } of spots) {
    own.take({ x: x - distance, y: y - distance, width: 2 * distance, height: 2 * distance }, RINGED);
  }
  return spots.map((spot, k) => {
    const tried = STEPS.flatMap((step) =>
      DIRECTIONS.map((direction) => beside(spot, sizes[k]!, direction, distance + 1 + step)));
    return own.placed(tried, (box) => 0.15 * away(box, spot));
  });
}

function beside({ x, y }: Spot, { width, height }: Size, [dx, dy]: readonly [number, number], out: number): Box {
  return {
    x: x + dx * out - width / 2 + (Math.sign(dx) * width * Math.min(1, 1.5 * Math.abs(dx))) / 2,
    y: y + dy * out - height / 2 + (Math.sign(dy) * height * Math.min(1, 1.5 * Math.abs(dy))) / 2,
    width, height,
  };
}

/** The point of a box that is nearest to a spot. */
export function nearest({ x, y, width, height }: Box, spot: Spot): Spot {
  return { x: Math.min(Math.max(spot.x, x), x + width), y: Math.min(Math.max(spot.y, y), y + height) };
}

export function away(box: Box, spot: Spot): number {
  const at = nearest(box, spot);
  return Math.hypot(at.x - spot.x, at.y - spot.y);
}
