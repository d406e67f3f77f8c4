import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyModel } from "../src/model";
import { readTrace } from "../src/read";
import { traces } from "./helpers";

const load = async (): Promise<typeof import("../src/stepper")> => {
  vi.resetModules();
  return import("../src/stepper");
};
const page = (text: string, hash = ""): void => {
  location.hash = hash;
  const script = document.createElement("script");
  script.type = "application/json";
  script.textContent = text;
  const el = document.createElement("div");
  el.setAttribute("data-polynb-stepper", "");
  el.append(script, "a picture for those without scripts");
  document.body.replaceChildren(el);
};
const sentence = (): string => document.querySelector(".pnb-sentence")?.textContent ?? "";

describe("a page", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("mounts itself, at the step of the address", async () => {
    page(JSON.stringify(traces.reload()), "#step=2");
    await load();
    expect(sentence()).toBe("Potential intermediate writes: those of S.");
    expect(document.body.textContent).not.toContain("without scripts");
    expect(document.querySelectorAll("#pnb-style")).toHaveLength(1);
    await load();
    expect(document.querySelectorAll(".pnb-root")).toHaveLength(1);
  });

  it("writes the step to the address, and does without where that is forbidden", async () => {
    page(JSON.stringify(traces.reload()), "");
    await load();
    document.querySelectorAll<HTMLElement>(".pnb-tick")[1]!.click();
    vi.advanceTimersByTime(500);
    expect(location.hash).toBe("#step=1");
    const forbidden = vi.spyOn(history, "replaceState").mockImplementation(() => {
      throw new DOMException("sandboxed", "SecurityError");
    });
    document.querySelectorAll<HTMLElement>(".pnb-tick")[3]!.click();
    vi.advanceTimersByTime(500);
    expect(forbidden).toHaveBeenCalled();
    expect(sentence()).toBe("T cannot evaluate R: S(0) comes between.");
    forbidden.mockRestore();
  });

  it("says so where there is no trace", async () => {
    page("{ not json");
    await load();
    expect(document.querySelector(".pnb-root > .pnb-problem")!.textContent).toContain("no polynb trace");
  });
});

describe("what is no trace", () => {
  it.each([
    [null, "There is no polynb trace here to be shown."],
    ["text", "There is no polynb trace here to be shown."],
    [{ ...traces.reload(), version: 2 }, "This trace has version 2"],
    [{ ...traces.reload(), steps: undefined }, "This trace is incomplete: it has no steps."],
    [{ ...traces.reload(), steps: [] }, "This trace has no steps."],
    [{ ...traces.reload(), programs: [] }, "This trace is damaged: step 0"],
  ])("is named (%#)", (value, said) => {
    expect(readTrace(value).problem).toContain(said);
  });
});

describe("anywidget", () => {
  it("renders, saves, steps on without a kernel, and cleans up", async () => {
    document.body.replaceChildren();
    const { default: widget } = await load();
    const values: Record<string, unknown> = { trace: traces.reload(), step: 1 };
    const listeners = new Map<string, Set<() => void>>();
    const model: AnyModel = {
      get: (name) => values[name],
      set(name, value) {
        values[name] = value;
        listeners.get(`change:${name}`)?.forEach((listener) => listener());
      },
      save_changes: vi.fn(() => {
        throw new Error("the kernel is gone");
      }),
      on: (event, listener) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      off: (event, listener) => void listeners.get(event)?.delete(listener),
    };
    const close = widget.render({ model, el: document.body });
    expect(sentence()).toBe("Try to propagate tmp.");
    document.querySelectorAll<HTMLElement>(".pnb-tick")[2]!.click();
    expect(values.step).toBe(2);
    expect(model.save_changes).toHaveBeenCalled();
    expect(sentence()).toBe("Potential intermediate writes: those of S.");
    close();
    expect(document.querySelector(".pnb-root")).toBeNull();
    expect([...listeners.values()].every((own) => own.size === 0)).toBe(true);
  });

  it("mounts by hand and is removed again", async () => {
    document.body.replaceChildren();
    const { mount } = await load();
    const remove = mount(document.body, traces.plane(), { step: 7 });
    expect(sentence()).toBe("Two pieces.");
    expect([...document.querySelectorAll(".pnb-letter")].map((e) => e.textContent)).toEqual(["P1", "P1", "B"]);
    expect(document.querySelector(".pnb-legend")!.textContent).toContain("B: all the rest of P");
    expect(document.querySelector(".pnb-legend")!.textContent).toContain("(1 of 7 drawn)");
    remove();
    expect(document.querySelector(".pnb-root")).toBeNull();
  });
});
