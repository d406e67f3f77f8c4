import { beforeEach, describe, expect, it } from "vitest";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
const hover = (element: Element): void => {
  element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
};
const part = (text: string, nth = 0): Element => s.all(".pnb-part").filter((e) => e.textContent === text)[nth]!;

beforeEach(() => {
  s = shown(traces.reload(), { step: 2 });
});

describe("linking", () => {
  it("lights up an access in the program with the overlays that are about it", () => {
    hover(part("A[i]", 1));
    expect(s.all(".pnb-svg .pnb-piw.pnb-lit")).toHaveLength(1);
    expect(s.all(".pnb-svg .pnb-raw.pnb-lit")).toHaveLength(0);
  });

  it("lights up a set with its overlay", () => {
    hover(s.one(".pnb-sets summary"));
    expect(s.all(".pnb-svg .pnb-piw.pnb-lit")).toHaveLength(1);
  });

  it("lights up a statement with its instances, and an access only itself", () => {
    hover(s.one(".pnb-text-name"));
    expect(s.all(".pnb-part.pnb-lit").length).toBeGreaterThan(0);
    expect(s.all(".pnb-dots g.pnb-lit")).toHaveLength(1);
    hover(part("B[i]"));
    expect(s.all(".pnb-part.pnb-lit")).toHaveLength(1);
    expect(s.all(".pnb-dots g.pnb-lit")).toHaveLength(0);
  });

  it("says what an instance is and draws its dependences", () => {
    hover(s.all(".pnb-dots circle")[0]!);
    expect(s.one(".pnb-here").textContent).toBe("R(0), date (0, 0)");
    expect(s.all(".pnb-touched .pnb-line").length).toBeGreaterThan(1);
    s.root.dispatchEvent(new PointerEvent("pointerleave"));
    expect(s.all(".pnb-touched .pnb-line")).toHaveLength(0);
  });

  it("draws the dependences of the step that is shown, also of an instance that stays pinned", () => {
    const dot = s.all(".pnb-dots circle")[0]!;
    const drawn = (): string => s.one(".pnb-touched").innerHTML;
    hover(dot);
    const [before, step] = [drawn(), s.model.get("step")];
    s.model.set("step", 0);
    const kept = drawn();
    expect(kept).not.toBe(before);
    s.root.dispatchEvent(new PointerEvent("pointerleave"));
    hover(dot);
    expect(kept).toBe(drawn());
    s.model.set("step", step);
    expect(drawn()).toBe(before);
  });

  it("focus does what hovering does", () => {
    s.all(".pnb-dots circle")[3]!.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    expect(s.one(".pnb-here").textContent).toBe("S(0), date (0, 1)");
  });

  it("a click pins across steps; Escape and a second click unpin", () => {
    const dot = s.all(".pnb-dots circle")[4] as SVGElement;
    const click = (): boolean => dot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    click();
    s.model.set("step", 3);
    expect(dot.classList.contains("pnb-lit")).toBe(true);
    s.press("Escape");
    expect(dot.classList.contains("pnb-lit")).toBe(false);
    click();
    click();
    expect(dot.classList.contains("pnb-lit")).toBe(false);
  });
});
