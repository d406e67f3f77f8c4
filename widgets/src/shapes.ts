// The shapes of roles, as SVG path data around a dot or along a curve. Many instances make one
// path, so that a step changes a handful of nodes however many instances it is about.
import { pointAt, type Curve } from "./curves";
import type { Role } from "./trace";
import type { Spot } from "./spots";

const n = (value: number): string => String(Math.round(value * 10) / 10);
const at = (x: number, y: number): string => `${n(x)} ${n(y)}`;

function polygon(...corners: readonly (readonly [number, number])[]): string {
  return `M${corners.map(([x, y]) => at(x, y)).join("L")}Z`;
}

function circle({ x, y }: Spot, r: number): string {
  return `M${at(x - r, y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0Z`;
}

function square({ x, y }: Spot, r: number): string {
  return polygon([x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]);
}

function line(...points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => at(x, y)).join("L")}`;
}

type Shape = (spot: Spot, r: number) => string;

/** `r` is the radius of the dot inside. */
const SHAPES: Partial<Record<Role, Shape>> = {
  source: ({ x, y }, r) => polygon([x, y - 2.6 * r], [x + 2.4 * r, y + 1.6 * r], [x - 2.4 * r, y + 1.6 * r]),
  target: ({ x, y }, r) => polygon([x, y + 2.6 * r], [x + 2.4 * r, y - 1.6 * r], [x - 2.4 * r, y - 1.6 * r]),
  writer: ({ x, y }, r) =>
    polygon([x - 2.4 * r, y], [x - 1.2 * r, y - 2 * r], [x + 1.2 * r, y - 2 * r],
      [x + 2.4 * r, y], [x + 1.2 * r, y + 2 * r], [x - 1.2 * r, y + 2 * r]),
  piw: ({ x, y }, r) => polygon([x, y - 2.4 * r], [x + 2.4 * r, y], [x, y + 2.4 * r], [x - 2.4 * r, y]),
  or(spot, r) {
    const [{ x, y }, a] = [spot, 2 * r];
    return square(spot, a) + line([x - a, y - a], [x + a, y + a]) + line([x - a, y + a], [x + a, y - a]);
  },
  removed: ({ x, y }, r) => line([x - 2.4 * r, y + 1.6 * r], [x + 2.4 * r, y - 1.6 * r]),
  condition({ x, y }, r) {
    const [a, b] = [2.2 * r, 1.3 * r];
    return line([x - b, y - a], [x - a, y - a], [x - a, y + a], [x - b, y + a])
      + line([x + b, y - a], [x + a, y - a], [x + a, y + a], [x + b, y + a]);
  },
  conditioned: (spot, r) => circle(spot, 2.2 * r),
  violated: ({ x, y }, r) =>
    line([x - 2.6 * r, y + 2 * r], [x - 1.3 * r, y + 3 * r], [x, y + 2 * r],
      [x + 1.3 * r, y + 3 * r], [x + 2.6 * r, y + 2 * r]),
  piece: (spot, r) => circle(spot, 1.8 * r),
};

/** Around an instance; roles of dependences, which are arrows, put a small ring there. */
export function shape(role: Role, spot: Spot, r: number): string {
  return (SHAPES[role] ?? ((s, radius) => circle(s, 1.8 * radius)))(spot, r);
}

/** The ring of a witness, outside of every other shape. */
export function ring(spot: Spot, r: number): string {
  return circle(spot, 3 * r + 1);
}

export function curveLine(c: Curve, role: Role): string {
  const { start, control, end } = c;
  if (c.loop) {
    const { x, y } = start;
    return `M${at(x - 3, y - 6)}C${at(x - 15, y - 26)} ${at(x + 15, y - 26)} ${at(x + 3, y - 6)}`;
  }
  if (role === "violated") return zigzag(c);
  return `M${at(start.x, start.y)}Q${at(control.x, control.y)} ${at(end.x, end.y)}`;
}

function zigzag(c: Curve): string {
  const [dx, dy] = [c.end.x - c.start.x, c.end.y - c.start.y];
  const length = Math.hypot(dx, dy) || 1;
  const count = Math.max(2, Math.round(length / 6));
  return line(...Array.from({ length: count + 1 }, (_, k): [number, number] => {
    const { x, y } = pointAt(c, k / count);
    const side = k === 0 || k === count ? 0 : k % 2 ? 3.5 : -3.5;
    return [x - (side * dy) / length, y + (side * dx) / length];
  }));
}

export function curveHead(c: Curve, role: Role): string {
  const size = role === "propagation" ? 1.5 : 1;
  const tip = c.loop ? { x: c.end.x + 3, y: c.end.y - 6 } : c.end;
  const before = c.loop ? { x: c.end.x + 12, y: c.end.y - 22 } : c.control;
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const back = (along: number, across: number): [number, number] =>
    [tip.x - along * dx - across * dy, tip.y - along * dy + across * dx];
  return polygon([tip.x, tip.y], back(7.5 * size, 3.4 * size), back(7.5 * size, -3.4 * size));
}
