// How much room the panels of a trace need, over all its steps: what is decided once does not move
// from step to step. Pure geometry; texts are estimated, for what is too long scrolls in its box.
import { arrange, lowest, under } from "./layout";
import { arrangeMemory, marginsOf, memoriesOf } from "./memory_layout";
import { labelsShown } from "./legend";
import { entriesOf, groupTitle } from "./memory_legend";
import { ROLES } from "./roles";
import type { Memory, Program, Role, Step, Trace } from "./trace";

export interface Room {
  /** Pixels: the legend of spaces, that of memory, the picture with its own, and the texts of programs. */
  legend: number;
  textures: number;
  sight: number;
  /** Of that picture, also where the window is too low for all: the page is scrolled then. A still,
   * which changes with a slider above it, is never cut. */
  least: number;
  /** The same in a notebook, so that the picture is whole. */
  small: number;
  program: number;
  /** Folded lines below: sets and tables. */
  lines: number;
}

/** No panel becomes higher than that, whatever is in it. */
const MOST = 900;
const [ROW, LABEL_ROW, SWITCHES, MOST_LEGEND] = [32, 22, 36, 200];
const [LETTER, LABEL, BUTTON, SWATCH] = [7.83, 6.8, 78, 32];
/** What stands under a picture of memory: what is pointed at, and what is what. */
const UNDER = 66;
/** And of pictures beside which one steps: with the buttons above, all of it is on screen. */
const STEPPED = 360;
const LEAST = 220;
const [LINE, TABS] = [20.8, 60];

/** Whether nothing is stepped: one picture, whose program need not be on screen beside each step. */
export function isStill(trace: Trace): boolean {
  return trace.steps.length === 1 && memoriesOf(trace).length === 0;
}

export function roomFor(trace: Trace, width: number): Room {
  const scenes = trace.steps.filter((s) => !s.memory);
  const legend = SWITCHES + Math.min(MOST_LEGEND, Math.max(ROW, ...scenes.map((s) => legendHeight(trace, s, width))));
  let [picture, small] = [0, 0];
  for (const scene of trace.scenes) {
    const others = legend + under(scene, width);
    picture = Math.max(picture, others + arrange(scene, width).height);
    small = Math.max(small, others + lowest(scene, width));
    if (picture > MOST) break;
  }
  const memories = memoriesOf(trace);
  const margins = marginsOf(memories, width);
  // One of the two pictures is on screen: memory stands right under its own legend.
  const textures = SWITCHES + Math.max(0, ...memories.map((m) => texturesHeight(m, width)));
  picture = Math.max(picture, ...memories.map((m) => textures + arrangeMemory(m, width, margins).height + UNDER));
  const texts = trace.code ? [...trace.programs, trace.code] : trace.programs;
  const sight = trace.scenes.length + memories.length ? Math.min(MOST, picture) : 0;
  return {
    legend, textures, sight,
    least: Math.min(isStill(trace) ? MOST : memories.length ? 300 : 270, Math.max(LEAST, sight)),
    small: Math.min(small, STEPPED, sight),
    program: Math.min(MOST, TABS + LINE * Math.max(...texts.map((p) => linesOf(p, width)))),
    lines: Math.max(...trace.steps.map((s) => (s.sets?.length ?? 0) + (s.tables?.length ?? 0))),
  };
}

/** The legend: each role once, with the names of what it shows, wrapped as the style sheet does. */
function legendHeight(trace: Trace, step: Step, width: number): number {
  const scene = step.scene === null ? null : trace.scenes[step.scene];
  const own = step.overlays?.length ? step.overlays : null;
  const focus = own ? step.focus : scene?.focus;
  const byRole = new Map<Role, Set<string>>();
  for (const { role, label, pairs = [], instances = [] } of own ?? scene?.relations ?? []) {
    const remark = focus?.length ? " (1 of 14 drawn)" : pairs.length + instances.length ? "" : " (none here)";
    byRole.set(role, (byRole.get(role) ?? new Set()).add(label + remark));
  }
  const entries = [...byRole].map(([role, labels]) => {
    const [count, all] = [labelsShown(labels.size), [...labels]];
    const seen = count < all.length ? [...all.slice(0, count), `and ${all.length - count} more`] : all;
    const texts = seen.map((label) => 6 + LABEL * label.length);
    const lines = wrapped([BUTTON + LABEL * (ROLES[role] ?? role).length, ...texts], 8, width);
    // One that is broken takes the whole width, however long its lines are.
    return { width: lines.length > 1 ? width : lines[0]!.width, height: ROW + LABEL_ROW * (lines.length - 1) };
  });
  const lines = wrapped(entries.map((e) => e.width), 14, width);
  return lines.reduce((sum, { items }) => sum + Math.max(...items.map((k) => entries[k]?.height ?? 0)), 0);
}

/** Lines of boxes side by side, each broken before the box that has no room. */
function wrapped(widths: readonly number[], gap: number, most: number): { items: number[]; width: number }[] {
  const lines: { items: number[]; width: number }[] = [];
  widths.forEach((width, k) => {
    const last = lines[lines.length - 1];
    if (last && last.width + gap + width <= most) {
      last.items.push(k);
      last.width += gap + width;
    } else lines.push({ items: [k], width });
  });
  return lines;
}

/** Textures are no buttons: all is in lines of one height. The names of both groups, and a conflict,
 * come with them. */
function texturesHeight(memory: Memory, width: number): number {
  const lines = (["existing", "proposed"] as const).map((of) => {
    const entries = entriesOf(memory).filter((e) => e.of === of).map(({ name, labels }) =>
      SWATCH + 1.15 * LABEL * name.length + labels.reduce((sum, label) => sum + 14 + LABEL * label.length, 0));
    const more = of === "proposed" && memory.conflict ? [SWATCH + 62] : [];
    const title = 1.15 * LABEL * groupTitle(of, memory).length;
    return entries.length ? wrapped([title, ...entries, ...more], 14, width).length : 0;
  });
  return LABEL_ROW * (lines[0]! + lines[1]!);
}

/** Lines of a program where they are broken at that width. */
function linesOf(program: Program, width: number): number {
  const across = Math.max(20, Math.floor((width - 52) / LETTER));
  return program.lines.reduce((sum, line) => {
    const text = line.map(([t]) => t).join("");
    const rest = text.length - across;
    const further = Math.max(10, across - (text.length - text.trimStart().length) - 4);
    return sum + 1 + (rest > 0 ? Math.ceil((1.1 * rest) / further) : 0);
  }, 0);
}

/** The steps that have most to say: as much room as they need is kept for all. */
export function longest(steps: readonly Step[], most: number): Step[] {
  const size = (s: Step): number =>
    1.2 * s.sentence.length + (s.detail ? 80 + s.detail.length : 0)
    + (s.witness ? 80 + s.witness.sentence.length + 40 * s.witness.instances.length : 0)
    + (s.memory?.conflict ? 80 + s.memory.conflict.sentence.length : 0);
  return [...steps].sort((a, b) => size(b) - size(a)).slice(0, most);
}
