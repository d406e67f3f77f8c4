// Memory as it is drawn: cells and time, what is known of them, what is proposed, and the conflict.
import { svg } from "./dom";
import {
  boxOf, fitting, lineOf, placeOf, runsOf, SMALL, type MemoryLayout, type Run,
} from "./memory_layout";
import { RULES } from "./memory_words";
import { baseline, clamp, heightOf, widthOf } from "./spots";
import { outline, texture } from "./textures";
import type { Memory, MemoryConflict, MemoryLayer } from "./trace";

/** The names of cells, which stay in sight where the rest is scrolled. */
export function drawCells({ cells }: Memory, layout: MemoryLayout): SVGElement[] {
  return cells.map((cell, k) => {
    const { y, height } = placeOf(layout, k, 0);
    return svg("text", { class: "pnb-text-name", x: layout.left - 6, y: y + height / 2 + 4, "text-anchor": "end" }, cell);
  });
}

/** The lines of instances, and rows. */
export function drawGrid({ cells, times }: Memory, layout: MemoryLayout): SVGElement {
  const rows = cells.map((_, k) => svg("path", { class: "pnb-cell", d: outline(placeOf(layout, k, 0, times.length)) }));
  const lines = times.map((_, k) => {
    const x = lineOf(layout, k);
    return svg("line", { class: "pnb-rule", x1: x, x2: x, y1: layout.head - 2, y2: layout.height });
  });
  return svg("g", {}, ...rows, ...lines);
}

/** The names of instances over their lines, and what the first and the last zone are. */
export function drawTimes({ times }: Memory, layout: MemoryLayout): SVGTextElement[] {
  const names = times.map((name, k) => named(name, lineOf(layout, k), layout));
  const ends = times.length ? [named("before", layout.zone / 2, layout), named("after", layout.zone * (times.length + 0.5), layout)] : [];
  for (const end of ends) end.classList.add("pnb-end");
  return [...names, ...ends];
}

function named(name: string, x: number, { head, slanted }: MemoryLayout): SVGTextElement {
  const turned = slanted ? { transform: `rotate(-60 ${x} ${head - 6})` } : { "text-anchor": "middle" };
  return svg("text", { class: "pnb-text-tick", x: slanted ? x + 3 : x, y: head - 6, ...turned }, name);
}

export function drawLayer(layer: MemoryLayer, layout: MemoryLayout): SVGGElement {
  const { of, role } = layer;
  const boxes = runsOf(layer).map((run) => ({ run, box: boxOf(layout, layer, run) }));
  const area = role === "unused" ? "" : boxes.map(({ box }) => outline(box)).join("");
  return svg(
    "g", { class: `pnb-layer pnb-${of} pnb-${role}` },
    role !== "written" && svg("path", { class: "pnb-area", d: area }),
    svg("path", { class: "pnb-texture", d: boxes.map(({ box }) => texture(role, box)).join("") }),
    ...(role === "known" ? boxes.map(({ run, box }) => valueOf(run, box)) : []),
  );
}

function valueOf({ value }: Run, { x, y, width, height }: ReturnType<typeof boxOf>): SVGTextElement | null {
  const text = fitting(value, width);
  const at = baseline({ x, y: y + (height - heightOf(SMALL)) / 2 }, SMALL);
  return text === "" ? null : svg("text", { class: "pnb-value", x: x + width / 2, y: at, "text-anchor": "middle" }, text);
}

/** A ring, and over all rows the name of the rule, with a line between the two. */
export function drawConflict({ place, at, rule }: MemoryConflict, layout: MemoryLayout): SVGGElement {
  const [cell, k] = place as [number, number];
  const whole = placeOf(layout, cell, k);
  const time = at === "time";
  const box = time ? { ...whole, x: lineOf(layout, k) - 9, width: 18 } : whole;
  const ring = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: time ? 10 : 5 };
  const text = `✗ conflict: ${RULES[rule]}`;
  const half = (1.08 * widthOf(text, 12)) / 2; // it is bold
  const x = box.x + box.width / 2;
  const name = clamp(x, half + 2, Math.max(half + 2, layout.width - half - 2));
  const y = layout.head + 13;
  return svg(
    "g", { class: "pnb-clash" },
    svg("path", { class: "pnb-leader", d: `M${x} ${y + 4}V${ring.y}` }),
    svg("rect", { class: "pnb-halo", ...ring }),
    svg("rect", { class: "pnb-ring", ...ring }),
    svg("text", { x: name, y, "text-anchor": "middle" }, text),
  );
}
