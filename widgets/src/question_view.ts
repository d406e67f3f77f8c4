// A question instead of the step, and what is said to the answer.
import { focusedIn, h, setText } from "./dom";
import { ExpressionError } from "./expression";
import type { Given } from "./judge";
import { described, instanceName } from "./names";
import type { Player } from "./player";
import type { Told } from "./quiz";
import { explained } from "./terms";
import type { Instance, IteratorQuestion, PairsQuestion, Question, VerdictQuestion } from "./trace";

const NOTHING: Told = { right: false, answer: "", proof: "", explain: "", step: -1 };

export class QuestionView {
  private readonly form = h("div", { class: "pnb-form", role: "group" });
  private readonly told = h("div", { class: "pnb-told", role: "status" });
  readonly element = h("div", { class: "pnb-question" }, this.form, this.told);
  private asked: Question | null = null;
  /** Brings what the learner has picked up to date in the form. */
  private refresh = (): void => {};

  constructor(private readonly player: Player) {}

  update(): void {
    const { question } = this.player;
    if (question !== this.asked) {
      const inside = focusedIn(this.element.closest(".pnb-root") ?? this.element);
      this.asked = question;
      this.refresh = () => {};
      this.form.setAttribute("aria-label", question?.prompt ?? "");
      this.form.replaceChildren(...(question ? this.parts(question) : []));
      if (question && inside) this.form.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
    }
    this.refresh();
    this.tell();
  }

  private tell(): void {
    const { told, asking } = this.player.quiz;
    const { right, answer, proof, explain, step } = told ?? NOTHING;
    const key = told && asking === null ? `${step} ${right} ${answer}` : "";
    if (this.told.dataset.key === key) return;
    this.told.dataset.key = key;
    this.told.classList.toggle("pnb-right", right);
    this.told.replaceChildren(...(key === "" ? [] : [
      h("p", {}, h("strong", {}, right ? "✓ Right. " : "✗ Not quite. "), right ? "" : `The answer: ${answer}. `, proof,
        right ? null : button("ask me again", () => this.player.ask(step))),
      h("p", {}, ...(this.player.shown?.sentence.includes(explain) ? [] : explained(explain))),
    ]));
  }

  private parts(question: Question): Node[] {
    const prompt = h("p", { class: "pnb-prompt" }, h("strong", {}, "What comes next? "), ...explained(question.prompt));
    const skip = button("skip: show the step", () => {
      if (this.player.asking !== null) this.player.jump(this.player.asking);
    });
    return [prompt, ...this.inputs(question), skip];
  }

  private inputs(question: Question): Node[] {
    switch (question.kind) {
      case "array":
        return [row(question.options.map((o) => button(o, () => this.answer({ kind: "array", answer: o }))))];
      case "pairs":
        return this.pairs(question);
      case "verdict":
        return this.verdict(question);
      case "iterator":
        return this.iterator(question);
    }
  }

  private answer(given: Given): void {
    this.player.answer(given);
  }

  private pairs({ pairs }: PairsQuestion): Node[] {
    const { player } = this;
    const scene = player.scene;
    const boxes = pairs.map((_, k) => h("input", { type: "checkbox", change: () => player.quiz.pickPair(k) }));
    const labels = pairs.map(([a, p, b, q], k) => h(
      "label", { class: "pnb-pair" }, boxes[k],
      scene ? `${instanceName(scene, [a, p])} → ${instanceName(scene, [b, q])}` : String(k),
    ));
    this.refresh = () => boxes.forEach((box, k) => (box.checked = player.quiz.picked.has(k)));
    const done = button("these survive", () =>
      this.answer({ kind: "pairs", answer: [...player.quiz.picked].sort((a, b) => a - b) }));
    return [h("p", { class: "pnb-hint" }, "Pick arrows in the space, or here."), row(labels), row([done])];
  }

  /** A no is to be proved by an instance: always asked, for asking would give the answer away. */
  private verdict(_: VerdictQuestion): Node[] {
    const { player } = this;
    const scene = player.memory ? null : player.scene; // memory has places, and no instances to be picked
    const say = (verdict: boolean, witness: Instance | null = null): void =>
      this.answer({ kind: "verdict", answer: { verdict, witness } });
    const yes = button("yes", () => say(true));
    const no = button("no", () => (scene ? player.quiz.sayNo() : say(false)));
    if (!scene) return [row([yes, no])];
    const instances = scene.spaces.flatMap((s, space) => s.points.map((__, point): Instance => [space, point]));
    const list = h(
      "select",
      {
        "aria-label": "The instance that proves it",
        change: () => player.quiz.pickProof(instances[list.selectedIndex - 1] ?? null),
      },
      h("option", {}, "which instance?"), ...instances.map((at) => h("option", {}, described(scene, at))),
    );
    const done = button("this one proves it", () => say(false, player.quiz.proof));
    const hint = h("p", { class: "pnb-hint" }, "Which instance proves it? Pick it in the space, or here.");
    const proof = h("div", {}, hint, row([list, done]));
    this.refresh = () => {
      proof.hidden = !player.quiz.saysNo;
      no.setAttribute("aria-pressed", String(player.quiz.saysNo));
      done.disabled = !player.quiz.proof;
      const at = instances.findIndex(([s, p]) => s === player.quiz.proof?.[0] && p === player.quiz.proof[1]);
      list.selectedIndex = at + 1;
    };
    return [row([yes, no]), proof];
  }

  private iterator({ name }: IteratorQuestion): Node[] {
    const input = h("input", {
      type: "text", class: "pnb-expression", autocomplete: "off", spellcheck: "false", "aria-label": `${name} =`,
      keydown: (event) => (event as KeyboardEvent).key === "Enter" && answer(),
    });
    const problem = h("p", { class: "pnb-problem", role: "alert" });
    const answer = (): void => {
      try {
        this.answer({ kind: "iterator", answer: input.value });
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        setText(problem, error.message);
        input.focus();
      }
    };
    return [row([h("label", { class: "pnb-iterator" }, `${name} = `, input), button("that is it", answer)]), problem];
  }
}

function button(text: string, act: () => void): HTMLButtonElement {
  return h("button", { class: "pnb-button", type: "button", click: act }, text);
}

function row(children: Node[]): HTMLElement {
  return h("div", { class: "pnb-row" }, ...children);
}
