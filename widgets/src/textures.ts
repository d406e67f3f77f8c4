// What fills a place in memory, as SVG path data: a texture for each role, so that nobody depends on
// colour. They are paths and no SVG patterns, for these are found by an id on the page: the ids of
// two steppers would meet, and of a hidden one nothing is drawn.
import type { Box } from "./spots";
import type { MemoryLayer } from "./trace";

export type MemoryRole = MemoryLayer["role"];

/** As they lie upon one another: what is written stands on what is known. */
export const ORDER: readonly MemoryRole[] = ["unused", "occupied", "known", "written"];

const n = (value: number): string => String(Math.round(value * 10) / 10);
const [DOTS, HATCH, LINES] = [8, 6, 4];

/** The multiples of a step from `low` to `high`: textures of boxes that touch go on in one another. */
function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => step * (first + k));
}

/** Rows of dots, by the dashes of their strokes. */
function dots({ x, y, width, height }: Box): string {
  const start = DOTS * Math.ceil((x + 2) / DOTS);
  if (start > x + width - 2) return "";
  return multiples(DOTS, y + 3, y + height - 3).map((at) => `M${n(start)} ${n(at)}H${n(x + width - 1)}`).join("");
}

/** Diagonals, x + y being constant on each. */
function hatch({ x, y, width, height }: Box): string {
  return multiples(HATCH, x + y + 1, x + y + width + height - 1).map((sum) => {
    const [left, right] = [Math.max(x, sum - y - height), Math.min(x + width, sum - y)];
    return `M${n(left)} ${n(sum - left)}L${n(right)} ${n(sum - right)}`;
  }).join("");
}

function lines({ x, y, width, height }: Box): string {
  return multiples(LINES, y + 2, y + height - 2).map((at) => `M${n(x + 1)} ${n(at)}H${n(x + width - 1)}`).join("");
}

/** Higher than wide: it stands on the line of an instance, with texts on both sides. */
function diamond({ x, y, width, height }: Box): string {
  const [cx, cy] = [x + width / 2, y + height / 2];
  return `M${n(cx)} ${n(y)}L${n(x + width)} ${n(cy)}L${n(cx)} ${n(y + height)}L${n(x)} ${n(cy)}Z`;
}

const TEXTURES = { unused: dots, occupied: hatch, known: lines, written: diamond } as const;

export function texture(role: MemoryRole, box: Box): string {
  return TEXTURES[role](box);
}

export function outline({ x, y, width, height }: Box): string {
  return `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`;
}
