import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mount } from "../src/play/play";
import type { Python, Recording, State } from "../src/play/recorded";
import type { Offer } from "../src/play/shown";

const OFFERS: Offer[] = [
  { move: "distribute", group: "nests", about: "", forms: [{ label: "", line: "distribute i" }], why: "", numbers: [], number: 0 },
  { move: "unroll", group: "at once", about: "", forms: [{ label: "", line: "unroll i by #" }], why: "", numbers: [2, 4], number: 4 },
];
const state = (lines: string[], legal: boolean, ways: string[] = []): State => ({
  shown: {
    title: "squares", code: [{ segments: [[lines.join(", ") || "as written"]], handle: "l:i", bad: !legal }], marks: [],
    handles: [{ id: "l:i", label: "loop i" }], picked: "l:i",
    steps: lines.map((line, k) => ({ line, legal: legal || k < lines.length - 1, said: "" })), legal, said: "",
    ways: ways.map((line) => ({ line, cost: "" })), searching: false, refused: "", pictures: [], cell: lines.join("\n"),
  },
  offers: { "l:i": OFFERS },
  looked: { "distribute i": { sign: "✗", said: "illegal" } },
});
const RECORDING: Recording = {
  program: "pn.parse('')",
  states: {
    "": state([], true),
    "distribute i": state(["distribute i"], false, ["expand t"]),
    "expand t": state(["expand t"], true),
    "expand t\ndistribute i": state(["expand t", "distribute i"], true),
  },
};

let root: HTMLElement;
const button = (text: string): HTMLButtonElement =>
  [...root.querySelectorAll("button")].find((b) => b.textContent?.trim().startsWith(text))!;
const press = async (text: string): Promise<void> => {
  button(text).click();
  await new Promise((done) => setTimeout(done));
};
const code = (): string => root.querySelector(".pnp-code")!.textContent!.trim();
const refused = (): string => root.querySelector(".pnp-refused")!.textContent!;
const played = (python: Python | null): void => void mount(root, RECORDING, python);

beforeEach(() => document.body.append((root = document.createElement("div"))));
afterEach(() => root.remove());

describe("a recorded playground", () => {
  it("answers a move, its repair, undo and redo", async () => {
    played(null);
    await press("distribute");
    expect(code()).toBe("distribute i");
    expect(root.querySelector(".pnp-illegal")).not.toBeNull();
    await press("expand t");
    expect(code()).toBe("expand t, distribute i");
    expect(root.querySelector(".pnp-legal")).not.toBeNull();
    await press("undo");
    expect(code()).toBe("expand t");
    await press("redo");
    expect(code()).toBe("expand t, distribute i");
    await press("reset");
    expect(code()).toBe("as written");
  });

  it("puts a move in the place of an illegal one", async () => {
    played(null);
    await press("distribute");
    await press("distribute");
    expect(root.querySelectorAll(".pnp-script li").length).toBe(1);
  });

  it("says that there is nobody who knows more", async () => {
    played(null);
    await press("unroll");
    expect(refused()).toContain("Only what is recorded");
    expect(code()).toBe("as written");
  });

  it("waits for Python as long as it takes to come", async () => {
    vi.useFakeTimers();
    played({ start: () => {}, playground: () => new Promise(() => {}) });
    button("unroll").click();
    await vi.advanceTimersByTimeAsync(100_000);
    vi.useRealTimers();
    expect(refused()).toContain("Python is being loaded");
  });

  it("goes on saying so while somebody looks at other moves", async () => {
    played(null);
    root.querySelector(".pnp-root")!.dispatchEvent(new Event("pointerenter"));
    await press("unroll");
    await vi.waitFor(() => expect(button("distribute").textContent).toContain("✗")); // is looked up
    expect(refused()).toContain("Only what is recorded");
  });

  it("asks Python for other moves, after those that were made", async () => {
    const asked: { action: string; line: string }[] = [];
    const { shown, offers } = RECORDING.states["expand t"]!;
    const listeners: (() => void)[] = [];
    let number = 0;
    const live = {
      get: (name: string) => name === "shown"
        ? { ...shown, number, offers: offers["l:i"], undo: true, redo: false, code: [{ segments: [["unrolled"]], handle: "", bad: false }] }
        : {},
      set: (_: string, value: unknown) => void asked.push(value as (typeof asked)[0]),
      save_changes: () => {},
      on: (_: string, listener: () => void) => void listeners.push(listener),
      off: () => {},
    };
    const python = { start: vi.fn(), playground: vi.fn(async () => live) };
    played(python);
    await press("distribute");
    expect(python.start).toHaveBeenCalled();
    await press("expand t");
    await press("undo");
    await press("unroll");
    expect(python.playground).toHaveBeenCalledWith(RECORDING.program, ["expand t"]);
    expect(asked.map(({ action, line }) => `${action} ${line}`)).toEqual(["pick l:i", "do unroll i by 4"]);
    expect(root.querySelector(".pnp-root")!.getAttribute("aria-busy")).toBe("true");
    number = 1e6;
    for (const listener of listeners) listener();
    expect(code()).toBe("unrolled");
    expect(root.querySelector(".pnp-root")!.getAttribute("aria-busy")).toBe("false");
  });

  it("says why Python cannot be had", async () => {
    played({ start: () => {}, playground: async () => { throw new Error("no WebAssembly"); } });
    await press("unroll");
    expect(refused()).toBe("no WebAssembly");
    await press("distribute");
    expect(code()).toBe("distribute i");
  });
});
