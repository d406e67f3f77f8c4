// What layouts are made of.
import type { Space } from "./trace";

export interface Spot {
  x: number;
  y: number;
}

export interface Text extends Spot {
  text: string;
  look: "name" | "tick" | "gap";
  anchor: "start" | "middle" | "end";
  /** For a name: which space it names. */
  space?: number;
}

export function titleOf(s: Space): string {
  return s.dims.length ? `${s.name}[${s.dims.join(", ")}]` : s.name;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

export function radiusFor(unit: number): number {
  return clamp(unit * 0.16, 2, 4.5);
}
