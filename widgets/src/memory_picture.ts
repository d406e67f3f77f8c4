// Memory as it is drawn: cells and time, what is known of them, what is proposed, and the conflict.
import { svg } from "./dom";
import {
  boxOf, clearest, compact, fitting, lineOf, placeOf, runsOf, SMALL, type MemoryLayout, type Run,
} from "./memory_layout";
import { RULES } from "./memory_words";
import { wordsOf } from "./memory_labels";
import { baseline, clamp, heightOf, widthOf, type Box } from "./spots";
import { outline, texture } from "./textures";
import type { Memory, MemoryConflict, MemoryLayer } from "./trace";

/** The names of cells, which stay in sight where the rest is scrolled. */
export function drawCells({ cells }: Memory, layout: MemoryLayout): SVGElement[] {
  return cells.map((cell, k) => {
    const { y, height } = placeOf(layout, k, 0);
    return svg("text", { class: "pnb-text-name", x: layout.left - 6, y: y + height / 2 + 4, "text-anchor": "end" }, cell);
  });
}

export function drawRows({ cells, times }: Memory, layout: MemoryLayout): SVGGElement {
  return svg("g", {}, ...cells.map((_, k) => svg("path", { class: "pnb-cell", d: outline(placeOf(layout, k, 0, times.length)) })));
}

/** The lines of instances, from their names down to the last row. */
export function drawLines({ times }: Memory, layout: MemoryLayout): SVGGElement {
  return svg("g", {}, ...times.map((_, k) => {
    const x = lineOf(layout, k);
    return svg("line", { class: "pnb-rule", x1: x, x2: x, y1: layout.head - 2, y2: layout.height });
  }));
}

/** The names of instances over their lines, and what the first and the last zone are. */
export function drawTimes({ times }: Memory, layout: MemoryLayout): SVGTextElement[] {
  const names = times.map((name, k) => named(name, lineOf(layout, k), layout, "middle"));
  if (!times.length) return names;
  const ends = [named("before", layout.lead, layout, "start"), named("after", lineOf(layout, times.length), layout, "end")];
  for (const end of ends) end.classList.add("pnb-end");
  return [...names, ...ends];
}

function named(name: string, x: number, { head, slanted }: MemoryLayout, anchor: string): SVGTextElement {
  const turned = slanted ? { transform: `rotate(-60 ${x} ${head - 6})` } : { "text-anchor": anchor };
  return svg("text", { class: "pnb-text-tick", x: slanted ? x + 3 : x, y: head - 6, ...turned }, compact(name));
}

/** `stands`: where a write or a conflict is drawn, so that no value is. */
export function drawLayer(
  layer: MemoryLayer, layout: MemoryLayout, stands: (cell: number, time: number) => boolean = () => false,
  lit: MemoryConflict | null = null,
): SVGGElement {
  const { of, role } = layer;
  const boxes = runsOf(layer).map((run) => ({ run, box: boxOf(layout, layer, run) }));
  const area = role === "unused" ? "" : boxes.map(({ box }) => outline(box)).join("");
  return svg(
    "g", { class: `pnb-layer pnb-${of} pnb-${role}` },
    role !== "written" && svg("path", { class: "pnb-area", d: area }),
    svg("path", { class: "pnb-texture", d: boxes.map(({ box }) => texture(role, box)).join("") }),
    ...(role === "known" ? boxes.map(({ run }) => {
      const clear = clearest(run, stands, lit?.at === "zone" && lit.place[0] === run.cell ? lit.place[1] : -1);
      return valueOf(clear, boxOf(layout, layer, clear));
    }) : []),
  );
}

function valueOf({ value }: Run, { x, y, width, height }: Box): SVGTextElement | null {
  const text = fitting(value, width - 2); // a write may stand on its left
  const at = baseline({ x, y: y + (height - heightOf(SMALL)) / 2 }, SMALL);
  return text === "" ? null : svg("text", { class: "pnb-value", x: x + width / 2 + 1, y: at, "text-anchor": "middle" }, text);
}

/** Words for what textures mean, each of them once, in the longest room there is for it. */
export function drawWords(memory: Memory, layout: MemoryLayout, conflict: MemoryConflict | null): SVGGElement {
  return svg("g", { class: "pnb-words" }, ...wordsOf(memory, layout, conflict).map(
    ({ text, x, y, anchor, of }) => svg("text", { class: `pnb-word pnb-${of}`, x, y, "text-anchor": anchor }, text)));
}

/** A ring, with a line to the name of the rule. */
export function drawConflict(conflict: MemoryConflict, layout: MemoryLayout): SVGGElement {
  const ring = ringOf(conflict, layout);
  return svg(
    "g", { class: "pnb-clash" },
    svg("path", { class: "pnb-leader", d: `M${ring.x + ring.width / 2} ${layout.top}V${ring.y}` }),
    svg("rect", { class: "pnb-halo", ...ring }),
    svg("rect", { class: "pnb-ring", ...ring }),
  );
}

/** The name of the rule, over all rows. */
export function drawRule(conflict: MemoryConflict, layout: MemoryLayout): SVGGElement {
  const { x, width } = ringOf(conflict, layout);
  const text = `✗ conflict: ${RULES[conflict.rule]}`;
  const half = (1.08 * widthOf(text, 12)) / 2 + 2; // it is bold
  const [middle, y] = [x + width / 2, layout.head + 13];
  return svg(
    "g", { class: "pnb-clash" },
    svg("path", { class: "pnb-leader", d: `M${middle} ${y + 4}V${layout.top}` }),
    svg("text", { x: clamp(middle, half, Math.max(half, layout.width - half)), y, "text-anchor": "middle" }, text),
  );
}

function ringOf({ place: [cell, k], at }: MemoryConflict, layout: MemoryLayout): Box & { rx: number } {
  const { x, y, width, height } = placeOf(layout, cell!, k!);
  const around = { y: y - 1, height: height + 2 };
  const inside = Math.min(7, width / 6); // between what is written at the ends of the zone
  return at === "time"
    ? { ...around, x: lineOf(layout, k!) - 9, width: 18, rx: 9 } : { ...around, x: x + inside, width: width - 2 * inside, rx: 5 };
}
