// The first frame: what became of each array, and where that was decided.
import { h } from "./dom";
import type { Player } from "./player";
import type { Trace } from "./trace";

export class Overview {
  readonly element = h("div", { class: "pnb-overview" });
  private shown: Trace | null = null;

  constructor(private readonly player: Player) {}

  update(): void {
    const { trace, step, asking } = this.player;
    this.element.hidden = step !== 0 || asking !== null || this.player.isSecret || !trace?.arrays.length;
    if (trace === this.shown) return;
    this.shown = trace;
    const rows = (trace?.arrays ?? []).map((a) => h(
      "tr", {},
      h("th", { scope: "row" },
        h("button", {
          class: "pnb-link", type: "button", title: "Go to the step that decided it",
          click: () => this.player.jump(a.step),
        }, a.name)),
      h("td", { class: `pnb-fate pnb-fate-${a.fate}` }, a.fate),
      h("td", {}, a.reason),
    ));
    const head = ["array", "outcome", "because"].map((text) => h("th", { scope: "col" }, text));
    this.element.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }
}
