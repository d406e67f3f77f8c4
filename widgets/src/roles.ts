// What overlays are called. Their shapes are in shapes.ts, their strokes in stepper.css: every
// role has a shape or a dash of its own, so that nobody depends on colour.
import type { Role } from "./trace";

export const ROLES: Readonly<Record<Role, string>> = {
  raw: "RAW",
  war: "WAR",
  waw: "WAW",
  propagation: "propagation",
  piw: "PIW",
  or: "OR",
  piece: "piece",
  source: "source",
  target: "target",
  writer: "writer",
  removed: "removed",
  condition: "live range",
  conditioned: "conditioned validity",
  violated: "turned around",
};

/** The papers' terms for some of them (terms.ts). */
export const TERMS: Readonly<Partial<Record<Role, string>>> = {
  raw: "RAW", war: "WAR", waw: "WAW", propagation: "propagation dependence", piw: "PIW", or: "OR",
  condition: "live range", conditioned: "conditional validity",
};

/** Where pairs of a role are drawn without an arrow's head: they tie, and do not lead. */
export const TIES: ReadonlySet<Role> = new Set(["piw"]);
