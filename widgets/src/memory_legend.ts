// What the picture of memory shows: the candidate and what is still to be tried, then the textures
// that are on the picture, with what they mean.
import { h, svg, swatch } from "./dom";
import { layerName } from "./memory_words";
import type { Player } from "./player";
import { ORDER, outline, texture, type MemoryRole } from "./textures";
import type { Memory, MemoryLayer } from "./trace";

export interface Entry {
  of: MemoryLayer["of"];
  role: MemoryRole;
  name: string;
  labels: string[];
}

/** Each kind of layer once, first those of what there is: in the order they are drawn. */
export function entriesOf(memory: Memory): Entry[] {
  return (["existing", "proposed"] as const).flatMap((of) => ORDER.flatMap((role) => {
    const same = memory.layers.filter((l) => l.of === of && l.role === role && l.places.length > 0);
    const name = layerName({ of, role });
    const labels = [...new Set(same.map(({ label }) => label))].filter((label) => label !== name);
    return same.length ? [{ of, role, name, labels }] : [];
  }));
}

export class MemoryLegend {
  private readonly trying = h("div", { class: "pnb-switches pnb-trying" });
  private readonly roles = h("div");
  readonly element = h("div", { class: "pnb-legend pnb-textures" }, this.trying, this.roles);
  private shown = "";

  constructor(private readonly player: Player) {}

  update(): void {
    const { memory, conflict } = this.player;
    this.element.hidden = !memory;
    if (!memory) return;
    const entries = entriesOf(memory);
    const shown = JSON.stringify([memory.array, memory.candidate, memory.queue, entries, conflict !== null]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.trying.replaceChildren(...triedParts(memory));
    const ring = conflict ? [h("li", {}, ringed(), term("conflict"))] : [];
    const group = (of: Entry["of"], title: string, ...more: HTMLElement[]): HTMLElement[] => {
      const mine = entries.filter((e) => e.of === of).map(entry);
      return mine.length ? [h("ul", { class: "pnb-roles" }, h("li", { class: "pnb-whose" }, title), ...mine, ...more)] : [];
    };
    this.roles.replaceChildren(
      ...group("existing", groupTitle("existing", memory)), ...group("proposed", groupTitle("proposed", memory), ...ring),
    );
  }
}

/** Whose the textures are, and in which half of a row. */
export function groupTitle(of: Entry["of"], { array, candidate }: Memory): string {
  if (of === "proposed") return `${candidate ?? "proposed"}, below:`;
  return candidate === undefined ? `${array}:` : `${array}, above:`;
}

function triedParts({ array, candidate, queue }: Memory): Node[] {
  const list = (title: string, names: readonly string[]): HTMLElement =>
    h("div", {}, `${title} `, ...(names.length ? names.map((name) => h("span", { class: "pnb-chip" }, name)) : ["nothing"]));
  return [
    ...(candidate === undefined ? [] : [list(`does it fit in ${array}?`, [candidate])]),
    ...(queue === undefined ? [] : [list("still to be tried:", queue)]),
  ];
}

function term(name: string): HTMLElement {
  return h("span", { class: "pnb-term", tabindex: 0, "data-term": name }, name);
}

function entry({ of, role, name, labels }: Entry): HTMLElement {
  return h(
    "li", { "data-role": role }, looks(of, role), term(name),
    ...labels.map((label) => h("span", { class: "pnb-label" }, label)),
  );
}

/** The texture as it is on the picture. */
function looks(of: Entry["of"], role: MemoryRole): SVGSVGElement {
  const written = role === "written";
  const box = written ? { x: 7.5, y: 1, width: 9, height: 16 } : { x: 1, y: 2, width: 22, height: 14 };
  return swatch(
    written && svg("line", { class: "pnb-rule", x1: 12, x2: 12, y1: 0, y2: 18 }),
    svg(
      "g", { class: `pnb-layer pnb-${of} pnb-${role}` },
      !written && svg("path", { class: "pnb-area", d: outline(box) }),
      svg("path", { class: "pnb-texture", d: texture(role, box) }),
    ),
  );
}

function ringed(): SVGSVGElement {
  return swatch(svg("g", { class: "pnb-clash" }, svg("rect", { class: "pnb-ring", x: 2, y: 2, width: 20, height: 14, rx: 4 })));
}
