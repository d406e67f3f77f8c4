import { beforeEach, describe, expect, it } from "vitest";
import { found } from "../src/search";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
const search = (text: string): void => {
  const box = s.one<HTMLInputElement>(".pnb-search");
  box.value = text;
  box.dispatchEvent(new Event("input"));
};

beforeEach(() => {
  s = shown(traces.reload());
});

describe("the timeline", () => {
  it("names phases, with a tick for each step", () => {
    expect(s.all(".pnb-phase").map((e) => e.querySelectorAll(".pnb-tick").length)).toEqual([1, 4]);
    expect(s.one(".pnb-phase em").textContent).toBe("kept");
    (s.all(".pnb-tick")[3] as HTMLElement).click();
    expect(s.model.get("step")).toBe(3);
    expect(s.one("[aria-current]").getAttribute("aria-label")).toContain("3: T cannot evaluate R");
  });

  it("finds steps by what they say", () => {
    search("WRITES potential");
    expect(s.all(".pnb-tick.pnb-miss")).toHaveLength(4);
    (s.one(".pnb-results button")).click();
    expect(s.model.get("step")).toBe(2);
    search("nowhere said");
    expect(s.one(".pnb-results").textContent).toBe("No step says this.");
    search("");
    expect(s.all(".pnb-miss")).toHaveLength(0);
  });

  it("goes through what it found with Enter, round and round", () => {
    search("tmp");
    const steps = [1, 2, 3].map(() => {
      s.press("Enter", s.one(".pnb-search"));
      return s.model.get("step");
    });
    expect(steps).toEqual([1, 4, 1]);
  });
});

it("an empty search looks for nothing", () => {
  expect(found(traces.reload().steps, "  ")).toBeNull();
});
