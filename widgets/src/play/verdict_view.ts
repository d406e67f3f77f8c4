// The verdict on the last move, what would help, and the pictures.
import { h, setText } from "../dom";
import type { Game } from "./game";
import type { Drawn, Way } from "./shown";

export class VerdictView {
  private readonly sign = h("strong", { class: "pnp-sign" });
  private readonly said = h("span", {});
  private readonly refused = h("p", { class: "pnp-refused" });
  private readonly ways = h("div", { class: "pnp-ways" });
  private readonly box = h(
    "div", { class: "pnp-verdict", role: "status", "aria-live": "polite" },
    h("p", {}, this.sign, " ", this.said), this.refused,
  );
  private readonly pictures = h("div", { class: "pnp-pictures" });
  readonly element = h(
    "section", { class: "pnp-result", "aria-label": "Verdict" }, this.box, this.ways, this.pictures,
  );
  private drawn: Drawn[] | null = null;
  private offered = "";

  constructor(private readonly game: Game) {}

  update(): void {
    const { shown, port } = this.game;
    if (!shown) return;
    const isOpen = shown.steps.length > 0;
    this.box.classList.toggle("pnp-illegal", !shown.legal);
    this.box.classList.toggle("pnp-legal", shown.legal && isOpen);
    setText(this.sign, !isOpen ? "" : shown.legal ? "✓ legal" : "✗ illegal");
    setText(this.said, shown.said.replace(/: (il)?legal: /, ": "));
    setText(this.refused, port.problem || shown.refused);
    this.offer(shown.ways, shown.searching, shown.legal);
    if (shown.pictures !== this.drawn) {
      this.drawn = shown.pictures;
      this.pictures.replaceChildren(...shown.pictures.map(figure));
    }
  }

  private offer(ways: readonly Way[], searching: boolean, legal: boolean): void {
    const key = JSON.stringify([ways, searching, legal]);
    if (key === this.offered) return;
    this.offered = key;
    this.ways.hidden = legal;
    this.ways.replaceChildren(
      h("button", { class: "pnp-button", type: "button", click: () => this.game.act("undo") }, "undo it"),
      ...ways.map(({ line, cost }) => h("button", {
        class: "pnp-button pnp-way", type: "button", title: `Make this move before the illegal one`,
        click: () => this.game.repair(line),
      }, h("code", {}, line), " first makes it legal", cost && `: ${cost}`)),
      h("span", { role: "status" }, searching ? "looking for what would make it legal …"
        : ways.length === 0 ? "No single move was found that makes it legal." : ""),
    );
  }
}

function figure({ title, svg, alt }: Drawn): HTMLElement {
  const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return h("figure", {}, h("figcaption", {}, title), h("img", { src, alt }));
}
