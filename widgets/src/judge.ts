// Whether an answer is right. Pure, and repeated by Python from the same trace.
import { parse } from "./expression";
import { instancesText } from "./names";
import type { Instance, IteratorQuestion, Question, Scene, VerdictQuestion } from "./trace";

/** array: a name; pairs: indices; verdict: yes or no with a witness; iterator: an expression. */
export type Given =
  | { kind: "array"; answer: string }
  | { kind: "pairs"; answer: number[] }
  | { kind: "verdict"; answer: { verdict: boolean; witness: Instance | null } }
  | { kind: "iterator"; answer: string };

/** Throws an ExpressionError if the answer is an expression that cannot be read. */
export function judge(question: Question, given: Given): boolean {
  if (question.kind === "array" && given.kind === "array") return given.answer === question.answer;
  if (question.kind === "pairs" && given.kind === "pairs") {
    return sameNumbers(given.answer, question.answer);
  }
  if (question.kind === "verdict" && given.kind === "verdict") return judgeVerdict(question, given);
  return question.kind === "iterator" && given.kind === "iterator"
    && judgeIterator(question, given.answer);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x) => b.includes(x));
}

/** A right "no" must also be proved, where the trace knows what proves it. */
function judgeVerdict(question: VerdictQuestion, given: Given & { kind: "verdict" }): boolean {
  const { verdict, witness } = given.answer;
  const proofs = question.witnesses ?? [];
  return verdict === question.answer
    && (verdict || proofs.length === 0
      || (witness !== null && proofs.some((p) => p[0] === witness[0] && p[1] === witness[1])));
}

function judgeIterator(question: IteratorQuestion, text: string): boolean {
  const expression = parse(text);
  return question.samples.every(({ values, result }) => expression(values) === result);
}

/** The right answer in words. */
export function answerText(question: Question, name: (instances: Instance[]) => string): string {
  switch (question.kind) {
    case "array":
      return question.answer;
    case "iterator":
      return `${question.name} = ${question.answer}`;
    case "verdict":
      return question.answer ? "yes" : "no";
    case "pairs": {
      const kept = question.answer.flatMap((k) => question.pairs[k] ?? []);
      const pairs = Array.from({ length: kept.length / 4 }, (_, k) => kept.slice(4 * k, 4 * k + 4));
      if (pairs.length === 0) return "none of them";
      return pairs.map(([a, p, b, q]) => `${name([[a!, p!]])} → ${name([[b!, q!]])}`).join(", ");
    }
  }
}

/** Of a no, every instance that proves it, of which the learner has picked one at most. */
export function proofText(question: Question, scene: Scene): string {
  const proofs = question.kind === "verdict" && !question.answer ? question.witnesses ?? [] : [];
  if (proofs.length === 0) return "";
  const names = instancesText(scene, proofs);
  return proofs.length === 1 ? `${names} proves it.` : `Each of ${names} proves it.`;
}
