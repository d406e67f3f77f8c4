// One place for the texts of the program: as it was, as it is by now, as it becomes, and its C. It
// shows what the step is about, until the reader wants another; what changes between two has a
// sign and a shade.
import { copyButton } from "./copying";
import { focusedIn, h, setText } from "./dom";
import { foldedLines } from "./folding";
import type { LinkGroup, Links } from "./links";
import type { Player } from "./player";
import { Rover } from "./rover";
import type { Program, Segment, Step, Trace } from "./trace";

const TABS = ["before", "by now", "after", "C"] as const;
type Tab = (typeof TABS)[number];
const GAP = 28;
let views = 0;

export class ProgramView {
  private readonly text = h("pre", {});
  private readonly box: HTMLElement;
  private readonly tabs: Map<Tab, HTMLButtonElement>;
  private readonly list: HTMLElement;
  private readonly copy: HTMLButtonElement;
  readonly element: HTMLElement;
  private readonly links: LinkGroup;
  private readonly rover: Rover;
  private items: HTMLElement[] = [];
  private lines: HTMLElement[] = [];
  private shown: Program | null = null;
  /** What the reader wants to see instead of what the step is about, until the next step. */
  private chosen: { tab: Tab; step: number; trace: Trace } | null = null;
  /** The step at which the reader wants all lines, until the next one. */
  private unfolded: { step: number; trace: Trace } | null = null;
  private gaps: HTMLElement[] = [];

  constructor(private readonly player: Player, links: Links) {
    this.links = links.group();
    const id = `pnb-text-${(views += 1)}`;
    this.box = h("div", { class: "pnb-text", role: "tabpanel", id }, this.text);
    this.tabs = new Map(TABS.map((tab) => [tab, h("button", {
      class: "pnb-tab", type: "button", role: "tab", "aria-controls": id, "data-item": true, tabindex: -1,
      click: () => this.choose(tab),
    }, tab)]));
    this.list = h(
      "div", { class: "pnb-tabs", role: "tablist", "aria-label": "Program", "aria-orientation": "vertical" },
      ...this.tabs.values(),
    );
    this.copy = copyButton("copy", () => plain(this.shown), () => this.select());
    this.copy.title = "Copy this text";
    this.element = h(
      "section", { class: "pnb-program", "aria-label": "Program" },
      h("div", { class: "pnb-texts" }, this.list, this.copy), this.box,
    );
    new Rover(this.list, () => [...this.tabs.values()].filter((t) => !t.hidden)).enter();
    this.rover = new Rover(this.box, () => this.seen(), (item) => item.textContent ?? "");
  }

  update(): void {
    const { shown, trace, step } = this.player;
    if (!shown || !trace) return;
    if (this.chosen?.step !== step || this.chosen.trace !== trace) this.chosen = null;
    const secret = this.player.isSecret;
    const texts = textsOf(trace, shown, step, secret);
    const tab = this.chosen?.tab ?? tabOf(trace, shown, step);
    for (const [name, button] of this.tabs) {
      const text = texts.get(name);
      button.hidden = !hasTab(trace, name);
      setText(button, name === "before" && !hasTab(trace, "after") ? "program" : name);
      button.setAttribute("aria-selected", String(name === tab));
      button.setAttribute("aria-disabled", String(!text));
      button.title = text?.title ?? "";
    }
    const program = texts.get(tab);
    if (program && program !== this.shown) this.rebuild(program, tab);
    this.shade(secret && step === 0 ? NONE : changesOf(trace, shown, program, this.chosen !== null && !secret));
    // What the step is about; in the second of two programs, names may mean something else.
    const second = program === trace.programs[shown.other!] && shown.otherMarks;
    this.mark(second || this.player.drawn?.marks || []);
    // When the frame is drawn: measuring at once would lay out the picture once more.
    requestAnimationFrame(() => this.fold());
  }

  /** Hides lines that there is no room for; a gap between others says how many, and unfolds all. */
  private fold(): void {
    const { trace, step } = this.player;
    if (this.unfolded?.step !== step || this.unfolded.trace !== trace) this.unfolded = null;
    for (const gap of this.gaps) gap.remove();
    for (const line of this.lines) line.hidden = false;
    this.gaps = [];
    this.element.classList.toggle("pnb-unfolded", this.unfolded !== null);
    const room = this.box.clientHeight;
    if (!this.unfolded && this.text.offsetHeight > room) this.hide(room);
    this.rover.enter();
  }

  private hide(room: number): void {
    const focused = focusedIn(this.text);
    const about = (line: HTMLElement): boolean => line.hasAttribute("role") || line.querySelector(".pnb-mark") !== null;
    const shown = foldedLines(
      this.lines.map((line) => line.offsetHeight),
      (this.shown?.lines ?? []).map(indentOf),
      this.lines.flatMap((line, k) => about(line) ? [k] : []),
      room - 8, GAP,
    );
    for (let k = 0; k < shown.length; k += 1) {
      if (shown[k]) continue;
      const begin = k;
      for (; k < shown.length && !shown[k]; k += 1) this.lines[k]!.hidden = true;
      this.gaps.push(this.gap(this.lines[begin]!, k - begin));
    }
    if (focused?.closest("[hidden]")) this.seen()[0]?.focus({ preventScroll: true });
  }

  /** What keys reach: parts of the program, and gaps. */
  private seen(): HTMLElement[] {
    return [...this.text.querySelectorAll<HTMLElement>("[data-item]")].filter((e) => e.closest("[hidden]") === null);
  }

  private gap(before: HTMLElement, lines: number): HTMLElement {
    const button = h("button", {
      class: "pnb-gap", type: "button", title: "Show all lines", "data-item": true, tabindex: -1, click: () => this.unfold(),
    }, `⋯ ${lines} ${lines === 1 ? "line" : "lines"}`);
    before.before(button);
    return button;
  }

  private unfold(): void {
    const { trace, step } = this.player;
    this.unfolded = trace && { step, trace };
    this.fold();
    (this.items[0] ?? this.box).focus({ preventScroll: true });
  }

  private choose(tab: Tab): void {
    const { trace, step } = this.player;
    if (!trace || this.tabs.get(tab)?.getAttribute("aria-disabled") === "true") return;
    this.chosen = { tab, step, trace };
    this.update();
  }

  private select(): void {
    const selection = getSelection();
    selection?.selectAllChildren(this.text);
    setText(this.copy.firstElementChild ?? this.copy, "Ctrl+C");
  }

  private rebuild(program: Program, tab: Tab): void {
    const focused = focusedIn(this.text) !== null;
    this.shown = program;
    this.links.clear();
    this.items = [];
    this.lines = program.lines.map((line) => h(
      // What is too long goes on below, further in than its line begins.
      "span", { class: "pnb-code", style: `--indent: ${indentOf(line)}ch` }, ...this.nested(line, 0), "\n",
    ));
    this.text.replaceChildren(...this.lines);
    this.box.setAttribute("aria-label", `${tab}: ${program.title}`);
    this.rover.enter();
    // Where nothing in it can be reached by keys, the text itself is, to be scrolled.
    if (this.items.length > 0) this.box.removeAttribute("tabindex");
    else this.box.setAttribute("tabindex", "0");
    if (focused) (this.items[0] ?? this.box).focus({ preventScroll: true });
  }

  /** Segments say what they are part of; elements that are part of one another are easier to mark:
   * one outline for a statement, not one for each of its segments. */
  private nested(segments: readonly Segment[], depth: number): (Node | string)[] {
    const found: (Node | string)[] = [];
    for (let k = 0; k < segments.length; ) {
      const id = idAt(segments[k]!, depth);
      let end = k + 1;
      while (id && end < segments.length && idAt(segments[end]!, depth) === id) end += 1;
      if (id) found.push(this.part(id, this.nested(segments.slice(k, end), depth + 1)));
      else found.push(...unbroken(segments[k]![0]));
      k = end;
    }
    return found;
  }

  private part(id: string, content: (Node | string)[]): HTMLElement {
    const element = h("span", { class: "pnb-part", tabindex: -1, "data-item": true }, ...content);
    this.links.add(element, [id]);
    this.items.push(element);
    return element;
  }

  private shade({ numbers, look }: Changes): void {
    this.lines.forEach((line, k) => {
      const role = numbers.has(k) ? look : null;
      line.classList.toggle("pnb-removed-line", role === "deletion");
      line.classList.toggle("pnb-added-line", role === "insertion");
      if (role) line.setAttribute("role", role);
      else line.removeAttribute("role");
    });
  }

  private mark(marks: readonly string[]): void {
    for (const item of this.items) item.classList.remove("pnb-mark");
    const marked = marks.flatMap((id) => this.links.elements.get(id) ?? []);
    for (const element of marked) element.classList.add("pnb-mark");
  }
}

/** Before and after of the whole are those of the first step. */
function ends(trace: Trace): { before: number; after: number } {
  const { program: before, other: after = before } = trace.steps[0];
  return { before, after };
}

/** The text that a step is about: where two are compared, what the first becomes. */
function about(step: Step, at: number): number {
  return at === 0 ? step.program : step.other ?? step.program;
}

function tabOf(trace: Trace, shown: Step, at: number): Tab {
  const { before, after } = ends(trace);
  const number = about(shown, at);
  return number === before ? "before" : number === after ? "after" : "by now";
}

/** The texts that can be seen at a step; what comes out is not among them while it is secret. */
function textsOf(trace: Trace, shown: Step, at: number, secret: boolean): Map<Tab, Program | undefined> {
  const { before, after } = ends(trace);
  const found = new Map<Tab, Program | undefined>([
    ["before", trace.programs[before]], [tabOf(trace, shown, at), trace.programs[about(shown, at)]],
  ]);
  if (secret) return found;
  if (after !== before) found.set("after", trace.programs[after]);
  return found.set("C", trace.code);
}

/** Whether any step has it: tabs stay where they are. */
function hasTab(trace: Trace, tab: Tab): boolean {
  const { before, after } = ends(trace);
  return {
    before: true,
    "by now": trace.steps.some((s, k) => tabOf(trace, s, k) === tab),
    after: after !== before,
    C: trace.code !== undefined,
  }[tab];
}

interface Changes {
  numbers: ReadonlySet<number>;
  look: "deletion" | "insertion";
}

const NONE: Changes = { numbers: new Set(), look: "insertion" };

/** What of a text changes: against the one the step shows it with, or, if the reader has chosen it,
 * against the other end. */
function changesOf(trace: Trace, shown: Step, text: Program | undefined, chosen: boolean): Changes {
  for (const { program, other, change } of chosen ? [shown, trace.steps[0]] : [shown]) {
    if (!change || other === undefined) continue;
    if (text === trace.programs[other]) return { numbers: new Set(change.added), look: "insertion" };
    if (text === trace.programs[program]) return { numbers: new Set(change.removed), look: "deletion" };
  }
  return NONE;
}

function plain(program: Program | null): string {
  return (program?.lines ?? []).map((line) => line.map(([text]) => text).join("")).join("\n");
}

const COMMENT = 32;

/** Lines are broken at blanks only, and not before a label. Browsers would break after a hyphen too,
 * and between two brackets. */
function unbroken(text: string): (Node | string)[] {
  return text.split(/(\/\/.*|\s+)/).map((t) =>
    /\S[-/?|]|[-/?|]\S|[\])}][[({]/.test(t) && (t.length <= COMMENT || !t.includes(" ")) ? h("span", { class: "pnb-token" }, t) : t);
}

function indentOf(line: readonly Segment[]): number {
  return line.map(([text]) => text).join("").search(/\S|$/);
}

function idAt(segment: Segment, depth: number): string | undefined {
  return segment[1]?.split(" ")[depth] || undefined;
}
