// The first frame: what became of each array, and where that was decided.
import { h } from "./dom";
import { grid } from "./grid";
import type { Player } from "./player";
import { explained } from "./terms";
import type { Trace } from "./trace";

/** So many are seen at once; of more, these. */
const [WHOLE, FIRST] = [5, 2];

export class Overview {
  readonly element = h("div", { class: "pnb-overview" });
  private shown: Trace | null = null;

  constructor(private readonly player: Player) {}

  update(): void {
    const { trace, step, asking } = this.player;
    this.element.hidden = step !== 0 || asking !== null || this.player.isSecret || !trace?.arrays.length;
    if (trace === this.shown) return;
    this.shown = trace;
    this.element.classList.remove("pnb-open");
    this.element.replaceChildren(
      ...(trace ? [outcomes(trace, (to) => this.player.jump(to), () => this.element.classList.add("pnb-open"))] : []),
    );
  }
}

/** The table of what became of each array. Of many the first ones, until the reader wants all. */
export function outcomes(trace: Trace, jump: (step: number) => void, unfold: () => void = () => {}): HTMLElement {
  const known = new Set<string>();
  const rows = trace.arrays.map((a) => h(
    "tr", {},
    h("th", { scope: "row" },
      h("button", {
        class: "pnb-link", type: "button", title: "Go to the step that decided it", click: () => jump(a.step),
      }, a.name)),
    h("td", { class: `pnb-outcome pnb-outcome-${a.outcome.replace(/ /g, "-")}` }, a.outcome),
    h("td", {}, ...explained(a.reason, known)),
  ));
  const table = grid(["array", "outcome", "why"], []);
  table.tBodies[0]!.append(...rows);
  if (rows.length <= WHOLE) return table;
  for (const row of rows.slice(FIRST)) row.classList.add("pnb-further");
  return h("div", {}, table, h(
    "button", { class: "pnb-link pnb-unfold", type: "button", click: unfold }, `and ${rows.length - FIRST} more`,
  ));
}
