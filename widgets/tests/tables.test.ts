import { describe, expect, it } from "vitest";
import { shown, traces } from "./helpers";
import type { Trace } from "../src/trace";

function told(): Trace {
  const trace = traces.reload();
  const tables = [
    { title: "Functions", columns: ["statement", "time"], rows: [["S", "i"]] },
    { title: "Rows", columns: ["constraint", "row"], rows: [["validity", "c(S, i) ≥ 0"], ["", "m ≥ 0"]] },
  ];
  trace.steps[1]!.tables = tables;
  trace.steps[2]!.tables = structuredClone(tables);
  trace.steps[1]!.order = true;
  return trace;
}

describe("tables", () => {
  it("are folded, made when they are unfolded, and stay so in the next step", () => {
    const s = shown(told(), { step: 1 });
    expect(s.one(".pnb-more").hidden).toBe(false);
    const open = (): boolean[] => s.all(".pnb-more details").map((d) => (d as HTMLDetailsElement).open);
    expect([open(), s.all(".pnb-more td")]).toEqual([[false, false], []]);
    const rows = s.all(".pnb-more details")[1] as HTMLDetailsElement;
    rows.open = true;
    rows.dispatchEvent(new Event("toggle"));
    expect(s.all(".pnb-more td")).toHaveLength(4);
    s.model.set("step", 2);
    expect(open()).toEqual([false, true]);
    s.model.set("step", 3);
    expect(s.one(".pnb-more").hidden).toBe(true);
  });
});

describe("the order", () => {
  it("is shown with a step that is about it, until it is switched off", () => {
    const s = shown(told(), { step: 0 });
    expect(s.player.showsOrder).toBe(false);
    s.model.set("step", 1);
    expect(s.player.showsOrder).toBe(true);
    expect(s.all(".pnb-number").length).toBeGreaterThan(0);
    s.click("order");
    expect(s.player.showsOrder).toBe(false);
    s.model.set("step", 0);
    s.model.set("step", 1);
    expect(s.player.showsOrder).toBe(false);
  });
});
