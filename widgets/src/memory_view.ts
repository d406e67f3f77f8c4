// Cells of memory against time. Where a step has this, it stands in the place of the space.
import { h, setText, sized, svg } from "./dom";
import type { LinkGroup, Links } from "./links";
import { arrangeMemory, lineOf, marginsOf, memoriesOf, placeOf, type MemoryLayout } from "./memory_layout";
import { drawCells, drawConflict, drawLayer, drawLines, drawRows, drawRule, drawTimes, drawWords } from "./memory_picture";
import { placeText, type Place } from "./memory_words";
import type { Player } from "./player";
import { Rover } from "./rover";
import { say } from "./terms";
import { ORDER } from "./textures";
import type { Memory, MemoryConflict, MemoryLayer } from "./trace";

export class MemoryView {
  private readonly here = h("p", { class: "pnb-here", "aria-hidden": "true" });
  private readonly notes = h("p", { class: "pnb-notes" });
  /** What says which row and which line it is stays in sight where the picture is scrolled. */
  private readonly names = svg("svg", { class: "pnb-svg pnb-cells", "aria-hidden": "true" });
  private readonly times = svg("svg", { class: "pnb-svg pnb-times" });
  private readonly picture = svg("svg", { class: "pnb-svg", role: "group" });
  readonly element = h(
    "section", { class: "pnb-space pnb-memory", "aria-label": "Memory" },
    h(
      "div", { class: "pnb-sheet" }, h("div", { class: "pnb-times pnb-corner" }), this.times, this.names, this.picture,
    ), this.here, this.notes,
  );
  private readonly drawn = svg("g", { class: "pnb-drawn" });
  private readonly fixed = svg("g");
  private readonly flag = svg("g");
  private readonly places = svg("g", { class: "pnb-places" });
  private readonly items = new Map<Element, Place>();
  private readonly links: LinkGroup;
  private readonly rover: Rover;
  private layout: MemoryLayout | null = null;
  private key = "";
  private pointed: Element | null = null;

  constructor(private readonly player: Player, links: Links) {
    this.links = links.group();
    this.rover = new Rover(this.element, () => [...this.items.keys()], (item) => this.textOf(item));
    this.picture.append(this.fixed, this.drawn, this.places);
    const point = (event: Event): void => this.point(event.target as Element);
    this.element.addEventListener("pointerover", point);
    this.element.addEventListener("focusin", point);
    this.element.addEventListener("pointerleave", () => this.point(null));
    this.element.addEventListener("focusout", () => this.point(null));
  }

  update(width: number): void {
    const { memory, trace, conflict } = this.player;
    this.element.hidden = !memory;
    if (!memory || !trace) return;
    const key = JSON.stringify([trace.id, width, memory.array, memory.cells, memory.times]);
    if (key !== this.key) this.rebuild(memory, width, arrangeMemory(memory, width, marginsOf(memoriesOf(trace), width)));
    this.key = key;
    const layout = this.layout!;
    const rank = ({ of, role }: MemoryLayer): number => ORDER.indexOf(role) + (of === "proposed" ? ORDER.length : 0);
    this.drawn.replaceChildren(
      ...[...memory.layers].sort((a, b) => rank(a) - rank(b)).map((layer) => drawLayer(layer, layout, standing(memory, layer, conflict), conflict)),
      drawWords(memory, layout, conflict),
      ...(conflict ? [drawConflict(conflict, layout)] : []),
    );
    this.flag.replaceChildren(...(conflict ? [drawRule(conflict, layout)] : []));
    this.rover.rename();
    this.say();
  }

  private rebuild(memory: Memory, across: number, layout: MemoryLayout): void {
    this.layout = layout;
    const { left, width, top, height } = layout;
    this.element.style.setProperty("--pnb-across", `${across}px`);
    sized(this.names, left, top, height);
    sized(this.times, width, 0, top);
    sized(this.picture, width, top, height);
    this.picture.setAttribute("aria-label", `Cells of ${memory.array} against time`);
    this.names.replaceChildren(...drawCells(memory, layout));
    const times = drawTimes(memory, layout);
    this.links.clear();
    memory.times.forEach((time, k) => this.links.add(times[k]!, [`s:${time.replace(/\(.*/, "")}`]));
    this.times.replaceChildren(drawLines(memory, layout), ...times, this.flag);
    this.fixed.replaceChildren(drawRows(memory, layout), drawLines(memory, layout));
    this.items.clear();
    memory.cells.forEach((_, cell) => memory.times.concat("").forEach((__, k) => {
      this.add(layout, { cell, k, at: "zone" });
      if (k < memory.times.length) this.add(layout, { cell, k, at: "time" });
    }));
    // Lines lie over the zones on both of their sides.
    const ordered = [...this.items].sort(([, a], [, b]) => Number(a.at === "time") - Number(b.at === "time"));
    this.places.replaceChildren(...ordered.map(([element]) => element));
    this.pointed = null;
    this.rover.enter();
    say(this.notes, `Each row is a cell of ${memory.array}. Time goes to the right: a line is an instance, and between two lines there is a zone.`);
  }

  private add(layout: MemoryLayout, place: Place): void {
    const box = placeOf(layout, place.cell, place.k);
    const at = place.at === "zone" ? box : { ...box, x: lineOf(layout, place.k) - 4, width: 8 };
    this.items.set(svg("rect", { class: "pnb-place", ...at, "data-item": true }), place);
  }

  private textOf(item: Element | null): string {
    const [place, { memory, conflict }] = [item && this.items.get(item), this.player];
    return place && memory ? placeText(memory, place, conflict) : "";
  }

  private point(target: Element | null): void {
    this.pointed = target && this.items.has(target) ? target : null;
    this.say();
  }

  private say(): void {
    setText(this.here, this.textOf(this.pointed) || "Point at a place to read what is there.");
  }
}

/** Where values of a layer are not legible: at writes of the same half, and in a ring. */
function standing({ layers }: Memory, { of }: MemoryLayer, conflict: MemoryConflict | null): (cell: number, time: number) => boolean {
  const at = new Set(layers.filter((l) => l.of === of && l.role === "written").flatMap((l) => l.places.map(String)));
  if (conflict) { // a ring around a zone is at both of its lines
    const [cell, k] = conflict.place;
    at.add(`${cell},${k}`);
    if (conflict.at === "zone") at.add(`${cell},${k! - 1}`);
  }
  return (cell, time) => at.has(`${cell},${time}`);
}
