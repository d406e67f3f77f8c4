import { beforeEach, describe, expect, it, vi } from "vitest";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
beforeEach(() => {
  s = shown(traces.reload());
});
const selected = (): (string | null)[] => s.all('.pnb-tab[aria-selected="true"]').map((t) => t.textContent);
const code = (): string => s.one(".pnb-text pre").textContent ?? "";
const coloured = (): string[][] => ["deletion", "insertion"].map(
  (role) => s.all(`.pnb-code[role=${role}]`).map((l) => (l.textContent ?? "").trim()));

describe("the texts of the program", () => {
  it("are one place, which shows what the step is about", () => {
    expect([selected(), s.all("pre").length]).toEqual([["before"], 1]);
    s.click("after");
    expect([selected(), code()]).toEqual([["after"], "B[i] = A[i];\n"]);
    s.click("C");
    expect(code()).toContain("void f(double B[N-1][2])");
    s.press("ArrowRight");
    expect([selected(), code().startsWith("for i = 0 to N do")]).toEqual([["before"], true]);
    s.press("End");
    expect(selected()).toEqual(["after"]);
  });

  it("have the colours of their difference where they are compared, and where somebody looks", () => {
    const gone = ["tmp[i] = A[i];", "B[i] = tmp[i];"];
    expect(coloured()).toEqual([gone, []]);
    s.click("after");
    expect(coloured()).toEqual([[], ["B[i] = A[i];"]]);
    s.press("ArrowRight");
    expect(coloured()).toEqual([[], []]);
    s.click("after");
    s.click("before");
    expect(coloured()).toEqual([gone, []]);
  });

  it("have marks of their own, where names mean something else in each", () => {
    const marked = (): (string | null)[] => s.all(".pnb-mark").map((e) => e.textContent);
    const trace = traces.reload();
    Object.assign(trace.steps[1]!, { other: 1, otherMarks: ["s:T"] });
    s = shown(trace);
    s.press("ArrowRight");
    expect([selected(), marked()]).toEqual([["after"], ["B[i] = A[i];"]]);
    s.click("before");
    expect(marked()).toEqual(["tmp[i]", "tmp[i]"]);
  });

  it("keep their tabs where they are", () => {
    const tabs = (): (string | null)[] => s.all(".pnb-tab:not([hidden])").map((t) => t.textContent);
    expect(tabs()).toEqual(["before", "after", "C"]);
    for (let k = 0; k < 5; k += 1) {
      s.model.set("step", k);
      expect(tabs()).toEqual(["before", "after", "C"]);
    }
    const trace = traces.reload();
    delete trace.steps[0].other;
    delete trace.code;
    trace.steps[4]!.program = 0;
    s = shown(trace);
    expect(tabs()).toEqual(["program"]);
  });

  it("are broken between tokens only", () => {
    s.click("C");
    expect(s.all(".pnb-token").map((t) => t.textContent)).toEqual(["B[N-1][2])", "A[i-1]", "// S4_1"]);
    expect(code()).toBe("void f(double B[N-1][2])\n  B[i] = A[i-1] + A[i]; // S4_1\n");
  });

  it("are copied as they are; where that is forbidden, they are selected", async () => {
    const write = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error("forbidden"));
    vi.stubGlobal("navigator", { clipboard: { writeText: write } });
    const button = s.one(".pnb-copy");
    button.click();
    await vi.waitFor(() => expect(button.textContent).toBe("copied"));
    expect(write.mock.calls[0]![0]).toBe(
      "for i = 0 to N do\n  tmp[i] = A[i];\n  A[i] = 0;\n  B[i] = tmp[i];\ndone");
    button.click();
    await vi.waitFor(() => expect(button.textContent).toBe("Ctrl+C"));
    expect(getSelection()?.toString()).toContain("A[i] = 0;");
    vi.unstubAllGlobals();
  });

  it("can be scrolled by keys where they have nothing to be reached", () => {
    expect(s.one(".pnb-text").hasAttribute("tabindex")).toBe(false);
    s.click("C");
    expect(s.one(".pnb-text").getAttribute("tabindex")).toBe("0");
  });
});
