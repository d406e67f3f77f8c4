// Where cells and zones go: pure geometry. Rows are cells, lines the instances, and between two lines
// is a zone. The upper half of a row is for what a cell holds, the lower for what is proposed.
import { widthOf, heightOf, type Box } from "./spots";
import type { Memory, MemoryLayer, Trace } from "./trace";

/** What all pictures of a trace have in common, so that rows stay where they are. */
export interface Margins {
  left: number;
  head: number;
  /** Above the rows, for the name of a conflict. */
  flag: number;
  /** How far names of instances reach to the right of their lines. */
  right: number;
  slanted: boolean;
  /** Before the first zone: letters of a slanted name reach to its left. */
  lead: number;
  /** No zone is broader; one as broad has room for the names at both of its lines. */
  broad: number;
}

export interface MemoryLayout extends Margins {
  width: number;
  height: number;
  zone: number;
  top: number;
}

/** Neighbouring places of a cell that hold the same. */
export interface Run {
  cell: number;
  from: number;
  to: number;
  value: string;
}

export const SMALL = 10; // of values, as in stepper.css
const [ROW, FLAG, LABEL] = [40, 24, 11];
/** The narrowest zone still keeps slanted names apart. */
const [NARROW, BROAD] = [15, 84];
const [ACROSS, UP] = [0.5, 0.87]; // of 60 degrees

export function memoriesOf(trace: Trace): Memory[] {
  return trace.steps.flatMap((s) => s.memory ?? []);
}

export function marginsOf(memories: readonly Memory[], width: number): Margins {
  const widest = (names: readonly string[]): number =>
    Math.max(0, ...names.map((name) => widthOf(compact(name), LABEL)));
  const left = widest(memories.flatMap((m) => m.cells)) + 12;
  const instance = widest(memories.flatMap((m) => m.times));
  const zones = Math.max(1, ...memories.map((m) => m.times.length + 1));
  // What the first zone is called begins where it begins.
  const outer = widest(memories.flatMap(({ times }) => [...times.slice(0, 1), ...times.slice(-1)]));
  const apart = Math.max(instance + 8, widest(["before"]) + outer / 2 + 6);
  const slanted = apart > (width - left) / zones;
  const name = Math.max(instance, widest(["before"]));
  return {
    left, slanted, lead: slanted ? 8 : 0, broad: slanted ? BROAD : Math.max(BROAD, apart),
    head: slanted ? UP * name + heightOf(LABEL) + 4 : heightOf(LABEL) + 8,
    flag: memories.some((m) => m.conflict) ? FLAG : 4,
    right: slanted ? ACROSS * name : 4,
  };
}

export function arrangeMemory({ cells, times }: Memory, width: number, margins: Margins): MemoryLayout {
  const zones = times.length + 1;
  const room = Math.floor((width - margins.left - margins.lead - margins.right) / zones);
  const zone = Math.min(margins.broad, Math.max(NARROW, room));
  const top = margins.head + margins.flag;
  return {
    ...margins, zone, top,
    width: Math.ceil(margins.lead + zone * zones + margins.right),
    height: Math.ceil(top + ROW * cells.length + 2),
  };
}

/** The line of an instance. */
export function lineOf({ zone, lead }: MemoryLayout, time: number): number {
  return lead + zone * (time + 1);
}

/** A cell in a zone, or in the zones from one to another. */
export function placeOf({ zone, lead, top }: MemoryLayout, cell: number, from: number, to = from): Box {
  return { x: lead + zone * from, y: top + ROW * cell + 2, width: zone * (to - from + 1), height: ROW - 4 };
}

/** Where a layer draws what it says of such a place. */
export function boxOf(layout: MemoryLayout, { of, role }: MemoryLayer, { cell, from, to }: Run): Box {
  const whole = placeOf(layout, cell, from, to);
  const proposed = of === "proposed";
  if (role === "written") {
    return { x: lineOf(layout, from) - 4.5, y: whole.y + (proposed ? 18 : 2), width: 9, height: 16 };
  }
  if (role === "known") return { ...whole, y: whole.y + (proposed ? 20 : 3), height: proposed ? 12 : 14 };
  return proposed ? { ...whole, y: whole.y + 18, height: 16 } : whole;
}

/** The longest piece of a run between lines at which something stands: there is room for a value. If a
 * zone is lit, the piece with that one. */
export function clearest(
  { cell, from, to, ...rest }: Run, stands: (cell: number, time: number) => boolean, lit = -1,
): Run {
  let best = { from, to: from - 1 };
  let first = from;
  for (let k = from; k <= to; k += 1) {
    if (k < to && !stands(cell, k)) continue;
    if (k - first > best.to - best.from) best = { from: first, to: k };
    if (first <= lit && lit <= k) return { cell, from: first, to: k, ...rest };
    first = k + 1;
  }
  return { cell, ...best, ...rest };
}

/** Values tell places apart only where they are known: a lifetime is one bar. */
export function runsOf({ role, places, values }: MemoryLayer): Run[] {
  const single = places.map(([cell, k], at): Run =>
    ({ cell: cell!, from: k!, to: k!, value: role === "known" || role === "written" ? values?.[at] ?? "" : "" }));
  if (role === "written") return single;
  single.sort((a, b) => a.cell - b.cell || a.from - b.from);
  const runs: Run[] = [];
  for (const next of single) {
    const last = runs[runs.length - 1];
    if (last && last.cell === next.cell && last.to + 1 === next.from && last.value === next.value) last.to = next.to;
    else runs.push(next);
  }
  return runs;
}

/** A name where room is scarce. */
export function compact(name: string): string {
  return name.replace(/, /g, ",");
}

/** What fits of a value: all of it, the statement it is of, or nothing. */
export function fitting(value: string, width: number): string {
  const whole = compact(value);
  const begun = `${value.replace(/\(.*/, "")}…`;
  return [whole, begun].find((text) => widthOf(text, SMALL) <= width - 5) ?? "";
}
