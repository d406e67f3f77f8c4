import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
beforeEach(() => {
  s = shown(traces.reload());
});

describe("stepping", () => {
  it("starts with the verdict and the arrays", () => {
    expect(s.one(".pnb-verdict").textContent).toBe("tmp is kept: S overwrites what R reads.");
    expect(s.one(".pnb-overview").hidden).toBe(false);
    s.click("tmp");
    expect(s.model.get("step")).toBe(3);
    expect(s.one(".pnb-overview").hidden).toBe(true);
  });

  it("goes forward, back, and no further than the ends", () => {
    s.click("One step forward (→)");
    s.click("One step forward (→)");
    expect(s.one(".pnb-sentence").textContent).toBe("Potential intermediate writes: those of S.");
    expect(s.one(".pnb-number-of").textContent).toBe("2 of 4");
    s.click("One step back (←)");
    s.click("First step (Home)");
    s.click("One step back (←)");
    expect(s.model.get("step")).toBe(0);
    s.click("Last step (End)");
    s.click("One step forward (→)");
    expect(s.model.get("step")).toBe(4);
  });

  it("follows Python, and survives a shorter trace", () => {
    s.model.set("step", 3);
    expect(s.one(".pnb-witness").textContent).toContain("S(0) overwrites A[0]");
    s.model.set("trace", traces.plane());
    expect(s.one(".pnb-sentence").textContent).toBe("Two pieces.");
    expect(s.player.step).toBe(0);
  });

  it("keeps a slider that is being moved, and how far it goes", () => {
    const sized = (value: number): unknown => (
      { ...traces.reload(), parameters: [{ name: "N", value, low: 0, high: value }] }
    );
    s = shown(sized(20), { live: true });
    const input = s.one<HTMLInputElement>(".pnb-sliders input");
    input.focus();
    s.model.set("trace", sized(19));
    expect(document.activeElement).toBe(input);
    expect(input.max).toBe("20");
    input.blur();
    s.model.set("trace", sized(18));
    expect([input.max, input.value]).toEqual(["18", "18"]);
  });

  it("shows no controls where there is nothing to step", () => {
    s.model.set("trace", traces.plane());
    expect([s.one(".pnb-controls").hidden, s.one(".pnb-timeline").hidden]).toEqual([true, true]);
  });

  it("keeps the step when a trace for other parameters arrives", () => {
    s.model.set("step", 2);
    s.model.set("trace", traces.reload());
    expect(s.player.step).toBe(2);
  });

  it("draws instances once for a scene, and keeps them from step to step", () => {
    const dot = s.one(".pnb-dots circle");
    s.model.set("step", 2);
    s.model.set("step", 3);
    expect(s.one(".pnb-dots circle")).toBe(dot);
    expect(s.all(".pnb-dots circle")).toHaveLength(9);
    expect(s.all(".pnb-ring")).toHaveLength(3);
  });

  it("marks what the step is about", () => {
    s.model.set("step", 1);
    expect(s.all(".pnb-mark").map((e) => e.textContent)).toEqual(["tmp[i]", "tmp[i]"]);
  });

  it("shows all dependences by default only where a step shows none of its own", () => {
    const visible = (): number => s.all(".pnb-svg .pnb-overlay:not(.pnb-off)").length;
    expect(visible()).toBe(2);
    s.model.set("step", 3);
    expect(visible()).toBe(1);
    s.click("dependences");
    expect(visible()).toBe(3);
  });

  it("switches roles off, and tells Python", () => {
    s.model.set("step", 2);
    s.one<HTMLButtonElement>("[data-role=piw]").click();
    expect(s.model.get("hidden")).toEqual(["piw"]);
    expect(s.all(".pnb-svg .pnb-piw")).toHaveLength(0);
    s.one<HTMLButtonElement>("[data-role=piw]").click();
    expect(s.all(".pnb-svg .pnb-piw")).toHaveLength(1);
  });

  it("numbers instances in the order of their dates", () => {
    s.press("o");
    const numbers = s.all(".pnb-svg .pnb-number").map((e) => Number(e.textContent));
    expect(numbers).toHaveLength(9);
    expect(Math.max(...numbers)).toBe(9);
  });

  it("says the step in a table while that is unfolded", () => {
    s.model.set("step", 3);
    const table = s.one<HTMLDetailsElement>(".pnb-table");
    expect(table.querySelector("td")).toBeNull();
    table.open = true;
    table.dispatchEvent(new Event("toggle"));
    expect(table.textContent).toContain("T(1), date (1, 2)");
  });
});

describe("playing", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("steps to the end, silently for screen readers", () => {
    s.click("Play (space)");
    expect(s.one(".pnb-sentence").getAttribute("aria-live")).toBe("off");
    vi.advanceTimersByTime(60_000);
    expect(s.model.get("step")).toBe(4);
    expect(s.one(".pnb-sentence").getAttribute("aria-live")).toBe("polite");
  });

  it("stops at a question", () => {
    s.model.set("predict", true);
    s.click("Play (space)");
    vi.advanceTimersByTime(60_000);
    expect(s.player.asking).toBe(1);
    expect(s.player.playing).toBe(false);
  });

  it("asks the kernel for other parameters once a slider rests", () => {
    s.model.set("live", true);
    const slider = s.one<HTMLInputElement>(".pnb-sliders input");
    for (const value of ["3", "4", "5"]) {
      slider.value = value;
      slider.dispatchEvent(new Event("input"));
    }
    expect(s.model.get("wanted")).toEqual({});
    vi.advanceTimersByTime(100);
    expect(s.model.get("wanted")).toEqual({ N: 5 });
    slider.value = "6";
    slider.dispatchEvent(new Event("input"));
    s.model.set("trace", structuredClone(s.model.get("trace"))); // the answer to what was asked before
    vi.advanceTimersByTime(100);
    expect(s.model.get("wanted")).toEqual({ N: 6 });
    s.model.set("live", false);
    expect(s.one(".pnb-sliders").hidden).toBe(true);
  });
});
