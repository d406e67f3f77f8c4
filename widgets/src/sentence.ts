// What the step says, where the paper has it, and the witness in words.
import { h, setText } from "./dom";
import { pointText } from "./names";
import type { Player } from "./player";
import type { Witness } from "./trace";

export class Sentence {
  private readonly verdict = h("p", { class: "pnb-verdict" });
  private readonly text = h("p", { class: "pnb-sentence", "aria-live": "polite" });
  private readonly section = h("span", { class: "pnb-section" });
  private readonly detail = h("p", { class: "pnb-detail" });
  private readonly witness = h("div", { class: "pnb-witness" });
  readonly element = h(
    "div", { class: "pnb-say" }, this.section, this.verdict, this.text, this.detail, this.witness,
  );

  constructor(private readonly player: Player) {}

  update(): void {
    const { trace, shown, step, asking, playing } = this.player;
    this.element.hidden = asking !== null;
    if (!trace || !shown || asking !== null) return;
    // While it plays, steps come faster than they can be read out.
    this.text.setAttribute("aria-live", playing ? "off" : "polite");
    this.verdict.hidden = step !== 0 || trace.verdict === shown.sentence;
    setText(this.verdict, trace.verdict);
    setText(this.text, shown.sentence);
    setText(this.section, shown.section);
    this.detail.hidden = !shown.detail;
    setText(this.detail, shown.detail ?? "");
    this.witness.hidden = !shown.witness;
    this.witness.replaceChildren(...(shown.witness ? witnessParts(shown.witness, shown.sentence) : []));
  }
}

function witnessParts(witness: Witness, sentence: string): Node[] {
  const rows = witness.instances.flatMap(({ role, name, date }) => [
    h("dt", {}, role), h("dd", {}, h("strong", {}, name), ` at date ${pointText(date)}`),
  ]);
  const cell = witness.cell === "" ? [] : [h("dt", {}, "cell"), h("dd", {}, h("code", {}, witness.cell))];
  const list = h("dl", {}, ...rows, ...cell);
  const title = witness.blocks === false ? "Example" : "Witness";
  return [
    h("p", {}, h("strong", {}, `${title}${witness.sentence === sentence ? "" : ": "}`),
      witness.sentence === sentence ? "" : witness.sentence),
    list,
  ];
}
