// Where the instances of a scene go. Pure geometry, in pixels, y downwards.
//
// Spaces of at most one dimension are rows over one common axis, for dependences between them are
// read across. Otherwise each space has a panel with axes of its own.
import { axis, ticks } from "./axis";
import { panel, type Panel } from "./panel";
import { clamp, radiusFor, titleOf, type Spot, type Text } from "./spots";
import type { Scene, Space } from "./trace";

export interface Layout {
  width: number;
  height: number;
  /** Of a dot. */
  radius: number;
  /** By space and point. */
  spots: Spot[][];
  texts: Text[];
  rules: [Spot, Spot][];
  /** Rows: arrows between them must get past the dots of others. */
  flat: boolean;
}

const LETTER = 8;
const ROW = 74;
const MARGIN = 26;

export function arrange(scene: Scene, width: number): Layout {
  const flat = scene.spaces.every((s) => s.dims.length <= 1);
  return flat ? rows(scene.spaces, width) : panels(scene.spaces, width);
}

function rows(spaces: readonly Space[], width: number): Layout {
  const common = axis(
    spaces.flatMap((s) => s.points.flatMap((p) => p)),
    spaces.flatMap((s) => s.elided[0] ?? []),
  );
  const left = MARGIN + LETTER * Math.max(0, ...spaces.map((s) => titleOf(s).length));
  const unit = clamp((width - left - 2 * MARGIN) / Math.max(common.length, 1), 10, 60);
  const x = (value: number | undefined): number =>
    left + MARGIN / 2 + unit * (value === undefined ? 0 : common.at(value));
  const right = x(undefined) + unit * common.length;
  const y = (row: number): number => 44 + ROW * row;
  const bottom = y(spaces.length - 1) + 40;
  const mark = (at: number, text: string, look: Text["look"], place = bottom): Text =>
    ({ x: at, y: place, text, look, anchor: "middle" });
  return {
    width: right + 2 * MARGIN,
    height: bottom + 10,
    radius: radiusFor(unit),
    spots: spaces.map((s, row) => s.points.map((p) => ({ x: x(p[0]), y: y(row) }))),
    texts: [
      ...spaces.map((s, row): Text =>
        ({ x: 4, y: y(row) + 4, text: titleOf(s), look: "name", anchor: "start", space: row })),
      ...ticks(common, unit, 22).map((value) => mark(x(value), String(value), "tick")),
      ...common.gaps.flatMap((gap) =>
        [bottom, ...spaces.map((_, row) => y(row) + 4)].map((place) =>
          mark(x(undefined) + unit * gap, "…", "gap", place))),
    ],
    rules: spaces.flatMap((s, row) => rule(s, x, y(row))),
    flat: true,
  };
}

/** A row's line, broken where instances are left out. */
function rule(s: Space, x: (value: number | undefined) => number, y: number): [Spot, Spot][] {
  const values = s.points.flatMap((p) => p);
  const [first, last] = [values[0], values[values.length - 1]];
  if (first === undefined || last === undefined) return [];
  const gaps = s.elided[0] ?? [];
  const before = (low: number): number => Math.max(...values.filter((v) => v < low));
  const after = (high: number): number => Math.min(...values.filter((v) => v > high));
  const starts = [first, ...gaps.map(([, high]) => after(high))];
  const ends = [...gaps.map(([low]) => before(low)), last];
  return starts.map((start, k) => [{ x: x(start), y }, { x: x(ends[k]), y }]);
}

/** Panels from left to right, and down where the line is full. */
function panels(spaces: readonly Space[], width: number): Layout {
  const drawn = spaces.map((s, k) => panel(s, k, width));
  const layout: Layout = {
    width: 0, height: 0, spots: [], texts: [], rules: [], flat: false,
    radius: Math.min(...drawn.map((p) => p.radius)),
  };
  let [x, y, tallest] = [0, 0, 0];
  for (const p of drawn) {
    if (x > 0 && x + p.width > width) [x, y, tallest] = [0, y + tallest, 0];
    put(layout, p, x, y);
    x += p.width;
    tallest = Math.max(tallest, p.height);
    layout.width = Math.max(layout.width, x);
  }
  layout.height = y + tallest;
  return layout;
}

function put(layout: Layout, p: Panel, x: number, y: number): void {
  const moved = <S extends Spot>(s: S): S => ({ ...s, x: s.x + x, y: s.y + y });
  layout.spots.push(p.spots.map(moved));
  layout.texts.push(...p.texts.map(moved));
  layout.rules.push(...p.rules.map(([a, b]): [Spot, Spot] => [moved(a), moved(b)]));
}
