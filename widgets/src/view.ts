// The widget: controls and what is said at a fixed place, under it the texts and the picture in
// boxes that are as high in all steps, and what can be unfolded at the end.
import { Controls } from "./controls";
import { focusedIn, h, setText } from "./dom";
import { listenForKeys } from "./keys";
import { Legend } from "./legend";
import { Links } from "./links";
import { memoriesOf } from "./memory_layout";
import { MemoryLegend } from "./memory_legend";
import { MemoryView } from "./memory_view";
import type { Player } from "./player";
import { Overview } from "./overview";
import { ProgramView } from "./program_view";
import { QuestionView } from "./question_view";
import { revealMost } from "./reveal";
import { isStill, roomFor } from "./room";
import { Sentence } from "./sentence";
import { SetsView } from "./sets_view";
import { Sliders } from "./sliders";
import { SpaceView } from "./space_view";
import { TableView } from "./table_view";
import { TablesView } from "./tables_view";
import { Telling } from "./telling";
import { Timeline } from "./timeline";
import { Tip } from "./tip";
import type { Trace } from "./trace";

/** From where on there are two columns. Memory, whose lines are times, is read in full width for longer. */
const [WIDE, WIDE_MEMORY] = [680, 900];
const GAP = 16; // between the columns, as in stepper.css
const SCROLLBAR = 18;
const PHONE = "(max-width: 500px)"; // as in stepper.css
const PICTURE = 260;

export class View {
  readonly root = h("div", { class: "pnb-root", role: "group", tabindex: -1 });
  private readonly problem = h("p", { class: "pnb-problem", role: "alert" });
  private readonly title = h("span", { class: "pnb-title" });
  private readonly section = h("span", { class: "pnb-section" });
  private readonly links = new Links(this.root);
  private readonly tip = new Tip(this.root);
  private readonly head: HTMLElement;
  private readonly below: HTMLElement;
  private readonly body = h("div", { class: "pnb-body" });
  private readonly sight: HTMLElement;
  private readonly program: ProgramView;
  private readonly space: SpaceView;
  private readonly memory: MemoryView;
  private readonly sliders: Sliders;
  private readonly controls: Controls;
  private readonly others: { update(): void }[];
  private readonly observer: ResizeObserver | null;
  private wide: boolean | null = null;
  private width = 0;
  /** How high the box of the picture is, once it is on screen. */
  private box = Infinity;
  private roomy: Trace | null = null;
  private at = "";

  constructor(private readonly player: Player) {
    const [sentence, question, overview] = [new Sentence(player), new QuestionView(player), new Overview(player)];
    const [sets, timeline, table] = [new SetsView(player, this.links), new Timeline(player), new TableView(player)];
    const tables = new TablesView(player);
    const [legend, textures] = [new Legend(player, this.links), new MemoryLegend(player)];
    const telling = new Telling(player, question.element, sentence.element, overview.element);
    this.program = new ProgramView(player, this.links);
    this.space = new SpaceView(player, this.links);
    this.memory = new MemoryView(player, this.links);
    this.sliders = new Sliders(player);
    this.controls = new Controls(player);
    this.head = h(
      "div", { class: "pnb-fixed" },
      h("div", { class: "pnb-top" }, this.title, this.section), this.controls.element, telling.element,
    );
    this.sight = h(
      "div", { class: "pnb-sight" }, legend.element, textures.element, this.space.element, this.memory.element,
    );
    const folded = h("div", { class: "pnb-folded" }, tables.element, sets.element, table.element);
    this.below = h("div", { class: "pnb-below" }, this.sliders.element, timeline.element, folded);
    this.root.append(this.problem, this.head, this.body, this.below, this.tip.element);
    this.others = [
      sentence, question, overview, telling, tables, this.controls, this.program, legend, textures, sets, timeline, table,
      this.sliders,
    ];
    listenForKeys(this.root, player, this.links);
    player.onChange(() => this.update());
    this.observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        if (target === this.root) this.arrange(contentRect.width);
        else if (target === this.space.element) this.fit(this.space.element.offsetHeight);
        else this.root.style.setProperty("--pnb-top", `${contentRect.height}px`);
      }
    });
  }

  attach(el: HTMLElement): void {
    el.append(this.root);
    // Hosts may attach `el` itself later: then the observer tells.
    this.arrange(this.root.clientWidth || WIDE_MEMORY);
    for (const part of [this.root, this.head, this.space.element]) this.observer?.observe(part);
  }

  close(): void {
    this.observer?.disconnect();
    this.sliders.close();
    this.root.remove();
  }

  private update(): void {
    const { trace, problem, shown } = this.player;
    this.root.classList.toggle("pnb-broken", problem !== null);
    setText(this.problem, problem ?? "");
    this.root.setAttribute("aria-label", trace ? `Stepper: ${trace.title}` : "Stepper");
    if (!trace) return;
    if (trace !== this.roomy) this.makeRoom(trace);
    const focused = focusedIn(this.root);
    setText(this.title, trace.title);
    setText(this.section, this.player.asking === null ? shown?.section ?? "" : "");
    for (const part of this.others) part.update();
    this.sight.hidden = trace.scenes.length === 0 && memoriesOf(trace).length === 0;
    this.space.update(this.spaceWidth(), this.box);
    this.memory.update(this.spaceWidth());
    this.bringIntoSight();
    this.links.refresh();
    // What had the focus may be gone with the step; keys must go on reaching the stepper.
    const now = focusedIn(this.root);
    if (focused && (!now || now.closest("[hidden]"))) this.root.focus({ preventScroll: true });
  }

  /** A new step's part of the picture, where the picture is larger than its box. */
  private bringIntoSight(): void {
    const at = `${this.player.trace?.id} ${this.player.step} ${this.width}`;
    if (at === this.at) return;
    this.at = at;
    const box = this.player.memory ? this.memory.element : this.space.element;
    // A picture of memory is about all of it, but for a conflict.
    const drawn = box.querySelector(this.player.memory ? ".pnb-ring" : ".pnb-drawn");
    if (drawn) revealMost(box, drawn);
  }

  private spaceWidth(): number {
    return (this.wide ? (this.width - GAP) / 2 : this.width) - SCROLLBAR;
  }

  /** Heights for all steps of the trace, at this width. */
  private makeRoom(trace: Trace): void {
    this.roomy = trace;
    this.placeSliders(isStill(trace));
    const room = roomFor(trace, this.spaceWidth());
    const { lines, ...heights } = { ...room, either: Math.max(room.sight, room.program) };
    for (const [name, height] of Object.entries(heights)) {
      this.root.style.setProperty(`--pnb-${name}`, `${Math.ceil(height)}px`);
    }
    this.root.style.setProperty("--pnb-lines", String(lines));
  }

  /** Of a still, the picture is what a slider changes: it stays in sight above it. */
  private placeSliders(still: boolean): void {
    const { head, below, sliders: { element } } = this;
    if (element.parentElement === (still ? head : below)) return; // moved, it would lose the focus
    if (still) head.append(element);
    else below.prepend(element);
  }

  /** The window, or what is said, leaves more or less for the picture. On a phone its box becomes as
   * high as it: there the picture is to be no higher than that, where it can be. */
  private fit(shown: number): void {
    const height = shown && matchMedia(PHONE).matches ? PICTURE : shown;
    if (height === 0 || height === this.box) return;
    this.box = height;
    this.update();
  }

  /** Reading order, for eyes, Tab and screen readers alike. Widths are rounded, for a scene is laid
   * out anew with each. */
  private arrange(width: number): void {
    const rounded = Math.max(240, Math.floor(width / 8) * 8);
    const { trace } = this.player;
    const wide = width >= (trace && memoriesOf(trace).length ? WIDE_MEMORY : WIDE);
    if (width === 0 || (rounded === this.width && wide === this.wide)) return;
    this.width = rounded;
    this.roomy = null;
    if (wide !== this.wide) {
      this.wide = wide;
      const focused = focusedIn(this.root);
      this.root.classList.toggle("pnb-wide", wide);
      const { sight, program: { element: program } } = this;
      this.body.replaceChildren(...(wide ? [program, sight] : [sight, program]));
      focused?.focus({ preventScroll: true });
    }
    this.update();
  }
}
