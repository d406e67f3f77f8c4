// What the step says, and the witness in words.
import { h } from "./dom";
import { pointText } from "./names";
import type { Player } from "./player";
import { explained, plain, say } from "./terms";
import type { MemoryConflict, Step, Witness } from "./trace";

const SECRET = "You are asked before steps are shown. What comes out of it all is told at the end.";

export class Sentence {
  private readonly text = h("p", { class: "pnb-sentence pnb-large", "aria-live": "polite" });
  private readonly verdict = h("p", { class: "pnb-verdict pnb-large" });
  private readonly detail = h("p", { class: "pnb-detail" });
  private readonly witness = h("div", { class: "pnb-witness" });
  readonly element = h("div", { class: "pnb-say" }, this.verdict, this.text, this.detail, this.witness);

  constructor(private readonly player: Player) {}

  update(): void {
    const { trace, shown, step, asking, playing } = this.player;
    this.element.hidden = asking !== null;
    if (!trace || !shown || asking !== null) return;
    // While it plays, steps come faster than they can be read out.
    this.text.setAttribute("aria-live", playing ? "off" : "polite");
    const secret = step === 0 && this.player.isSecret;
    this.verdict.hidden = step !== 0 || secret || trace.verdict === shown.sentence;
    const known = new Set<string>();
    if (!this.verdict.hidden) say(this.verdict, trace.verdict, known);
    say(this.text, secret ? SECRET : shown.sentence, known);
    this.detail.hidden = !shown.detail;
    say(this.detail, shown.detail ?? "", known);
    const parts = proofParts(shown, explained);
    this.witness.hidden = parts.length === 0;
    this.witness.replaceChildren(...parts);
  }
}

/** The same once more, for its height alone. */
export function sentenceParts(step: Step): Node[] {
  return [
    h("p", { class: "pnb-large" }, plain(step.sentence)),
    ...(step.detail ? [h("p", { class: "pnb-detail" }, plain(step.detail))] : []),
    h("div", { class: "pnb-witness" }, ...proofParts(step, (text) => [plain(text)])),
  ];
}

type Tell = (text: string) => (Node | string)[];

/** What proves the step: a witness, a conflict in memory. */
function proofParts({ witness, memory, sentence }: Step, tell: Tell): Node[] {
  return [
    ...(witness ? witnessParts(witness, sentence, tell) : []),
    ...(memory?.conflict ? conflictParts(memory.conflict, sentence, tell) : []),
  ];
}

function conflictParts({ sentence }: MemoryConflict, said: string, tell: Tell): Node[] {
  return said.includes(sentence) ? [] : [h("p", {}, h("strong", {}, "Conflict: "), ...tell(sentence))];
}

/** Its sentence and its cell only where the step's sentence does not have them. */
function witnessParts(witness: Witness, sentence: string, tell: Tell): Node[] {
  const said = sentence.includes(witness.sentence);
  const title = witness.blocks === false ? "Example" : "Witness";
  const entry = (name: string, ...what: (Node | string)[]): HTMLElement =>
    h("div", {}, h("dt", {}, name), h("dd", {}, ...what));
  const rows = witness.instances.map(({ role, name, date }) =>
    entry(role, h("strong", {}, name), ` at date ${pointText(date)}`));
  const told = `${sentence} ${witness.sentence}`.includes(witness.cell);
  const cell = told ? [] : [entry("cell", h("code", {}, witness.cell))];
  return [
    h("p", {}, h("strong", {}, `${title}${said ? "" : ": "}`), ...(said ? [] : tell(witness.sentence))),
    h("dl", {}, ...rows, ...cell),
  ];
}
