// The moves in groups, each a button that is marked as legal or not while it is looked at; and what
// one of them takes, the one that is pointed at: which form, and a number on a slider. Buttons stay
// where they are; those that cannot be made here say why.
import { h, setText } from "../dom";
import type { Game } from "./game";
import type { Offer } from "./shown";

/** The key of each move, a letter of its name. */
export const KEYS: Readonly<Record<string, string>> = {
  interchange: "i", reverse: "r", skew: "k", tile: "t", "strip-mine": "m", parallel: "p", vectorize: "v",
  unroll: "u", "unroll-and-jam": "j", peel: "l", fuse: "f", distribute: "d", shift: "s", privatize: "a", expand: "x",
};
const DWELL = 200; // ms on a button before it is meant: others lie on the way to the slider
const QUIET = 150; // ms without another question before verdicts are asked for
const SIGNS: Readonly<Record<string, string>> = { "✓": "legal", "✗": "illegal", "?": "not known" };

interface Row {
  button: HTMLButtonElement;
  sign: HTMLElement;
  options: HTMLElement;
  forms: HTMLSelectElement;
  slider: HTMLInputElement;
  value: HTMLElement;
  labels: string;
}

export class MovesView {
  private readonly title = h("h4", { class: "pnp-heading" });
  private readonly rows = new Map<string, Row>();
  private readonly groups = new Map<string, HTMLElement>();
  private readonly grid = h("div", { class: "pnp-moves" });
  private readonly line = h("code", {});
  private readonly preview = h("p", { class: "pnp-preview" });
  private readonly panel = h("div", { class: "pnp-panel" }, h("p", {}, this.line), this.preview);
  readonly element = h("section", { "aria-label": "Moves" }, this.title, this.grid, this.panel);
  private readonly eyes = new Set<string>();
  private dwell: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly game: Game) {}

  update(): void {
    const { shown, picked } = this.game;
    if (!shown) return;
    const label = shown.handles.find((handle) => handle.id === picked)?.label ?? "nothing";
    const instead = shown.legal ? "" : ", in place of the illegal one";
    setText(this.title, `Moves of ${label}${instead}`);
    for (const offer of shown.offers) this.show(offer, this.rows.get(offer.move) ?? this.row(offer));
    this.showPanel();
    this.ponder();
  }

  close(): void {
    clearTimeout(this.dwell);
    clearTimeout(this.quiet);
  }

  /** Somebody looks, with a pointer or with the focus, or does so no more. */
  watch(by: "pointer" | "focus", here: boolean): void {
    if (here) this.eyes.add(by);
    else this.eyes.delete(by);
    this.ponder();
  }

  /** Asks for a verdict that is not known yet, where somebody looks and nothing else is asked. */
  private ponder(): void {
    clearTimeout(this.quiet);
    if (this.eyes.size > 0 && this.game.port.isHeard) this.quiet = setTimeout(() => {
      const { game } = this;
      const lines = [game.attended, ...(game.shown?.offers ?? [])].map((offer) => offer && game.line(offer));
      const open = lines.find((line) => line && !game.verdict(line));
      if (open && game.isReady && game.port.isIdle) game.port.ask("look", open);
    }, QUIET);
  }

  private show(offer: Offer, row: Row): void {
    const { game } = this;
    const line = game.isReady ? game.line(offer) : null;
    const isLast = game.isLast(offer.move);
    const found = line ? game.verdict(line) : undefined;
    row.button.setAttribute("aria-disabled", String(line === null));
    row.button.title = line ?? (offer.why || offer.about);
    row.button.classList.toggle("pnp-off", offer.forms.length === 0 && !isLast);
    row.button.classList.toggle("pnp-no", found?.sign === "✗");
    setText(row.sign, found?.sign ?? "");
    row.sign.title = SIGNS[found?.sign ?? ""] ?? "";
    const labels = offer.forms.map((f) => f.label);
    if (labels.join("\n") !== row.labels) {
      row.labels = labels.join("\n");
      row.forms.replaceChildren(...labels.map((text) => h("option", {}, text)));
    }
    row.forms.hidden = labels.length < 2;
    const form = game.form(offer);
    if (form) row.forms.value = form.label;
    row.slider.disabled = offer.forms.length === 0 && !isLast;
    const at = offer.numbers.indexOf(game.number(offer));
    if (at >= 0 && !row.slider.matches(":active")) row.slider.value = String(at);
    const number = String(game.number(offer));
    row.slider.setAttribute("aria-valuetext", number);
    setText(row.value, number);
  }

  /** What the move that is pointed at takes, and its verdict. */
  private showPanel(): void {
    const { game } = this;
    const offer = game.attended;
    for (const [move, row] of this.rows) {
      row.options.hidden = move !== offer?.move;
      row.button.classList.toggle("pnp-attended", move === offer?.move);
    }
    const line = offer ? game.line(offer) : null;
    const found = line ? game.verdict(line) : undefined;
    setText(this.line, line ?? offer?.move ?? "");
    setText(this.preview, line ? (found ? `${found.sign} ${found.said}` : offer?.about ?? "") : offer?.why ?? "");
    this.preview.classList.toggle("pnp-no", found?.sign === "✗");
  }

  private attend(move: string): void {
    clearTimeout(this.dwell);
    this.game.attend(move);
  }

  private row(offer: Offer): Row {
    const { move, numbers } = offer;
    const key = KEYS[move] ?? "";
    const at = move.indexOf(key);
    const sign = h("span", { class: "pnp-mark" });
    const button = h("button", {
      class: "pnp-button pnp-move", type: "button", "aria-keyshortcuts": key || undefined,
      click: () => {
        this.attend(move);
        this.game.make(move); // also while Python is asked: it is looked at when its turn comes
      },
      focus: () => this.attend(move),
      pointerenter: () => {
        clearTimeout(this.dwell);
        this.dwell = setTimeout(() => this.attend(move), DWELL);
      },
      pointerleave: () => clearTimeout(this.dwell),
    }, h("span", {}, move.slice(0, at), key && h("u", {}, key), move.slice(at + key.length)), sign);
    const forms = h("select", {
      "aria-label": `${move}: which`, change: () => this.game.chooseForm(move, forms.value),
    });
    const slider = h("input", {
      type: "range", min: 0, max: Math.max(numbers.length - 1, 0), step: 1, "aria-label": `${move}: number`,
      input: () => this.game.choose(move, numbers[Number(slider.value)] ?? offer.number),
    });
    const value = h("output", {});
    const options = h(
      "div", { class: "pnp-options", role: "group", "aria-label": `${move}: ${offer.about}` },
      forms, numbers.length > 0 && h("span", { class: "pnp-number" }, slider, value),
    );
    const row = { button, sign, options, forms, slider, value, labels: "" };
    this.rows.set(move, row);
    this.group(offer.group).append(button);
    this.preview.before(options);
    return row;
  }

  private group(name: string): HTMLElement {
    const known = this.groups.get(name);
    if (known) return known;
    const made = h("div", { class: "pnp-group", role: "group", "aria-label": name });
    this.groups.set(name, made);
    this.grid.append(h("span", { class: "pnp-group-name", "aria-hidden": "true" }, name), made);
    return made;
  }
}
