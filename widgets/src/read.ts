// What comes in may be of another version, cut short, or no trace at all. This says so in a
// sentence; it does not repeat the schema, which Python's tests check.
import type { Trace } from "./trace";

export type Reading = { trace: Trace; problem: null } | { trace: null; problem: string };

const LISTS = ["arrays", "parameters", "programs", "scenes", "sets", "phases", "steps"] as const;

export function readTrace(value: unknown): Reading {
  const problem = problemOf(value);
  return problem === null ? { trace: value as Trace, problem } : { trace: null, problem };
}

function problemOf(value: unknown): string | null {
  if (!isRecord(value) || value.format !== "polynb-trace") {
    return "There is no polynb trace here to be shown.";
  }
  if (value.version !== 1) {
    return `This trace has version ${String(value.version)}, but this stepper plays version 1: `
      + "run the cell again with the polynb that is installed.";
  }
  for (const name of LISTS) {
    if (!Array.isArray(value[name])) return `This trace is incomplete: it has no ${name}.`;
  }
  const trace = value as unknown as Trace;
  if (trace.steps.length === 0) return "This trace has no steps.";
  const lost = trace.steps.findIndex(
    (s) => !trace.programs[s.program] || !trace.phases[s.phase]
      || (s.scene !== null && !trace.scenes[s.scene]),
  );
  return lost < 0 ? null : `This trace is damaged: step ${lost} refers to something that is not in it.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
