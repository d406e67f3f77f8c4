// One space with axes of its own: a row, a plane (the first dimension to the right, the second
// upwards), or three dimensions seen from above a corner.
import { axis, stretches, ticks, type Axis } from "./axis";
import { boxOf, SIZES, titleOf, widthOf, type Spot, type Text } from "./spots";
import type { Space } from "./trace";

/** A panel without its instances. */
export interface Frame {
  width: number;
  height: number;
  texts: Text[];
  rules: [Spot, Spot][];
  /** Where the corner of the axes is. */
  corner: Spot;
}

export interface Panel extends Frame {
  spots: Spot[];
}

type Vector = readonly [number, number];
/** Where the axes go, y upwards. Three are not quite isometric: there, (1, 1, 1) would hide behind
 * (0, 0, 0). These keep any two of five in each direction 0.4 units apart. */
const DIRECTIONS: Readonly<Record<number, readonly Vector[]>> = {
  1: [[1, 0]],
  2: [[1, 0], [0, 1]],
  3: [[1, -0.08], [0.8, 0.34], [0, 1]],
};
const [LEFT, TOP, RIGHT, BELOW] = [40, 50, 24, 18];

/** A space before it is known how large it may be drawn. */
export interface Plan {
  title: string;
  dims: string[];
  points: number[][];
  axes: Axis[];
  /** Where the projection reaches, in units. */
  left: number;
  top: number;
  across: number;
  down: number;
}

export function plan(s: Space): Plan {
  const { points, dims, elided } = folded(s);
  const axes = dims.map((_, k) => axis(points.map((p) => p[k]!), elided[k] ?? []));
  const corners = axes.reduce<number[][]>(
    (all, a) => all.flatMap((c) => [[...c, 0], [...c, a.length]]), [[]],
  ).map(project);
  const [xs, ys] = [corners.map((c) => c[0]), corners.map((c) => c[1])];
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const [across, down] = [Math.max(...xs) - left, top - Math.min(...ys)];
  return { title: titleOf(s), dims, points, axes, left, top, across, down };
}

/** Large enough for its instances and for all that is written beside them. */
export function frame(planned: Plan, space: number, unit: number): Frame {
  const { title, dims, axes, left, top, across, down } = planned;
  const make = (corner: Spot): Omit<Frame, "width" | "height"> => {
    const spot = (place: readonly number[]): Spot => {
      const [x, y] = project(place);
      return { x: corner.x + unit * (x - left), y: corner.y + unit * (top - y) };
    };
    return {
      corner,
      texts: [
        { x: 10, y: 16, text: title, look: "name", anchor: "start", space },
        ...axes.flatMap((_, k) => labels(axes, k, dims, spot, unit)),
      ],
      rules: axes.flatMap((a, k) => stretches(a).map(
        ([from, to]): [Spot, Spot] => [mark(axes, k, from, spot), mark(axes, k, to, spot)],
      )),
    };
  };
  const outside = Math.min(0, ...make({ x: LEFT, y: TOP }).texts.map((t) => boxOf(t).x - 2));
  const made = make({ x: LEFT - outside, y: TOP });
  const boxes = made.texts.map(boxOf);
  return {
    ...made,
    width: Math.max(made.corner.x + unit * across + RIGHT, ...boxes.map((b) => b.x + b.width + 10)),
    height: Math.max(TOP + unit * down + BELOW, ...boxes.map((b) => b.y + b.height + 6)),
  };
}

export function panel(planned: Plan, space: number, unit: number): Panel {
  const { points, axes, left, top } = planned;
  const made = frame(planned, space, unit);
  const spots = points.map((p): Spot => {
    const [x, y] = project(axes.map((a, k) => a.at(p[k]!)));
    return { x: made.corner.x + unit * (x - left), y: made.corner.y + unit * (top - y) };
  });
  return { ...made, spots };
}

function project(place: readonly number[]): Vector {
  const directions = DIRECTIONS[place.length] ?? [];
  return [
    place.reduce((sum, at, k) => sum + at * directions[k]![0], 0),
    place.reduce((sum, at, k) => sum + at * directions[k]![1], 0),
  ];
}

/** Of more than three dimensions, the outer ones are folded into one: their tuples in order. */
function folded(s: Space): { points: number[][]; dims: string[]; elided: Space["elided"] } {
  const outer = s.dims.length - 2;
  if (outer <= 1) return s;
  const ranks = new Map<string, number>();
  for (const p of s.points) {
    const key = p.slice(0, outer).join();
    if (!ranks.has(key)) ranks.set(key, ranks.size);
  }
  return {
    points: s.points.map((p) => [ranks.get(p.slice(0, outer).join())!, ...p.slice(outer)]),
    dims: [s.dims.slice(0, outer).join(", "), ...s.dims.slice(outer)],
    elided: [[], ...s.elided.slice(outer)],
  };
}

type Place = (place: readonly number[]) => Spot;

/** A place on an axis, which stands a little outside of the instances. Of three dimensions the
 * second runs along the far end of the first, where nothing stands before it. */
function mark(axes: readonly Axis[], k: number, at: number, spot: Place): Spot {
  const place = axes.map((_, d) => (d === k ? at : 0));
  if (axes.length === 3 && k === 1) place[0] = axes[0]!.length;
  const { x, y } = spot(place);
  if (isUpright(axes, k)) return { x: x - 12, y };
  return axes.length === 3 && k === 1 ? { x: x + 10, y: y + 5 } : { x, y: y + 13 };
}

function isUpright(axes: readonly Axis[], k: number): boolean {
  return axes.length > 1 && k === axes.length - 1;
}

function labels(
  axes: readonly Axis[], k: number, dims: readonly string[], spot: Place, unit: number,
): Text[] {
  const a = axes[k]!;
  const upright = isUpright(axes, k);
  const slanted = axes.length === 3 && k === 1;
  const text = (at: number, content: string, look: Text["look"], beyond = 0): Text => {
    const { x, y } = mark(axes, k, at, spot);
    if (upright) return { x: x - 5, y: y + 4 - 1.8 * beyond, text: content, look, anchor: "end" };
    if (slanted) return { x: x + 5, y: y + 8 - 1.8 * beyond, text: content, look, anchor: "start" };
    return { x, y: y + 14, text: content, look, anchor: beyond ? "start" : "middle" };
  };
  const name = text(a.length, dims[k]!, "name", 9);
  if (!upright && !slanted) { // after the last number, clear of what is at the last instance
    const after = widthOf(String(a.values[a.values.length - 1] ?? ""), SIZES.tick) / 2;
    const { x, y } = text(a.length, "", "tick");
    Object.assign(name, { x: x + after + 7, y });
  }
  if (axes.length === 3 && k === 0) { // beside its end, the second axis begins
    const { x, y } = mark(axes, k, a.length / 2, spot);
    Object.assign(name, { x: x - 6, y: y + 30 });
  }
  return [
    ...ticks(a, unit, upright).map((v) => text(a.at(v), String(v), "tick")),
    ...a.gaps.map((gap) => text(gap, upright ? "⋮" : "…", "gap")),
    name,
  ];
}
