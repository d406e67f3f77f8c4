import { describe, expect, it } from "vitest";
import { thinned } from "../src/focus";
import { below, corners, placed, FreePlaces } from "../src/labels";
import { arrange } from "../src/layout";
import { boxOf, meet } from "../src/spots";
import { explained, meaningOf } from "../src/terms";
import type { Overlay, Trace } from "../src/trace";
import { sceneOf, shown, traces } from "./helpers";

const ARROWS: Overlay = {
  id: "raw:P:P", role: "raw", label: "RAW P → P", pairs: [[0, 0, 0, 3], [0, 1, 0, 4], [0, 2, 0, 5], [0, 0, 0, 4]],
};

function tangled(): Trace {
  const trace = traces.plane();
  Object.assign(trace.steps[0]!, { overlays: [ARROWS], focus: [[0, 4]] });
  return trace;
}

const arrows = (path: string | null | undefined): number => (path?.match(/Q/g) ?? []).length;

describe("arrows that are too many", () => {
  it("are those of the instances in the trace's focus, unless all are wanted", () => {
    const s = shown(tangled());
    const drawn = (): number => arrows(s.one(".pnb-svg .pnb-raw .pnb-line").getAttribute("d"));
    expect(drawn()).toBe(2);
    expect(s.one(".pnb-roles").textContent).toContain("(2 of 4 drawn)");
    expect(s.one(".pnb-here").textContent).toBe("Arrows of P(1, 1); point at another instance for its own.");
    expect(s.all(".pnb-chosen")).toHaveLength(1);
    s.click("all arrows");
    expect(drawn()).toBe(4);
    expect(s.all(".pnb-chosen")).toHaveLength(0);
    s.press("a");
    expect(drawn()).toBe(2);
  });
  it("are those of an instance that is reached by keyboard", () => {
    const s = shown(tangled());
    s.all(".pnb-dot")[2]!.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    expect(arrows(s.one(".pnb-touched .pnb-line").getAttribute("d"))).toBe(1);
    expect(s.one(".pnb-here").textContent).toContain("P(0, 9)");
  });
  it("need no choice where they can be told apart", () => {
    const trace = tangled();
    delete trace.steps[0]!.focus;
    const s = shown(trace);
    expect(arrows(s.one(".pnb-svg .pnb-raw .pnb-line").getAttribute("d"))).toBe(4);
    expect(s.all(".pnb-switches button:not([hidden])").map((b) => b.textContent)).not.toContain("all arrows");
  });
  it("keep their number when they are thinned", () => {
    expect(thinned(ARROWS, [[0, 0]])).toMatchObject({ total: 4, pairs: [[0, 0, 0, 3], [0, 0, 0, 4]] });
    expect(thinned(ARROWS, [[0, 0], [0, 1], [0, 2]])).toBe(ARROWS);
  });
});

describe("texts", () => {
  it("beside instances meet neither one another nor those of the axes", () => {
    for (const trace of [traces.reload(), traces.plane(), traces.cube()]) {
      const layout = arrange(sceneOf(trace), 640);
      const room = new FreePlaces(layout);
      const size = { width: 13, height: 10 };
      const boxes = layout.spots.flat().map((spot) =>
        room.placed((layout.flat ? below : corners)(spot, size, layout.radius + 1)));
      const spots = layout.spots.map((row) => row[0]!);
      boxes.push(...placed(spots, spots.map(() => ({ width: 80, height: 13 })), 3 * layout.radius + 2, room));
      boxes.push(...layout.texts.map(boxOf));
      const pairs = boxes.flatMap((a, k) => boxes.slice(k + 1).map((b) => [a, b] as const));
      expect(pairs.filter(([a, b]) => meet(a, b))).toEqual([]);
      for (const { x, y, width, height } of boxes) {
        expect(Math.min(x, y, layout.width - x - width, layout.height - y - height)).toBeGreaterThanOrEqual(0);
      }
    }
  });
  it("are inside of the picture, however long the names of iterators", () => {
    const scene = sceneOf(traces.cube());
    scene.spaces[0]!.dims = ["outermost", "in_between", "innermost"];
    const layout = arrange(scene, 640);
    for (const { x, y, width, height } of layout.texts.map(boxOf)) {
      expect(Math.min(x, y, layout.width - x - width, layout.height - y - height)).toBeGreaterThanOrEqual(0);
    }
  });
  it.each([400, 642, 800])("of rows need no scrollbar at %i pixels", (width) => {
    expect(arrange(sceneOf(traces.reload()), width).width).toBeLessThanOrEqual(width);
  });
});

it("numbers are the times themselves where these are one number each", () => {
  const trace = traces.plane();
  const scene = sceneOf(trace);
  scene.spaces[0]!.dates = [[7], [7], [8], [8], [9], [9]];
  scene.spaces[1]!.dates = [[3]];
  trace.steps[0]!.order = true;
  const numbers = shown(trace).all(".pnb-number").map((e) => Number(e.textContent));
  expect(numbers.sort()).toEqual([3, 7, 7, 8, 8, 9, 9]);
});

describe("terms", () => {
  const said = (text: string): string[] => explained(text).map((part) =>
    typeof part === "string" ? part : `<${(part as HTMLElement).dataset.term ?? "code"}>`);

  it("are found in sentences, each once", () => {
    expect(said("The dates decide: θ(S) ≪ θ(T), whatever dates are.")).toEqual(
      ["The ", "<date>", " decide: ", "<≪>", ", whatever dates are."]);
    expect(said("Overwritten reloads, ORDER and PIWs")).toEqual(["<OR>", ", ORDER and PIWs"]);
    expect(said("Add `temp band;` here")).toEqual(["Add ", "<code>", " here"]);
  });
  it("are explained to a keyboard and to touch, and to who reads the legend", () => {
    const trace = tangled();
    trace.steps[0]!.sentence = "PIW is empty.";
    const s = shown(trace);
    const term = s.one(".pnb-sentence .pnb-term");
    const tip = s.one(".pnb-tip");
    expect([term.tabIndex, tip.hidden]).toEqual([0, true]);
    term.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    expect(tip.textContent).toBe(meaningOf("PIW"));
    expect(tip.textContent).toContain("CC'18, section 3.2");
    expect(term.getAttribute("aria-describedby")).toBe(tip.id);
    s.press("Escape", term);
    expect(tip.hidden).toBe(true);
    s.one("[data-role=raw]").dispatchEvent(new Event("pointerover", { bubbles: true }));
    expect(tip.textContent).toContain("Read after write");
  });
});
