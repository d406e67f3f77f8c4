// Where in the trace we are, and what is being asked: everything that happens, before anything
// is drawn. Views read it and are called back when it changes.
import { Display } from "./display";
import { answerText, judge, proofText, type Given } from "./judge";
import { NAMES, type Answer, type Model, type Traits } from "./model";
import { readTrace, type Reading } from "./read";
import { instancesText } from "./names";
import { Quiz } from "./quiz";
import type { Memory, MemoryConflict, Overlay, Question, Scene, Step, Trace } from "./trace";

export class Player {
  readonly quiz = new Quiz(() => this.changed());
  readonly display: Display;
  playing = false;
  /** The furthest step that was on screen. */
  private reached = 0;
  private reading: Reading;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly stops: (() => void)[];

  constructor(readonly model: Model) {
    this.reading = readTrace(model.get("trace"));
    this.display = new Display(model, () => this.changed());
    this.reached = this.step;
    this.stops = NAMES.map((name) => model.on(name, () => this.synced(name)));
  }

  get trace(): Trace | null {
    return this.reading.trace;
  }
  get problem(): string | null {
    return this.reading.problem;
  }
  get last(): number {
    return (this.trace?.steps.length ?? 1) - 1;
  }
  /** A step that exists, whatever number was set from outside or is left of a longer trace. */
  get step(): number {
    const step = this.model.get("step");
    return Number.isInteger(step) ? Math.min(Math.max(step, 0), this.last) : 0;
  }
  /** The step whose question is asked instead of showing it. */
  get asking(): number | null {
    return this.quiz.asking;
  }
  /** The step that is on screen; while a question is asked, what the question is about. */
  get shown(): Step | null {
    return this.trace?.steps[this.asking ?? this.step] ?? null;
  }
  get question(): Question | null {
    return this.asking === null ? null : this.trace?.steps[this.asking]?.question ?? null;
  }
  get scene(): Scene | null {
    const at = this.shown?.scene;
    return at == null ? null : this.trace?.scenes[at] ?? null;
  }
  /** What stands in the place of the scene. Who is asked whether something fits must see it; other
   * questions are about what comes next, so that it stays as it was. */
  get memory(): Memory | null {
    const asks = this.asking !== null && this.question?.kind !== "verdict";
    return (asks ? this.trace?.steps[this.step] : this.shown)?.memory ?? null;
  }
  /** Why it does not fit: not while that is asked. */
  get conflict(): MemoryConflict | null {
    return this.asking === null ? this.memory?.conflict ?? null : null;
  }
  /** What is drawn and marked: of a question the step before it, if it has the same scene. */
  get drawn(): Step | null {
    const before = this.trace?.steps[this.step] ?? null;
    return this.asking === null || before?.scene === this.shown?.scene ? before : null;
  }
  get overlays(): readonly Overlay[] {
    return this.drawn?.overlays ?? [];
  }
  /** Whether a step may be spoken of: who predicts is told nothing of what is still to come. */
  isKnown(step: number): boolean {
    return step <= this.reached || !this.isSecret;
  }
  get hasQuestions(): boolean {
    return this.trace?.steps.some((s) => s.question) ?? false;
  }
  /** Whether what comes out is not told yet. */
  get isSecret(): boolean {
    return this.model.get("predict") && this.reached < this.last && this.hasQuestions;
  }
  get showsRelations(): boolean {
    return this.scene !== null && this.drawn !== null
      && this.display.showsRelations(this.scene, this.overlays);
  }
  get showsOrder(): boolean {
    return this.scene !== null && this.display.showsOrder(this.shown);
  }
  /** Whether an instance is wanted from the learner. */
  get picksInstance(): boolean {
    return this.question?.kind === "verdict" && this.quiz.saysNo;
  }
  get score(): { right: number; of: number } {
    const answers = this.model.get("answers");
    return { right: answers.filter((a) => a.right).length, of: answers.length };
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  togglePredict(): void {
    this.model.set("predict", !this.model.get("predict"));
    if (this.asking !== null) this.jump(this.step);
  }

  forward(): void {
    if (this.asking !== null || this.step === this.last) return this.stop();
    const next = this.step + 1;
    const unanswered = !this.model.get("answers").some((a) => a.step === next);
    if (this.model.get("predict") && unanswered && this.trace?.steps[next]?.question) this.ask(next);
    else this.jump(next);
  }

  /** While a question is asked, the step before it is the one that is left. */
  back(): void {
    this.jump(this.asking === null ? this.step - 1 : this.step);
  }

  jump(step: number): void {
    this.quiz.reset();
    const next = Math.min(Math.max(step, 0), this.last);
    if (next === this.step) this.changed();
    else this.model.set("step", next);
  }

  ask(step: number): void {
    this.stop();
    this.quiz.reset(step);
    this.changed();
  }

  /** Judges, scores a first answer, and shows the step. Throws an ExpressionError. */
  answer(given: Given): void {
    const [step, question, scene] = [this.asking, this.question, this.scene];
    if (step === null || question === null) return;
    const right = judge(question, given);
    const answers = this.model.get("answers");
    const solution = answerText(question, (at) => (scene ? instancesText(scene, at) : ""));
    const proof = scene ? proofText(question, scene) : "";
    this.jump(step);
    this.quiz.told = { step, right, answer: solution, proof, explain: question.explain };
    if (!answers.some((a) => a.step === step)) {
      const shown = this.trace?.id ?? "";
      const { kind, answer } = given;
      const first: Answer = { step, trace: shown, kind, answer, right };
      this.model.set("answers", [...answers, first]);
    }
    this.changed();
  }

  togglePlay(): void {
    if (this.playing) return this.stop();
    if (this.step === this.last) this.jump(0);
    this.playing = true;
    this.changed();
    this.wait();
  }

  stop(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  close(): void {
    this.listeners.clear();
    this.stop();
    this.stops.forEach((stop) => stop());
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** As long as reading the sentence takes. */
  private wait(): void {
    const letters = this.shown?.sentence.length ?? 0;
    this.timer = setTimeout(() => {
      this.forward();
      if (this.step === this.last) this.stop();
      if (this.playing) this.wait();
    }, Math.max(1500, 45 * letters));
  }

  /** A change from either side. What was being asked belongs to the step and trace before it. */
  private synced(name: keyof Traits): void {
    if (name === "trace") this.reading = readTrace(this.model.get("trace"));
    if (name === "trace") this.reached = Math.min(this.reached, this.last);
    this.reached = Math.max(this.reached, this.step);
    if (name === "trace" || name === "step") this.quiz.reset();
    this.changed();
  }
}
