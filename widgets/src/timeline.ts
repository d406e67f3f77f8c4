// Every step as a tick, under the name of its phase; and a search through their sentences.
import { focusedIn, h } from "./dom";
import type { Player } from "./player";
import { Rover } from "./rover";
import { found } from "./search";
import { plain } from "./terms";
import type { Trace } from "./trace";

const LISTED = 8;

export class Timeline {
  private readonly phases = h("div", { class: "pnb-phases" });
  private readonly box: HTMLInputElement;
  private readonly results = h("ul", { class: "pnb-results" });
  readonly element: HTMLElement;
  private readonly rover: Rover;
  private ticks: HTMLButtonElement[] = [];
  private current: HTMLButtonElement | null = null;
  private shown: Trace | null = null;
  private told = "";

  constructor(private readonly player: Player) {
    this.box = h("input", {
      type: "search", class: "pnb-search", placeholder: "search the steps", "aria-label": "Search the steps",
      input: () => this.search(),
      keydown: (event) => this.enter(event as KeyboardEvent),
    });
    this.element = h(
      "nav", { class: "pnb-timeline", "aria-label": "Timeline" }, this.phases, this.box, this.results,
    );
    this.rover = new Rover(this.phases, () => this.ticks);
  }

  update(): void {
    const { trace, step, last } = this.player;
    this.element.hidden = last === 0;
    if (trace !== this.shown) this.rebuild(trace);
    this.tell();
    const current = this.ticks[step];
    if (!current || current === this.current) return;
    this.current?.removeAttribute("aria-current");
    this.current = current;
    current.setAttribute("aria-current", "step");
    if (!focusedIn(this.phases)) this.rover.enter(current);
  }

  private rebuild(trace: Trace | null): void {
    this.shown = trace;
    this.told = "";
    this.ticks = (trace?.steps ?? []).map((s, k) => h("button", {
      class: `pnb-tick${s.question ? " pnb-asks" : ""}`, type: "button", tabindex: -1, "data-item": true,
      click: () => this.player.jump(k),
    }));
    this.phases.replaceChildren(...(trace?.phases ?? []).map((phase, k) => {
      const end = trace?.phases[k + 1]?.first ?? this.ticks.length;
      return h(
        "div", { class: "pnb-phase", role: "group", "aria-label": phase.name },
        h("span", { class: "pnb-phase-name" }, phase.name, phase.outcome && h("em", {}, phase.outcome)),
        h("span", { class: "pnb-ticks" }, ...this.ticks.slice(phase.first, end)),
      );
    }));
    this.search();
  }

  /** Nothing of what is still to come to those who predict it; its place is kept. */
  private tell(): void {
    const { trace, player } = { trace: this.shown, player: this.player };
    const known = (trace?.steps ?? []).filter((_, k) => player.isKnown(k)).length;
    const key = `${trace?.id} ${known}`;
    if (!trace || key === this.told) return;
    this.told = key;
    this.ticks.forEach((tick, k) => {
      const name = k < known ? `${k}: ${plain(trace.steps[k]!.sentence)}` : String(k);
      tick.title = name;
      tick.setAttribute("aria-label", name);
    });
    trace.phases.forEach(({ first, name }, k) => {
      const group = this.phases.children[k]!;
      group.setAttribute("aria-label", first < known ? name : "still to come");
      group.querySelector(".pnb-phase-name")!.classList.toggle("pnb-untold", first >= known);
      const end = trace.phases[k + 1]?.first ?? trace.steps.length;
      group.querySelector("em")?.classList.toggle("pnb-untold", end > known);
    });
    this.search();
  }

  private hits(): number[] | null {
    return found((this.shown?.steps ?? []).filter((_, k) => this.player.isKnown(k)), this.box.value);
  }

  private search(): void {
    const hits = this.hits();
    this.ticks.forEach((tick, k) => tick.classList.toggle("pnb-miss", hits !== null && !hits.includes(k)));
    const entries = (hits ?? []).slice(0, LISTED).map((k) =>
      h("li", {}, h("button", { class: "pnb-link", type: "button", click: () => this.player.jump(k) },
        `${k}: ${plain(this.shown?.steps[k]?.sentence ?? "")}`)));
    const left = (hits?.length ?? 0) - entries.length;
    if (hits?.length === 0) entries.push(h("li", {}, "No step says this."));
    if (left > 0) entries.push(h("li", {}, `and ${left} more`));
    this.results.replaceChildren(...entries);
  }

  /** Enter goes to the next step that was found, after the last to the first. */
  private enter(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    const hits = this.hits() ?? [];
    const next = hits.find((k) => k > this.player.step) ?? hits[0];
    if (next !== undefined) this.player.jump(next);
  }
}
