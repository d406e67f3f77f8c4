// The loops: each line of a loop or of a statement picks it, by a click or with the arrow keys.
import { h } from "../dom";
import { reveal } from "../reveal";
import type { Game } from "./game";
import type { Line, Shown } from "./shown";

let views = 0;

export class CodeView {
  private readonly id = `pnp-code-${(views += 1)}`;
  readonly list = h("pre", {
    class: "pnp-code", role: "listbox", tabindex: 0, "aria-label": "Loops and statements: pick one",
    click: (event) => this.click(event.target as Element),
  });
  readonly element = h("section", { class: "pnp-program", "aria-label": "Code" }, this.list);
  private drawn: Shown["code"] | null = null;
  private lines: HTMLElement[] = [];

  constructor(private readonly game: Game) {}

  update(): void {
    const { shown, picked } = this.game;
    if (!shown) return;
    if (shown.code !== this.drawn) this.rebuild(shown);
    const own = shown.code.flatMap((line, k) => (line.handle === picked ? [k] : []));
    const [first, last] = [own[0] ?? -1, own[own.length - 1] ?? -1];
    this.lines.forEach((line, k) => {
      const isPicked = own.includes(k);
      line.classList.toggle("pnp-picked", isPicked);
      line.classList.toggle("pnp-inside", k > first && k < last);
      if (line.getAttribute("role") === "option") line.setAttribute("aria-selected", String(isPicked));
    });
    const active = this.lines[first];
    if (active) this.list.setAttribute("aria-activedescendant", active.id);
    else this.list.removeAttribute("aria-activedescendant");
    if (active) reveal(this.list, active);
  }

  /** Picks the handle so many further down, in the order of the text. */
  move(by: number): void {
    const { shown, picked } = this.game;
    const ids = [...new Set(shown?.code.map((line) => line.handle).filter(Boolean))];
    const next = ids[Math.min(Math.max(ids.indexOf(picked) + by, 0), ids.length - 1)];
    if (next) this.game.pick(next);
  }

  private click(target: Element): void {
    const id = target.closest<HTMLElement>("[data-handle]")?.dataset.handle;
    if (id) this.game.pick(id);
  }

  private rebuild(shown: Shown): void {
    this.drawn = shown.code;
    const labels = new Map(shown.handles.map(({ id, label }) => [id, label]));
    const known = new Set<string>();
    this.lines = shown.code.map((line, k) => {
      const isFirst = line.handle !== "" && !known.has(line.handle);
      known.add(line.handle);
      const text = line.segments.map(([t]) => t).join("");
      const name = `${labels.get(line.handle) ?? ""}${line.bad ? ", illegal" : ""}: ${text.trim()}`;
      return h("span", {
        class: `pnp-line${line.bad ? " pnp-bad" : ""}`, id: `${this.id}-${k}`,
        "data-handle": line.handle || undefined,
        role: isFirst ? "option" : "presentation", "aria-label": isFirst ? name : undefined,
        style: `--indent: ${text.search(/\S|$/)}ch`,
      }, ...segments(line, shown.marks), "\n");
    });
    this.list.replaceChildren(...this.lines);
  }
}

function segments(line: Line, marks: readonly string[]): (Node | string)[] {
  return line.segments.map(([text, ids]) => {
    const isMarked = ids?.split(" ").some((id) => marks.includes(id)) ?? false;
    return isMarked ? h("mark", {}, text ?? "") : text ?? "";
  });
}
