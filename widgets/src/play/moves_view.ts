// The moves, each a button with what it takes: which form, and a number on a slider. They stay where
// they are; those that cannot be made here say why.
import { h, setText } from "../dom";
import type { Game } from "./game";
import type { Offer } from "./shown";

/** The key of each move. */
export const KEYS: Readonly<Record<string, string>> = {
  interchange: "i", reverse: "r", skew: "k", tile: "t", "strip-mine": "m", parallel: "p", vectorize: "v",
  unroll: "u", "unroll-and-jam": "j", peel: "l", fuse: "f", distribute: "d", shift: "s", privatize: "a", expand: "x",
};

interface Row {
  element: HTMLElement;
  button: HTMLButtonElement;
  forms: HTMLSelectElement;
  only: HTMLElement;
  slider: HTMLInputElement;
  value: HTMLElement;
  labels: string;
}

export class MovesView {
  private readonly title = h("h4", { class: "pnp-heading" });
  private readonly rows = new Map<string, Row>();
  private readonly grid = h("div", { class: "pnp-moves" });
  readonly element = h("section", { "aria-label": "Moves" }, this.title, this.grid);

  constructor(private readonly game: Game) {}

  update(): void {
    const { shown, picked } = this.game;
    if (!shown) return;
    const label = shown.handles.find((handle) => handle.id === picked)?.label ?? "nothing";
    setText(this.title, `Moves of ${label}`);
    for (const offer of shown.offers) this.show(offer, this.rows.get(offer.move) ?? this.row(offer));
  }

  private show(offer: Offer, row: Row): void {
    const { game } = this;
    const line = game.isReady ? game.line(offer) : null;
    const isLast = game.isLast(offer.move);
    row.button.setAttribute("aria-disabled", String(line === null));
    row.button.title = line ?? (offer.why || offer.about);
    row.element.classList.toggle("pnp-off", offer.forms.length === 0 && !isLast);
    const labels = offer.forms.map((f) => f.label);
    if (labels.join("\n") !== row.labels) {
      row.labels = labels.join("\n");
      row.forms.replaceChildren(...labels.map((text) => h("option", {}, text)));
    }
    row.forms.hidden = labels.length < 2;
    const form = game.form(offer);
    if (form) row.forms.value = form.label;
    row.only.hidden = labels.length !== 1;
    setText(row.only, labels.length === 1 ? labels[0]! : "");
    row.slider.disabled = offer.forms.length === 0 && !isLast;
    const at = offer.numbers.indexOf(game.number(offer));
    if (at >= 0 && !row.slider.matches(":active")) row.slider.value = String(at);
    const number = String(game.number(offer));
    row.slider.setAttribute("aria-valuetext", number);
    setText(row.value, number);
  }

  private row(offer: Offer): Row {
    const { move, numbers } = offer;
    const key = KEYS[move];
    const button = h("button", {
      class: "pnp-button pnp-move", type: "button", "aria-keyshortcuts": key,
      click: () => { if (button.getAttribute("aria-disabled") !== "true") this.game.make(move); },
    }, move, key && h("kbd", { "aria-hidden": "true" }, key));
    const forms = h("select", {
      "aria-label": `${move}: which`, change: () => this.game.chooseForm(move, forms.value),
    });
    const slider = h("input", {
      type: "range", min: 0, max: Math.max(numbers.length - 1, 0), step: 1, "aria-label": `${move}: number`,
      input: () => this.game.choose(move, numbers[Number(slider.value)] ?? offer.number),
    });
    const value = h("output", {});
    const only = h("span", { class: "pnp-only" });
    const element = h(
      "div", { class: "pnp-row", role: "group", "aria-label": `${move}: ${offer.about}` },
      button, forms, only, numbers.length > 0 && h("span", { class: "pnp-number" }, slider, value),
    );
    const row = { element, button, forms, only, slider, value, labels: "" };
    this.rows.set(move, row);
    this.grid.append(element);
    return row;
  }
}
