// The widget: its panels, in an order that depends on its width, brought up to date together.
import { Controls } from "./controls";
import { focusedIn, h, setText } from "./dom";
import { listenForKeys } from "./keys";
import { Legend } from "./legend";
import { Links } from "./links";
import type { Player } from "./player";
import { Overview } from "./overview";
import { ProgramView } from "./program_view";
import { QuestionView } from "./question_view";
import { Sentence } from "./sentence";
import { SetsView } from "./sets_view";
import { Sliders } from "./sliders";
import { SpaceView } from "./space_view";
import { TableView } from "./table_view";
import { TablesView } from "./tables_view";
import { Timeline } from "./timeline";

const WIDE = 900;
const GAP = 16; // between the columns, as in stepper.css

export class View {
  readonly root = h("div", { class: "pnb-root", role: "group", tabindex: -1 });
  private readonly problem = h("p", { class: "pnb-problem", role: "alert" });
  private readonly title = h("div", { class: "pnb-title" });
  private readonly links = new Links(this.root);
  private readonly say = h("div", { class: "pnb-telling" });
  private readonly sight = h("div", { class: "pnb-sight" });
  private readonly program: ProgramView;
  private readonly space: SpaceView;
  private readonly sliders: Sliders;
  private readonly controls: Controls;
  private readonly below: HTMLElement;
  private readonly others: { update(): void }[];
  private readonly observer: ResizeObserver | null;
  private wide: boolean | null = null;
  private width = 0;

  constructor(private readonly player: Player) {
    const [sentence, question, overview] = [new Sentence(player), new QuestionView(player), new Overview(player)];
    const [sets, timeline, table] = [new SetsView(player, this.links), new Timeline(player), new TableView(player)];
    const tables = new TablesView(player);
    const legend = new Legend(player, this.links);
    this.program = new ProgramView(player, this.links);
    this.space = new SpaceView(player, this.links);
    this.sliders = new Sliders(player);
    this.controls = new Controls(player);
    this.say.append(question.element, sentence.element, tables.element, overview.element);
    this.sight.append(legend.element, this.space.element);
    this.below = h("div", { class: "pnb-below" }, this.sliders.element, timeline.element, sets.element, table.element);
    this.others = [sentence, question, tables, overview, this.controls, this.program, legend, sets, timeline, table, this.sliders];
    listenForKeys(this.root, player, this.links);
    player.onChange(() => this.update());
    this.observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(([entry]) => {
      if (entry) this.arrange(entry.contentRect.width);
    });
  }

  attach(el: HTMLElement): void {
    el.append(this.root);
    // Hosts may attach `el` itself later: then the observer tells.
    this.arrange(this.root.clientWidth || WIDE);
    this.observer?.observe(this.root);
  }

  close(): void {
    this.observer?.disconnect();
    this.sliders.close();
    this.root.remove();
  }

  private update(): void {
    const { trace, problem } = this.player;
    this.root.classList.toggle("pnb-broken", problem !== null);
    setText(this.problem, problem ?? "");
    this.root.setAttribute("aria-label", trace ? `Stepper: ${trace.title}` : "Stepper");
    if (!trace) return;
    const focused = focusedIn(this.root);
    setText(this.title, trace.title);
    for (const part of this.others) part.update();
    this.space.update(this.spaceWidth());
    this.links.refresh();
    // What had the focus may be gone with the step; keys must go on reaching the stepper.
    const now = focusedIn(this.root);
    if (focused && (!now || now.closest("[hidden]"))) this.root.focus({ preventScroll: true });
  }

  private spaceWidth(): number {
    return this.wide ? (this.width - GAP) / 2 : this.width;
  }

  /** Reading order, for eyes, Tab and screen readers alike. Widths are rounded, for a scene is laid
   * out anew with each. */
  private arrange(width: number): void {
    const rounded = Math.max(240, Math.floor(width / 8) * 8);
    if (width === 0 || (rounded === this.width && width >= WIDE === this.wide)) return;
    this.width = rounded;
    const wide = width >= WIDE;
    if (wide !== this.wide) {
      this.wide = wide;
      const focused = focusedIn(this.root);
      this.root.classList.toggle("pnb-wide", wide);
      const { say, controls: { element: controls }, sight, program: { element: program } } = this;
      this.root.replaceChildren(
        this.title, this.problem,
        ...(wide ? [program, sight, say, controls] : [say, controls, sight, program]),
        this.below,
      );
      focused?.focus({ preventScroll: true });
    }
    this.update();
  }
}
