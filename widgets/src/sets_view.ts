// The sets of the step: folded, readable, and to be copied as isl's text.
import { copyButton } from "./copying";
import { h } from "./dom";
import type { LinkGroup, Links } from "./links";
import type { Player } from "./player";
import type { NamedSet } from "./trace";

export class SetsView {
  readonly element = h("section", { class: "pnb-sets", "aria-label": "Sets" });
  private readonly links: LinkGroup;
  private readonly open = new Set<string>();
  private shown = "";

  constructor(private readonly player: Player, links: Links) {
    this.links = links.group();
  }

  update(): void {
    const { trace, shown, asking } = this.player;
    const numbers = asking === null ? shown?.sets ?? [] : [];
    const sets = numbers.flatMap((k) => trace?.sets[k] ?? []);
    this.element.hidden = sets.length === 0;
    const ids = `${trace?.id} ${sets.map((s) => s.id).join(" ")}`;
    if (ids === this.shown) return;
    this.shown = ids;
    this.links.clear();
    this.element.replaceChildren(...sets.map((s) => this.entry(s)));
  }

  /** A set that was unfolded stays so in the steps after it. */
  private entry(set: NamedSet): HTMLElement {
    const details: HTMLDetailsElement = h(
      "details",
      {
        open: this.open.has(set.id),
        toggle: () => {
          if (details.open) this.open.add(set.id);
          else this.open.delete(set.id);
        },
      },
      h("summary", {}, set.name),
      h("code", { class: "pnb-set" }, set.text),
      copyButton("copy as isl", () => set.isl, (button) => show(set.isl, button)),
    );
    this.links.add(details, [set.id]);
    return details;
  }
}

/** Where the clipboard is forbidden, the text is shown, selected. */
function show(text: string, button: HTMLElement): void {
  const area = h("textarea", { class: "pnb-isl", readonly: true, rows: 3, "aria-label": "isl text" }, text);
  button.replaceWith(area);
  area.select();
}
