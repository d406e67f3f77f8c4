import { describe, expect, it } from "vitest";
import { judge } from "../src/judge";
import type { Question, VerdictQuestion } from "../src/trace";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
const start = (step: number): void => {
  s = shown(traces.reload(), { step, predict: true });
};
const told = (): string => s.one(".pnb-told").textContent ?? "";

describe("predict mode", () => {
  it("asks instead of showing, scores the first answer, and explains", () => {
    start(0);
    s.press("ArrowRight");
    expect(s.model.get("step")).toBe(0);
    expect(s.one(".pnb-prompt").textContent).toContain("Which array is tried?");
    expect(s.all(".pnb-mark")).toHaveLength(0);
    s.click("A");
    expect(s.model.get("step")).toBe(1);
    expect(told()).toContain("Not quite. The answer: tmp.");
    expect(s.model.get("answers")).toEqual([{ step: 1, trace: expect.any(String), kind: "array", answer: "A", right: false }]);
    s.click("ask me again");
    s.all(".pnb-form button").find((b) => b.textContent === "tmp")!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(told()).toContain("Right.");
    expect(s.model.get("answers")).toHaveLength(1);
    expect(s.one(".pnb-score").textContent).toBe("score 0 of 1");
  });

  it("says at the buttons which step waits for an answer, and that there is no going on before it", () => {
    start(0);
    const forward = s.all(".pnb-controls button")[3]!;
    const said = (): (string | null | undefined)[] =>
      [s.one(".pnb-number-of").textContent, forward.getAttribute("aria-disabled"), forward.getAttribute("aria-label")];
    const last = s.player.last;
    expect(said()).toEqual([`0 of ${last}`, "false", "One step forward (→)"]);
    s.press("ArrowRight");
    expect(said()).toEqual([`1? of ${last}`, "true", "To go forward, answer or skip"]);
    s.click("skip: show the step");
    expect(said()).toEqual([`1 of ${last}`, "false", "One step forward (→)"]);
  });

  it("asks for pairs, in the space and in a list", () => {
    start(1);
    s.press("ArrowRight");
    expect(s.all(".pnb-svg .pnb-piw")).toHaveLength(0);
    s.all(".pnb-choice")[2]!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const boxes = s.all(".pnb-pair input") as HTMLInputElement[];
    expect(boxes.map((b) => b.checked)).toEqual([false, false, true]);
    s.click("these survive");
    expect(s.model.get("answers")).toEqual([{ step: 2, trace: expect.any(String), kind: "pairs", answer: [2], right: true }]);
    expect(s.all(".pnb-choice")).toHaveLength(0);
  });

  it("wants a no to be proved, and shows the witness when it was wrong", () => {
    start(2);
    s.press("ArrowRight");
    s.click("no");
    const proof = (): HTMLButtonElement => s.all(".pnb-form button").find((b) => b.textContent === "this one proves it") as HTMLButtonElement;
    expect(proof().disabled).toBe(true);
    s.all(".pnb-dots circle")[5]!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(s.one<HTMLSelectElement>("select").selectedIndex).toBe(6);
    proof().click();
    expect(s.model.get("answers")[0]).toEqual(
      { step: 3, trace: expect.any(String), kind: "verdict", answer: { verdict: false, witness: [1, 2] }, right: false });
    expect(told()).toContain("The answer: no. Each of S(0), S(1) proves it.");
    expect(s.all(".pnb-ring")).toHaveLength(3);
    s.press("ArrowLeft");
    expect(told()).toBe("");
  });

  it("takes an expression, and says why it cannot read another", () => {
    start(3);
    s.press("ArrowRight");
    const input = s.one<HTMLInputElement>(".pnb-expression");
    input.value = "2i";
    s.press("Enter", input);
    expect(s.one(".pnb-form .pnb-problem").textContent).toContain("write 2*i");
    expect(s.player.asking).toBe(4);
    input.value = "i-1";
    s.press("Enter", input);
    expect(s.model.get("answers")).toEqual([{ step: 4, trace: expect.any(String), kind: "iterator", answer: "i-1", right: true }]);
  });

  it("does not ask twice by itself, and may be skipped or left", () => {
    start(0);
    s.press("ArrowRight");
    s.press("ArrowRight");
    expect(s.player.asking).toBe(1);
    s.press("ArrowLeft");
    expect([s.player.asking, s.model.get("step")]).toEqual([null, 0]);
    s.press("ArrowRight");
    s.click("skip: show the step");
    expect([s.model.get("step"), s.model.get("answers")]).toEqual([1, []]);
    s.model.set("answers", [{ step: 2, trace: "", kind: "pairs", answer: [], right: false }]);
    s.press("ArrowRight");
    expect(s.model.get("step")).toBe(2);
  });

  it("keeps the focus inside when what had it goes away, for keys to go on working", () => {
    start(0);
    s.one<HTMLElement>(".pnb-slider").focus();
    s.press("ArrowRight");
    expect(document.activeElement).toBe(s.one(".pnb-form button"));
    s.click("tmp");
    expect(s.root.contains(document.activeElement)).toBe(true);
  });

  it("shows the picture of the step when it is answered, be the one before as rich", () => {
    const trace = traces.reload();
    for (const step of trace.steps) Object.assign(step, { scene: 0, overlays: step.overlays?.slice(0, 1) });
    const arrows = (): string[] => s.all(".pnb-drawn path").map((e) => e.getAttribute("d") ?? "");
    for (const [k, { question }] of trace.steps.entries()) {
      if (!question) continue;
      s = shown(trace, { step: k });
      const own = arrows();
      s = shown(trace, { step: k - 1, predict: true });
      s.press("ArrowRight");
      s.player.answer({ kind: "iterator", answer: "i" });
      expect([k, ...arrows()]).toEqual([k, ...own]);
    }
  });

  it("does not take the focus from elsewhere on the page", () => {
    start(0);
    s.player.forward();
    expect(document.activeElement).toBe(document.body);
  });

  it("forgets the question when Python goes elsewhere", () => {
    start(0);
    s.press("ArrowRight");
    s.model.set("step", 3);
    expect(s.player.asking).toBeNull();
  });
});

describe("who predicts", () => {
  const program = (): string[] => s.all('.pnb-tab[aria-disabled="false"]').map((t) => t.textContent ?? "");

  it("is told nothing of what is still to come, before it is reached", () => {
    start(0);
    expect(s.one(".pnb-sentence").textContent).toContain("told at the end");
    expect([s.one(".pnb-verdict").hidden, s.one(".pnb-overview").hidden]).toEqual([true, true]);
    expect(program()).toEqual(["before"]);
    expect(s.all(".pnb-code[role]")).toHaveLength(0);
    expect(s.all(".pnb-tick")[3]!.getAttribute("title")).toBe("3");
    expect(s.all(".pnb-phase")[1]!.getAttribute("aria-label")).toBe("still to come");
    expect(s.all(".pnb-untold").map((e) => e.textContent)).toEqual(["tmpkept", "kept"]);
    const box = s.one<HTMLInputElement>(".pnb-search");
    box.value = "cannot";
    box.dispatchEvent(new Event("input"));
    expect(s.one(".pnb-results").textContent).toBe("No step says this.");
    s.model.set("step", 4);
    s.model.set("step", 0);
    expect(s.one(".pnb-sentence").textContent).toBe("Nothing is propagated.");
    expect(s.one(".pnb-overview").hidden).toBe(false);
    expect(program()).toEqual(["before", "after", "C"]);
    expect(s.all(".pnb-untold")).toHaveLength(0);
  });

  it("keeps in sight, while a question is asked, what the step before has shown", () => {
    start(1);
    s.press("ArrowRight");
    expect(s.player.asking).toBe(2);
    expect(s.all(".pnb-mark").map((e) => e.textContent)).toEqual(["tmp[i]", "tmp[i]"]);
  });

  it("is told every instance that proves a no, and each thing once", () => {
    const trace = traces.reload();
    const space = trace.scenes[0]!.spaces[1]!;
    space.points = [[0], [1], [2], [3], [4], [7]];
    space.dates = space.points.map(([i]) => [i!, 1]);
    const question = trace.steps[3]!.question as VerdictQuestion;
    question.witnesses = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]];
    question.explain = "T cannot evaluate R";
    s = shown(trace, { step: 2, predict: true });
    s.press("ArrowRight");
    s.click("yes");
    expect(told()).toBe("✗ Not quite. The answer: no. Each of S(0) to S(4), S(7) proves it.ask me again");
    s.click("ask me again");
    s.click("no");
    s.all(".pnb-dots circle")[4]!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    s.click("this one proves it");
    expect(told()).toBe("✓ Right. Each of S(0) to S(4), S(7) proves it.");
  });
});

describe("judging", () => {
  const verdict = (answer: boolean, witnesses?: [number, number][]): Question =>
    ({ kind: "verdict", prompt: "", explain: "", answer, witnesses });
  const no = (witness: [number, number] | null) =>
    ({ kind: "verdict", answer: { verdict: false, witness } }) as const;

  it("takes any of the witnesses, and a plain no where none is known", () => {
    expect(judge(verdict(false, [[0, 1], [0, 2]]), no([0, 2]))).toBe(true);
    expect(judge(verdict(false, [[0, 1]]), no([1, 1]))).toBe(false);
    expect(judge(verdict(false), no(null))).toBe(true);
    expect(judge(verdict(true), no([0, 0]))).toBe(false);
  });
  it("takes pairs in any order", () => {
    const question: Question = { kind: "pairs", prompt: "", explain: "", pairs: [], answer: [2, 0] };
    expect(judge(question, { kind: "pairs", answer: [0, 2] })).toBe(true);
    expect(judge(question, { kind: "pairs", answer: [0] })).toBe(false);
  });
});
