// The program of the step, and beside it what it becomes, with what the step is about marked.
import { h } from "./dom";
import type { LinkGroup, Links } from "./links";
import type { Player } from "./player";
import { reveal } from "./reveal";
import { Rover } from "./rover";
import type { Program, Segment } from "./trace";

export class ProgramView {
  private readonly texts = h("div", { class: "pnb-programs" });
  readonly element = h("section", { class: "pnb-program", "aria-label": "Program" }, this.texts);
  private readonly links: LinkGroup;
  private readonly rover: Rover;
  private items: HTMLElement[] = [];
  private shown: (Program | undefined)[] = [];

  constructor(private readonly player: Player, links: Links) {
    this.links = links.group();
    this.rover = new Rover(this.element, () => this.items, (item) => item.textContent ?? "");
  }

  update(): void {
    const { shown, trace } = this.player;
    if (!shown || !trace) return;
    const programs = [trace.programs[shown.program]];
    if (shown.other !== undefined && shown.other !== shown.program) programs.push(trace.programs[shown.other]);
    if (programs.length !== this.shown.length || programs.some((p, k) => p !== this.shown[k])) {
      this.shown = programs;
      this.rebuild();
    }
    this.mark(this.player.asking === null ? shown.marks ?? [] : []);
  }

  private rebuild(): void {
    this.links.clear();
    this.items = [];
    this.texts.replaceChildren(...this.shown.flatMap((p) => (p ? [this.text(p)] : [])));
    this.rover.enter();
  }

  private text(program: Program): HTMLElement {
    const lines = program.lines.map((line) => h(
      // What is too long goes on below, further in than its line begins.
      "span", { class: "pnb-code", style: `--indent: ${indentOf(line)}ch` }, ...this.nested(line, 0), "\n",
    ));
    return h("figure", {}, h("figcaption", {}, program.title), h("pre", {}, ...lines));
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
      else found.push(segments[k]![0]);
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

  private mark(marks: readonly string[]): void {
    for (const item of this.items) item.classList.remove("pnb-mark");
    const marked = marks.flatMap((id) => this.links.elements.get(id) ?? []);
    for (const element of marked) element.classList.add("pnb-mark");
    for (const box of this.texts.querySelectorAll("pre")) {
      const first = marked.find((element) => box.contains(element));
      if (first) reveal(box, first);
    }
  }
}

function indentOf(line: readonly Segment[]): number {
  return line.map(([text]) => text).join("").search(/\S|$/);
}

function idAt(segment: Segment, depth: number): string | undefined {
  return segment[1]?.split(" ")[depth] || undefined;
}
