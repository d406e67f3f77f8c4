// What layouts are made of.
import type { Space } from "./trace";

export interface Spot {
  x: number;
  y: number;
}

export interface Box extends Spot {
  width: number;
  height: number;
}

export interface Text extends Spot {
  text: string;
  look: "name" | "tick" | "gap";
  anchor: "start" | "middle" | "end";
  /** For a name: which space it names. */
  space?: number;
}

/** How large texts are, as in stepper.css. */
export const SIZES = { name: 12, tick: 11, gap: 15, number: 10 } as const;
/** Of a font's size: how wide a letter is, how far it reaches up, and how far in all. */
const [LETTER, UP, TALL] = [0.62, 0.82, 1.05];

export function widthOf(text: string, size: number): number {
  return LETTER * size * text.length;
}

export function heightOf(size: number): number {
  return TALL * size;
}

/** Where the baseline of a text is in its box. */
export function baseline({ y }: Spot, size: number): number {
  return y + UP * size;
}

/** What a text covers, whatever it is drawn with. */
export function boxOf({ x, y, text, look, anchor }: Text): Box {
  const size = SIZES[look];
  const width = widthOf(text, size);
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { x: left, y: y - UP * size, width, height: heightOf(size) };
}

export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
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
