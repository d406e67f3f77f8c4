import { describe, expect, it } from "vitest";
import memory from "./fixtures/memory.json";
import { arrangeMemory, boxOf, clearest, fitting, lineOf, marginsOf, memoriesOf, runsOf, type MemoryLayout } from "../src/memory_layout";
import { wordsOf } from "../src/memory_labels";
import { placeText, RULES } from "../src/memory_words";
import { roomFor } from "../src/room";
import { meet, widthOf } from "../src/spots";
import { meaningOf } from "../src/terms";
import { texture } from "../src/textures";
import type { Memory, Trace } from "../src/trace";
import { shown, traces } from "./helpers";

const trace = (): Trace => structuredClone(memory) as unknown as Trace;
/** Listing 3 for N = 3, K = 2: T(0), S(0, 0), S(0, 1), U(0), T(1), ... */
const at = (step: number): Memory => trace().steps[step]!.memory!;
const layoutOf = (memory: Memory): MemoryLayout => arrangeMemory(memory, 1000, marginsOf([memory], 1000));

describe("memory", () => {
  it("stands where the scene stands, and scenes come back", () => {
    const s = shown(trace());
    const visible = (): boolean[] => [".pnb-memory", ".pnb-space:not(.pnb-memory)"].map((e) => !s.one(e).hidden);
    expect(visible()).toEqual([false, true]);
    s.press("ArrowRight");
    expect(visible()).toEqual([true, false]);
    expect(s.all(".pnb-legend:not([hidden])")).toHaveLength(1);
    s.press("ArrowLeft");
    expect(visible()).toEqual([false, true]);
  });

  it("has a row for each cell, a line for each instance, and a place for each of both and each zone", () => {
    const s = shown(trace(), { step: 1 });
    expect(s.all(".pnb-cells text").map((e) => e.textContent)).toEqual(["C[0]", "C[1]", "C[2]"]);
    const times = s.all(".pnb-memory .pnb-text-tick:not(.pnb-end)");
    expect(times.map((e) => e.textContent)).toEqual(at(1).times.map((time) => time.replace(" ", "")));
    expect(s.all(".pnb-place")).toHaveLength(3 * (12 + 13));
  });

  it("draws what is proposed over what there is, and what is written over what is known", () => {
    const s = shown(trace(), { step: 2 });
    expect(s.all(".pnb-drawn .pnb-layer").map((e) => e.getAttribute("class")!.replace("pnb-layer ", ""))).toEqual([
      "pnb-existing pnb-unused", "pnb-existing pnb-occupied", "pnb-existing pnb-known", "pnb-existing pnb-written",
      "pnb-proposed pnb-occupied", "pnb-proposed pnb-known", "pnb-proposed pnb-written",
    ]);
    const values = s.all(".pnb-proposed .pnb-value").map((e) => e.textContent);
    expect(values.slice(0, 3)).toEqual(["0", expect.stringMatching(/^S/), expect.stringMatching(/^S/)]);
  });

  it("shows in the legend what is on the picture only, each with what it means", () => {
    const s = shown(trace(), { step: 1 });
    const names = (): (string | null)[] =>
      s.all(".pnb-legend:not([hidden]) .pnb-term").map((e) => e.textContent);
    expect(names()).toEqual(["unused", "occupied", "known content", "written"]);
    expect(s.one(".pnb-trying").textContent).toBe("still to be tried: cs");
    s.press("ArrowRight");
    s.press("ArrowRight");
    expect(names().slice(4)).toEqual(["lifetime", "known content", "written", "conflict"]);
    expect(s.one(".pnb-trying").textContent).toBe("does it fit in C? sstill to be tried: nothing");
    for (const e of s.all(".pnb-term")) expect(meaningOf((e as HTMLElement).dataset.term!)).toContain("DeLICM");
  });

  it("says what is at a place that is pointed at, or reached by keyboard", () => {
    const s = shown(trace(), { step: 2 });
    const here = (): string => s.one(".pnb-memory .pnb-here").textContent!;
    expect(here()).toBe("Point at a place to read what is there.");
    const first = s.one(".pnb-place[tabindex='0']");
    first.focus();
    expect(first.getAttribute("aria-label")).toBe("C[0], before T(0): unused");
    s.press("ArrowDown", first);
    const second = s.one(".pnb-place[tabindex='0']");
    expect(second.getAttribute("aria-label")).toBe("C[0] at T(0): not written; c: written 0");
    expect(here()).toBe("C[0] at T(0): not written; c: written 0");
    s.press("ArrowRight", second);
    expect(s.one(".pnb-place[tabindex='0']").getAttribute("aria-label")).toBe("C[0] at T(0): not written; s: written ?");
  });

  it("is a table too", () => {
    const s = shown(trace(), { step: 3 });
    s.one<HTMLDetailsElement>(".pnb-table").open = true;
    s.one(".pnb-table").dispatchEvent(new Event("toggle"));
    const rows = s.all(".pnb-table tbody tr").map((e) => [...e.children].map((c) => c.textContent));
    expect(rows[0]).toEqual(["conflict: lifetime in an occupied zone", "C[0], between U(0) and T(1)", ""]);
    expect(rows).toContainEqual(["known content", "C[1], after U(1)", "S(1, 1)"]);
    expect(rows).toContainEqual(["s: lifetime", "C[0], between T(0) and U(2)", ""]);
    expect(rows).toContainEqual(["s: written", "C[0], at T(0)", "?"]);
  });
});

describe("a conflict", () => {
  it("is ringed, named and explained", () => {
    const s = shown(trace(), { step: 3 });
    expect(s.one(".pnb-clash text").textContent).toBe(`✗ conflict: ${RULES.lifetime}`);
    expect(s.one(".pnb-witness").textContent).toBe(`Conflict: ${at(3).conflict!.sentence}`);
    const ring = s.one(".pnb-memory .pnb-ring");
    const middle = Number(ring.getAttribute("x")) + Number(ring.getAttribute("width")) / 2;
    const lines = s.all(".pnb-memory .pnb-times .pnb-rule").map((line) => Number(line.getAttribute("x1")));
    expect(middle).toBe((lines[3]! + lines[4]!) / 2);
  });

  it("is at a line where a write is the matter", () => {
    const t = trace();
    t.steps[3]!.memory!.conflict = { place: [1, 7], at: "time", rule: "existing write", sentence: "U(1) writes C[1]." };
    const s = shown(t, { step: 3 });
    const ring = s.one(".pnb-memory .pnb-ring");
    const line = s.all(".pnb-memory .pnb-times .pnb-rule")[7]!;
    expect(Number(ring.getAttribute("x")) + Number(ring.getAttribute("width")) / 2).toBe(Number(line.getAttribute("x1")));
    expect(placeText(t.steps[3]!.memory!, { cell: 1, k: 7, at: "time" }, t.steps[3]!.memory!.conflict!))
      .toBe("C[1] at U(1): written S(1, 1); conflict, existing write into the lifetime");
  });

  it("is not told to who is asked whether it fits", () => {
    const s = shown(trace(), { step: 2, predict: true });
    s.press("ArrowRight");
    expect(s.one(".pnb-prompt").textContent).toContain("does it fit?");
    expect(s.all(".pnb-memory .pnb-proposed")).toHaveLength(3);
    const told = (): string => s.one(".pnb-sight").textContent! + s.all(".pnb-place[aria-label]").map((e) => e.getAttribute("aria-label")).join() + s.one(".pnb-said").textContent;
    expect(s.all(".pnb-clash")).toHaveLength(0);
    expect(told()).not.toMatch(/conflict/i);
    s.click("no");
    expect(s.one(".pnb-told").textContent).toContain("✓ Right.");
    expect(s.all(".pnb-clash")).not.toHaveLength(0);
    expect(told()).toContain(at(3).conflict!.sentence);
  });

  it("nor is a candidate while another question is asked", () => {
    const t = trace();
    t.steps[2]!.question = { kind: "array", prompt: "Which scalar?", explain: "", options: ["c", "s"], answer: "c" };
    const s = shown(t, { step: 1, predict: true });
    s.press("ArrowRight");
    expect(s.one(".pnb-prompt").textContent).toContain("Which scalar?");
    expect(s.all(".pnb-memory .pnb-proposed")).toHaveLength(0);
    s.click("c");
    expect(s.all(".pnb-memory .pnb-proposed")).not.toHaveLength(0);
  });
});

describe("the layout of memory", () => {
  const long = (n: number): Memory => ({ ...at(1), times: Array.from({ length: n }, (_, k) => `S(${k}, ${k})`), layers: [] });

  it.each([250, 470, 640, 1200])("fits into %i pixels, or zones have their least width", (width) => {
    for (const count of [0, 1, 12, 40, 100]) {
      const memories = [long(count)];
      const layout = arrangeMemory(memories[0]!, width, marginsOf(memories, width));
      const [all, least] = [layout.left + layout.width, layout.zone * (count + 1)];
      expect(all <= width + 1 || least === 15 * (count + 1)).toBe(true);
      if (count > 1) expect(lineOf(layout, 1) - lineOf(layout, 0)).toBe(layout.zone);
    }
  });

  it("keeps rows where they are at all steps of a trace", () => {
    const t = trace();
    t.steps[1]!.memory = { ...long(3), array: "D", cells: ["longest_of_all[0]"] };
    const tops = memoriesOf(t).map((m) => arrangeMemory(m, 600, marginsOf(memoriesOf(t), 600)));
    expect(new Set(tops.map(({ top, left }) => `${top} ${left}`)).size).toBe(1);
    const room = roomFor(t, 600);
    expect(room.sight).toBeGreaterThan(room.textures + Math.max(...tops.map(({ height }) => height)));
    expect(roomFor(traces.reload(), 600)).toEqual(roomFor({ ...traces.reload() }, 600));
  });

  it("has room for memory where a trace has no scene", () => {
    const t = trace();
    t.scenes = [];
    t.steps.shift();
    for (const step of t.steps) step.scene = null;
    const s = shown(t);
    expect(s.one(".pnb-sight").hidden).toBe(false);
    expect(roomFor(t, 600).sight).toBeGreaterThan(200);
  });

  it("makes runs of what is the same in neighbouring zones, and does not cover one value with another", () => {
    const known = at(2).layers.filter(({ role }) => role === "known");
    expect(runsOf(known[0]!)).toContainEqual({ cell: 1, from: 8, to: 12, value: "S(1, 1)" });
    expect(runsOf(known[1]!).map(({ from, to }) => to - from)).toEqual(Array(9).fill(0));
    const layout = arrangeMemory(at(2), 640, marginsOf([at(2)], 640));
    const boxes = known.flatMap((layer) => runsOf(layer).map((run) => boxOf(layout, layer, run)));
    const inner = boxes.map((b) => ({ ...b, x: b.x + 0.5, width: b.width - 1 }));
    expect(inner.flatMap((a, k) => inner.slice(k + 1).filter((b) => meet(a, b)))).toEqual([]);
  });

  it("has values where no write and no ring stands", () => {
    const run = { cell: 1, from: 2, to: 7, value: "S(0)" };
    const among = (...times: number[]): number[] => {
      const { from, to } = clearest(run, (cell, k) => cell === 1 && times.includes(k));
      return [from, to];
    };
    expect([among(), among(3), among(5), among(2, 6), among(1, 7)]).toEqual([[2, 7], [4, 7], [2, 5], [3, 6], [2, 7]]);
  });

  it("has both values that clash in the ring", () => {
    const run = { cell: 1, from: 2, to: 7, value: "S(0)" };
    const at = (lit: number): number[] => {
      const { from, to } = clearest(run, (_, k) => [2, 5].includes(k), lit);
      return [from, to];
    };
    expect([at(2), at(4), at(6), at(-1), at(9)]).toEqual([[2, 2], [3, 5], [6, 7], [3, 5], [3, 5]]);
  });

  it("stands right under its own legend, however high that of the space is", () => {
    const low = roomFor(trace(), 600);
    const t = trace();
    const relations = Array.from({ length: 9 }, (_, k) => ({ id: `o${k}`, role: "raw", label: `long name ${k} of it`, pairs: [] }));
    t.scenes = t.scenes.map((scene) => ({ ...scene, relations: relations as unknown as typeof scene.relations }));
    for (const step of t.steps) delete step.overlays;
    const high = roomFor(t, 600);
    expect(high.legend).toBeGreaterThan(low.legend);
    expect(high.textures).toBe(low.textures);
    expect([low.least, roomFor(traces.reload(), 600).least]).toEqual([300, 270]);
  });

  it("names each kind of place once, where nothing else stands", () => {
    const said = (step: number): string[] => wordsOf(at(step), layoutOf(at(step)), at(step).conflict ?? null).map(({ text }) => text);
    expect(said(1).sort()).toEqual(["occupied", "unused", "written"]);
    expect(said(2).sort()).toEqual(["occupied", "unused", "written", "← lifetime of c"]);
    expect(said(3).length).toBeGreaterThan(2);
    const narrow = arrangeMemory(at(2), 300, marginsOf([at(2)], 300));
    expect(wordsOf(at(2), narrow, null).every(({ text, x }) => x > 0 && text.length * 6.8 < narrow.width)).toBe(true);
  });

  it("has no word over another, over a value, or over what is written", () => {
    for (const [step, width] of [1, 2, 3].flatMap((k) => [420, 640, 1000].map((w) => [k, w] as const))) {
      const memory = at(step);
      const layout = arrangeMemory(memory, width, marginsOf([memory], width));
      const words = wordsOf(memory, layout, memory.conflict ?? null).map(({ text, x, y, anchor }) => {
        const w = widthOf(text, 11);
        return { x: x - { start: 0, middle: w / 2, end: w }[anchor], y: y - 9, width: w, height: 11 };
      });
      const others = memory.layers.filter(({ role }) => role === "known" || role === "written")
        .flatMap((layer) => runsOf(layer).map((run) => boxOf(layout, layer, run)));
      expect(words.flatMap((a, k) => [...words.slice(k + 1), ...others].filter((b) => meet(a, b)))).toEqual([]);
    }
  });

  it("names the first and the last zone beside the names of instances", () => {
    for (const width of [300, 500, 640, 1200]) {
      const m = { ...at(1), times: ["scale(0, 0)", "add(0, 0, 0)", "store(0, 0)"], layers: [] };
      const layout = arrangeMemory(m, width, marginsOf([m], width));
      const half = (6.6 * "store(0,0)".length) / 2;
      if (!layout.slanted) expect(layout.zone - half).toBeGreaterThan(6.6 * "before".length);
    }
  });

  it("shortens what does not fit", () => {
    expect([60, 30, 8].map((width) => fitting("S(0, 1)", width))).toEqual(["S(0,1)", "S…", ""]);
  });
});

describe("textures", () => {
  const box = { x: 13, y: 7, width: 31, height: 19 };
  const numbers = (d: string): number[][] => [...d.matchAll(/([ML]?)(-?[\d.]+) (-?[\d.]+)/g)].map((m) => [Number(m[2]), Number(m[3])]);

  it("are four, and stay inside of their box", () => {
    const drawn = (["unused", "occupied", "known", "written"] as const).map((role) => texture(role, box));
    expect(new Set(drawn).size).toBe(4);
    for (const d of drawn) {
      expect(d).not.toBe("");
      for (const [x, y] of numbers(d)) {
        expect(x! >= 13 && x! <= 44 && y! >= 7 && y! <= 26).toBe(true);
      }
    }
  });
  it("go on from a box to its neighbour", () => {
    const [left, right] = [{ ...box, width: 15 }, { ...box, x: 28, width: 16 }];
    const ends = (d: string): string[] => numbers(d).filter(([x, y]) => x === 28 && y! < 26).map(String).sort();
    expect(ends(texture("occupied", left)).length).toBeGreaterThan(1);
    expect(ends(texture("occupied", left))).toEqual(ends(texture("occupied", right)));
  });
});
