// The tables of the step: folded, until somebody unfolds them.
import { h } from "./dom";
import type { Player } from "./player";
import { grid } from "./grid";
import { explained } from "./terms";
import type { Table } from "./trace";

export class TablesView {
  readonly element = h("section", { class: "pnb-more", "aria-label": "Tables" });
  /** By title, what the reader has folded or unfolded stays so in the steps after it. */
  private readonly chosen = new Map<string, boolean>();
  private shown: readonly Table[] = [];

  constructor(private readonly player: Player) {}

  update(): void {
    const { shown, asking } = this.player;
    const tables = asking === null ? shown?.tables ?? [] : [];
    this.element.hidden = tables.length === 0;
    if (tables === this.shown) return;
    this.shown = tables;
    this.element.replaceChildren(...tables.map((t) => this.entry(t)));
  }

  private entry(table: Table): HTMLElement {
    const { title } = table;
    const box = h("div", { class: "pnb-scroll", tabindex: 0, role: "region", "aria-label": title });
    const first = this.chosen.get(title) ?? false;
    const details: HTMLDetailsElement = h(
      "details",
      {
        open: first,
        toggle: () => {
          if (details.open && box.childElementCount === 0) box.append(inTerms(table));
          if (details.open !== first || this.chosen.has(title)) this.chosen.set(title, details.open);
        },
      },
      h("summary", {}, title), box,
    );
    if (first) box.append(inTerms(table));
    return details;
  }
}

function inTerms({ columns, rows }: Table): HTMLElement {
  const known = new Set<string>();
  return grid(columns, rows, (text) => explained(text, known));
}
