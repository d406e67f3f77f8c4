// Arrows from dot to dot: bent so that kinds, directions and neighbours stay apart.
import type { Layout } from "./layout";
import type { Spot } from "./spots";
import type { Pair, Role } from "./trace";

export interface Curve {
  start: Spot;
  control: Spot;
  end: Spot;
  loop: boolean;
}

/** Which way a kind bends, and how much. */
function sideOf(role: Role): number {
  if (role === "war" || role === "conditioned") return -1;
  return role === "waw" || role === "violated" ? 1.7 : 1;
}

export function curve(layout: Layout, [a, p, b, q]: Pair, role: Role): Curve | null {
  const [from, to] = [layout.spots[a]?.[p], layout.spots[b]?.[q]];
  if (!from || !to) return null;
  if (from.x === to.x && from.y === to.y) {
    return { start: from, control: from, end: to, loop: true };
  }
  const bend = bendOf(layout, from, to, b - a, role);
  return bent(from, to, layout.flat && a !== b ? around(layout, from, to, bend) : bend, layout.radius);
}

function bendOf(layout: Layout, from: Spot, to: Spot, apart: number, role: Role): number {
  const side = sideOf(role);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (layout.flat && apart === 0) return side * Math.sign(to.x - from.x) * Math.min(11 + 0.05 * length, 22);
  if (layout.flat) return side * (4 + 7 * (Math.abs(apart) - 1));
  return side * (apart === 0 ? Math.min(4 + 0.04 * length, 22) : Math.min(0.06 * length, 20));
}

function bent(from: Spot, to: Spot, bend: number, radius: number): Curve {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const control = {
    x: (from.x + to.x) / 2 + (2 * bend * dy) / length,
    y: (from.y + to.y) / 2 - (2 * bend * dx) / length,
  };
  const gap = Math.min(radius + 2, length / 4);
  return {
    start: towards(from, control, gap), control, end: towards(to, control, gap), loop: false,
  };
}

function towards(a: Spot, b: Spot, distance: number): Spot {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) * distance) / length, y: a.y + ((b.y - a.y) * distance) / length };
}

export function pointAt({ start, control, end }: Curve, t: number): Spot {
  const u = 1 - t;
  return {
    x: u * u * start.x + 2 * u * t * control.x + t * t * end.x,
    y: u * u * start.y + 2 * u * t * control.y + t * t * end.y,
  };
}

/** A bend that leads past the dots of the rows in between. */
function around(layout: Layout, from: Spot, to: Spot, bend: number): number {
  const [low, high] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  const between = layout.spots.filter((row) => row[0] && row[0].y > low && row[0].y < high);
  if (between.length === 0) return bend;
  const free = [1, 1.8, -1, -1.8, 2.6].find((factor) => {
    const tried = bent(from, to, bend * factor, layout.radius);
    return between.every((row) => {
      const x = pointAt(tried, (row[0]!.y - from.y) / (to.y - from.y)).x;
      return row.every((dot) => Math.abs(dot.x - x) > 2 * layout.radius);
    });
  });
  return bend * (free ?? 1);
}
