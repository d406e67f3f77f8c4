// What is said of a step, in a box that is as high as the longest of the trace needs, up to a limit:
// then it scrolls. Whatever is said, nothing below it moves.
import { h } from "./dom";
import type { Player } from "./player";
import { outcomes } from "./overview";
import { longest } from "./room";
import { sentenceParts } from "./sentence";
import type { Trace } from "./trace";

const MEASURED = 5;

export class Telling {
  private readonly said: HTMLElement;
  /** Unseen and unheard: it is there to be as high as what it holds. */
  private readonly room = h("div", { class: "pnb-room", "aria-hidden": "true" });
  readonly element: HTMLElement;
  private shown: Trace | null = null;
  private key = "";

  constructor(private readonly player: Player, ...parts: HTMLElement[]) {
    this.said = h("div", { class: "pnb-said", tabindex: 0, role: "group", "aria-label": "What the step says" }, ...parts);
    this.element = h("div", { class: "pnb-telling" }, this.said, this.room);
  }

  update(): void {
    const { player } = this;
    const { trace, step, asking } = player;
    if (trace && trace !== this.shown) this.rebuild(trace);
    this.element.classList.toggle("pnb-asks-room", player.model.get("predict") && player.hasQuestions);
    const key = `${step} ${asking}`;
    if (key === this.key) return;
    this.key = key;
    // Not at once, for that would lay out the picture once more.
    requestAnimationFrame(() => (this.said.scrollTop = 0));
  }

  private rebuild(trace: Trace): void {
    this.shown = trace;
    const long = longest(trace.steps, MEASURED).map((s) => h("div", {}, ...sentenceParts(s)));
    // Reasons are as long as they are: the table itself says how many lines they take.
    const said = [h("p", { class: "pnb-detail" }, trace.steps[0]?.detail ?? "")];
    if (trace.arrays.length) said.push(h("div", { class: "pnb-overview" }, outcomes(trace, () => {})));
    const first = h("div", {}, h("p", { class: "pnb-large" }, trace.verdict), ...said);
    this.room.replaceChildren(first, ...long);
  }
}
