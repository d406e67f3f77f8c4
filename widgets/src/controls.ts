// First, back, play, forward, last, a slider, and the two modes.
import { h, setText } from "./dom";
import { press, toggle } from "./legend";
import type { Player } from "./player";

export class Controls {
  private readonly back: HTMLButtonElement[];
  private readonly play: HTMLButtonElement;
  private readonly ahead: HTMLButtonElement[];
  private readonly predict: HTMLButtonElement;
  private readonly number = h("output", { class: "pnb-number-of" });
  private readonly score = h("span", { class: "pnb-score" });
  private readonly slider: HTMLInputElement;
  readonly element: HTMLElement;

  constructor(private readonly player: Player) {
    this.back = [
      button("⏮\uFE0E", "First step (Home)", () => player.jump(0)),
      button("◀\uFE0E", "One step back (←)", () => player.back()),
    ];
    this.play = button("▶\uFE0E", "Play (space)", () => player.togglePlay());
    this.ahead = [
      button("▶\uFE0E", "One step forward (→)", () => player.forward()),
      button("⏭\uFE0E", "Last step (End)", () => player.jump(player.last)),
    ];
    this.slider = h("input", {
      class: "pnb-slider", type: "range", min: 0, step: 1, "aria-label": "Step", "data-step-slider": true,
      input: () => player.jump(Number(this.slider.value)),
    });
    this.predict = toggle("predict", "Say what comes next before it is shown (key: p)", () => player.togglePredict());
    this.element = h(
      "div", { class: "pnb-controls", role: "toolbar", "aria-label": "Stepping" },
      ...this.back, this.play, ...this.ahead, this.slider, this.number, this.predict, this.score,
    );
  }

  update(): void {
    const { player } = this;
    const { step, last, shown, playing } = player;
    for (const b of this.back) b.setAttribute("aria-disabled", String(step === 0 && player.asking === null));
    for (const b of this.ahead) b.setAttribute("aria-disabled", String(step === last));
    setText(this.play, playing ? "⏸\uFE0E" : "⏵\uFE0E");
    named(this.play, playing ? "Pause (space)" : "Play (space)");
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${last}: ${shown?.sentence ?? ""}`);
    setText(this.number, `${step} of ${last}`);
    const { right, of } = player.score;
    press(this.predict, player.model.get("predict"));
    this.predict.hidden = !player.trace?.steps.some((s) => s.question);
    setText(this.score, of > 0 ? `score ${right} of ${of}` : "");
  }
}

function button(sign: string, name: string, act: () => void): HTMLButtonElement {
  const element = h("button", { class: "pnb-button pnb-sign", type: "button", click: act }, sign);
  named(element, name);
  return element;
}

function named(element: HTMLElement, name: string): void {
  element.title = name;
  element.setAttribute("aria-label", name);
}
