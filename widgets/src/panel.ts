// One space with axes of its own: a row, a plane (the first dimension to the right, the second
// upwards), or three dimensions seen from above a corner.
import { axis, ticks, type Axis } from "./axis";
import { clamp, radiusFor, titleOf, type Spot, type Text } from "./spots";
import type { Space } from "./trace";

export interface Panel {
  width: number;
  height: number;
  radius: number;
  spots: Spot[];
  texts: Text[];
  rules: [Spot, Spot][];
}

type Vector = readonly [number, number];
/** Where the axes go, y upwards. Three are not quite isometric: there, (1, 1, 1) would hide behind
 * (0, 0, 0); these directions keep small spaces apart. */
const DIRECTIONS: Readonly<Record<number, readonly Vector[]>> = {
  1: [[1, 0]],
  2: [[1, 0], [0, 1]],
  3: [[1, -0.22], [0.62, 0.36], [0, 1]],
};
const [TOP, SIDE, BELOW] = [54, 44, 34];

export function panel(s: Space, number: number, width: number): Panel {
  const { points, dims, elided } = folded(s);
  const axes = dims.map((_, k) => axis(points.map((p) => p[k]!), elided[k] ?? []));
  const directions = DIRECTIONS[dims.length] ?? [];
  const project = (place: readonly number[]): Vector => [
    place.reduce((sum, at, k) => sum + at * directions[k]![0], 0),
    place.reduce((sum, at, k) => sum + at * directions[k]![1], 0),
  ];
  const corners = axes.reduce<number[][]>(
    (all, a) => all.flatMap((c) => [[...c, 0], [...c, a.length]]), [[]],
  ).map(project);
  const xs = corners.map((c) => c[0]);
  const ys = corners.map((c) => c[1]);
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const [across, down] = [Math.max(...xs) - left, top - Math.min(...ys)];
  const unit = clamp((Math.min(width, 560) - 2 * SIDE) / Math.max(across, 5), 9, 38);
  const spot = (place: readonly number[]): Spot => {
    const [x, y] = project(place);
    return { x: SIDE + unit * (x - left), y: TOP + unit * (top - y) };
  };
  const title = titleOf(s);
  return {
    width: Math.max(unit * across + 2 * SIDE, 8 * title.length + SIDE),
    height: TOP + unit * down + BELOW,
    radius: radiusFor(unit),
    spots: points.map((p) => spot(axes.map((a, k) => a.at(p[k]!)))),
    texts: [
      { x: SIDE - 30, y: 16, text: title, look: "name", anchor: "start", space: number },
      ...axes.flatMap((a, k) => labels(a, k, dims, spot, unit)),
    ],
    rules: axes.map((a, k) => ruler(a, k, axes.length, spot)),
  };
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

/** An axis stands a little outside of the instances. */
function offset(k: number, dimensions: number): Vector {
  if (dimensions === 3) return k === 2 ? [-12, 0] : [0, 12];
  return k === 0 ? [0, 14] : [-14, 0];
}

function ruler(a: Axis, k: number, dimensions: number, spot: Place): [Spot, Spot] {
  const [dx, dy] = offset(k, dimensions);
  const end = (at: number): Spot => {
    const { x, y } = spot(along(k, at, dimensions));
    return { x: x + dx, y: y + dy };
  };
  return [end(0), end(a.length)];
}

function along(k: number, at: number, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, d) => (d === k ? at : 0));
}

function labels(a: Axis, k: number, dims: readonly string[], spot: Place, unit: number): Text[] {
  const dimensions = dims.length;
  const [dx, dy] = offset(k, dimensions);
  const upright = dimensions > 1 && k === dimensions - 1;
  const text = (at: number, content: string, look: Text["look"], beyond = 0): Text => {
    const { x, y } = spot(along(k, at, dimensions));
    return upright
      ? { x: x + dx - 6, y: y + dy + 4 - beyond, text: content, look, anchor: "end" }
      : { x: x + dx + beyond, y: y + dy + (beyond ? 4 : 15), text: content, look, anchor: beyond ? "start" : "middle" };
  };
  return [
    ...ticks(a, unit, upright ? 14 : 22).map((v) => text(a.at(v), String(v), "tick")),
    ...a.gaps.map((gap) => text(gap, upright ? "⋮" : "…", "gap")),
    text(a.length, dims[k]!, "name", upright ? 18 : 9),
  ];
}
