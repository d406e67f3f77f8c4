import type { Step } from "./trace";

/** The steps that say all of the words, in any order; null if nothing is looked for. */
export function found(steps: readonly Step[], text: string): number[] | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return steps.flatMap((step, k) => {
    const said = `${step.sentence} ${step.detail ?? ""} ${step.section}`.toLowerCase();
    return words.every((word) => said.includes(word)) ? [k] : [];
  });
}
