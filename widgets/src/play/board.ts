// The playground as a whole: buttons, code, moves, verdict; keys.
import { copyButton } from "../copying";
import { focusedIn, h, setText } from "../dom";
import { keepKeys } from "../keep_keys";
import type { AnyModel } from "../model";
import { CodeView } from "./code_view";
import { Game } from "./game";
import { KEYS, MovesView } from "./moves_view";
import { Port } from "./port";
import { VerdictView } from "./verdict_view";

const WIDE = 680; // px for two columns

export class Board {
  readonly port: Port;
  readonly game: Game;
  readonly root: HTMLElement;
  private readonly code: CodeView;
  private readonly moves: MovesView;
  private readonly views: readonly { update(): void }[];
  private readonly title = h("span", { class: "pnp-title" });
  private readonly status = h("span", { class: "pnp-status" });
  private readonly script = h("ol", { class: "pnp-script", "aria-label": "Moves made" });
  private readonly cell = h("textarea", { class: "pnp-cell", readonly: true, rows: 4, "aria-label": "The moves as a cell" });
  private readonly asCell = h("details", {}, h("summary", {}, "as a cell of %%transform"), this.cell);
  private readonly buttons: Record<"undo" | "redo" | "reset", HTMLButtonElement>;
  private readonly copy: HTMLButtonElement;
  private readonly sizes: ResizeObserver | null;

  constructor(model: AnyModel) {
    this.port = new Port(model, () => this.update());
    this.game = new Game(this.port, () => this.update());
    this.code = new CodeView(this.game);
    this.moves = new MovesView(this.game);
    const verdict = new VerdictView(this.game);
    this.views = [this.code, this.moves, verdict];
    const act = (name: "undo" | "redo" | "reset", key: string): HTMLButtonElement => {
      return h("button", {
        class: "pnp-button", type: "button", title: `${name} (${key})`, "aria-keyshortcuts": key,
        click: () => this.press(name),
      }, name);
    };
    this.buttons = { undo: act("undo", "z"), redo: act("redo", "y"), reset: act("reset", "0") };
    this.copy = copyButton("copy as %%transform", () => this.game.shown?.cell ?? "", () => this.offerText());
    this.copy.className = "pnp-button";
    this.copy.title = "Copy the moves as a cell (c)";
    this.root = h(
      "div", { class: "pnp-root", role: "group", "aria-label": "Playground of loop transformations" },
      h("div", { class: "pnp-bar", role: "toolbar", "aria-label": "Playground" },
        this.title, ...Object.values(this.buttons), this.copy, this.status),
      h("div", { class: "pnp-body" },
        h("div", { class: "pnp-left" }, this.code.element, this.moves.element),
        h("div", { class: "pnp-right" }, verdict.element, this.script, this.asCell, legend())),
    );
    keepKeys(this.root, (event) => this.key(event));
    for (const [event, by, here] of [
      ["pointerenter", "pointer", true], ["pointerleave", "pointer", false],
      ["focusin", "focus", true], ["focusout", "focus", false],
    ] as const) this.root.addEventListener(event, () => this.moves.watch(by, here));
    this.sizes = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(([entry]) => {
      this.root.classList.toggle("pnp-wide", (entry?.contentRect.width ?? 0) >= WIDE);
    });
    this.sizes?.observe(this.root);
    this.update();
  }

  close(): void {
    this.sizes?.disconnect();
    this.moves.close();
    this.port.close();
    this.root.remove();
  }

  private update(): void {
    // What is constructed first is told of changes by what is not there yet.
    if (!this.views) return;
    this.game.settle();
    const { shown } = this.game;
    if (!shown) return;
    this.root.setAttribute("aria-busy", String(this.port.isBusy));
    setText(this.title, shown.title);
    setText(this.status, this.port.isBusy ? "checking …" : "");
    for (const [name, can] of [["undo", shown.undo], ["redo", shown.redo], ["reset", shown.undo]] as const) {
      this.buttons[name].setAttribute("aria-disabled", String(!can));
    }
    if (this.cell.value !== shown.cell) {
      this.cell.value = shown.cell;
      this.script.replaceChildren(...shown.steps.map(({ line, legal, said }) => h(
        "li", { class: legal ? "" : "pnp-no", title: said }, legal ? "✓ " : "✗ ", h("code", {}, line),
      )));
      this.script.hidden = shown.steps.length === 0;
    }
    const focused = focusedIn(this.root);
    for (const view of this.views) view.update();
    const now = focusedIn(this.root); // a way to repair may be gone
    if (focused && (!now || now.closest("[hidden]"))) this.code.list.focus({ preventScroll: true });
  }

  private offerText(): void {
    this.asCell.open = true;
    this.cell.focus();
    this.cell.select();
  }

  private key(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    const isControl = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (target.matches("textarea, select, input")) return false;
    if (isControl && event.key.toLowerCase() === "z") return this.press(event.shiftKey ? "redo" : "undo");
    if (isControl && event.key === "y") return this.press("redo");
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        this.code.move(event.key === "ArrowDown" ? 1 : -1);
        return true;
      case "Home":
      case "End":
        this.code.move(event.key === "End" ? Infinity : -Infinity);
        return true;
      case "z":
        return this.press("undo");
      case "y":
        return this.press("redo");
      case "0":
        return this.press("reset");
      case "c":
        this.copy.click();
        return true;
      case "1":
      case "2": {
        const way = this.game.shown?.ways[Number(event.key) - 1];
        if (way) this.game.repair(way.line);
        return way !== undefined;
      }
    }
    const move = Object.keys(KEYS).find((name) => KEYS[name] === event.key);
    if (move) this.game.make(move);
    return move !== undefined;
  }

  private press(name: "undo" | "redo" | "reset"): boolean {
    this.port.whenIdle(() => {
      if (this.buttons[name].getAttribute("aria-disabled") !== "true") this.game.act(name);
    });
    return true;
  }
}

function legend(): HTMLElement {
  const keys: [string, string][] = [
    ["↑ ↓", "pick a loop or a statement"], ...Object.entries(KEYS).map(([move, key]): [string, string] => [key, move]),
    ["z", "undo"], ["y", "redo"], ["0", "reset"], ["1 2", "make the move that repairs"], ["c", "copy as a cell"],
  ];
  const shown = keys.map(([key, what]) => h("span", {}, h("kbd", {}, key), ` ${what}`));
  return h("details", { class: "pnp-keys" }, h("summary", {}, "keys"), h("p", {}, ...shown));
}
