// First, back, play, forward, last, a slider, and the two modes.
import { h, setText, svg } from "./dom";
import { press, toggle } from "./legend";
import type { Player } from "./player";

// Drawn, for fonts lack these signs or show them as coloured pictures.
const SIGNS = {
  first: "M2 2h2v10H2ZM12 2v10L5 7Z",
  back: "M9.5 2L4 7l5.5 5 1.4-1.5L7 7l3.9-3.5Z",
  play: "M3 1.5v11L12.5 7Z",
  pause: "M3 2h3v10H3ZM8 2h3v10H8Z",
  forward: "M4.5 2L10 7l-5.5 5-1.4-1.5L7 7 3.1 3.5Z",
  last: "M10 2h2v10h-2ZM2 2v10l7-5Z",
};

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
      button(SIGNS.first, "First step (Home)", () => player.jump(0)),
      button(SIGNS.back, "One step back (←)", () => player.back()),
    ];
    this.play = button(SIGNS.play, "Play (space)", () => player.togglePlay());
    this.ahead = [
      button(SIGNS.forward, "", () => player.forward()),
      button(SIGNS.last, "Last step (End)", () => player.jump(player.last)),
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
    const { step, last, trace, playing } = player;
    this.element.hidden = last === 0;
    for (const b of this.back) b.setAttribute("aria-disabled", String(step === 0 && player.asking === null));
    const [ahead, end] = this.ahead;
    ahead!.setAttribute("aria-disabled", String(step === last || player.asking !== null));
    end!.setAttribute("aria-disabled", String(step === last));
    named(ahead!, player.asking === null ? "One step forward (→)" : "To go forward, answer or skip");
    this.play.querySelector("path")!.setAttribute("d", playing ? SIGNS.pause : SIGNS.play);
    named(this.play, playing ? "Pause (space)" : "Play (space)");
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${last}: ${trace?.steps[step]?.sentence ?? ""}`);
    setText(this.number, player.asking === null ? `${step} of ${last}` : `${player.asking}? of ${last}`);
    press(this.predict, player.model.get("predict"));
    const { right, of } = player.score;
    this.number.style.minWidth = `${`${last}? of ${last}`.length + 1}ch`;
    const asks = player.hasQuestions;
    this.predict.hidden = !asks;
    this.score.hidden = !asks || (of === 0 && !player.model.get("predict"));
    setText(this.score, of > 0 ? `score ${right} of ${of}` : "");
  }
}

function button(sign: string, name: string, act: () => void): HTMLButtonElement {
  const element = h("button", { class: "pnb-button pnb-sign", type: "button", click: act },
    svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("path", { d: sign })));
  named(element, name);
  return element;
}

function named(element: HTMLElement, name: string): void {
  element.title = name;
  element.setAttribute("aria-label", name);
}
