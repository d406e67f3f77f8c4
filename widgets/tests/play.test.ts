import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "../src/play/board";
import type { Offer, Shown } from "../src/play/shown";

const offer = (move: string, lines: Record<string, string>, numbers: number[] = [], number = 0): Offer => ({
  move, group: "order", about: `what ${move} does`, why: Object.keys(lines).length ? "" : "not here", numbers, number,
  forms: Object.entries(lines).map(([label, line]) => ({ label, line })),
});

const SHOWN: Shown = {
  number: 0, title: "heat", marks: [], picked: "l:t",
  code: [
    { segments: [["for t = 0 to T-1 do"]], handle: "l:t", bad: false },
    { segments: [["  for i = 1 to N-2 do"]], handle: "l:i", bad: false },
    { segments: [["    "], ["A[t+1][i]", "s:S a:S:w"], [" = 1; // S", "s:S"]], handle: "s:S", bad: false },
    { segments: [["  done"]], handle: "l:i", bad: false },
    { segments: [["done"]], handle: "l:t", bad: false },
  ],
  handles: [{ id: "l:t", label: "loop t" }, { id: "l:i", label: "loop i" }, { id: "s:S", label: "statement S" }],
  offers: [
    offer("interchange", { "with i": "interchange t i" }),
    offer("skew", { "by i": "skew t by #*i", "by k": "skew t by #*k" }, [-1, 1, 2], 1),
    offer("fuse", {}),
  ],
  steps: [], legal: true, said: "Pick a loop.", ways: [], searching: false, refused: "",
  pictures: [{ title: "Instances", svg: "<svg xmlns='http://www.w3.org/2000/svg'/>", alt: "30 instances" }],
  undo: false, redo: false, cell: "%%transform fast --from heat\n\n",
};

/** Python, as far as the front end sees it: it answers when it is told to. */
class Kernel {
  shown: unknown = structuredClone(SHOWN);
  looked: unknown = { number: 0, cell: SHOWN.cell, verdicts: {} };
  asked: { number: number; action: string; line: string }[] = [];
  dead = false;
  private listener = (): void => {};
  get = (name: string): unknown => (name === "looked" ? this.looked : this.shown);
  set = (_: string, value: unknown): void => void this.asked.push(value as Kernel["asked"][0]);
  save_changes = (): void => {
    if (this.dead) throw new Error("no comm");
  };
  on = (_: string, listener: () => void): void => void (this.listener = listener);
  off = (): void => void (this.listener = () => {});

  get last(): [string, string] | null {
    const found = this.asked[this.asked.length - 1];
    return found ? [found.action, found.line] : null;
  }

  look(sign: string, said: string): void {
    const { number, line } = this.asked[this.asked.length - 1]!;
    const { verdicts } = this.looked as { verdicts: object };
    this.looked = { number, cell: SHOWN.cell, verdicts: { ...verdicts, [line]: { sign, said } } };
    this.listener();
  }

  answer(changes: Partial<Shown> = {}): void {
    const number = this.asked[this.asked.length - 1]?.number ?? 0;
    this.shown = { ...structuredClone(this.shown as Shown), number, ...changes };
    this.listener();
  }
}

let kernel: Kernel;
let root: HTMLElement;
const one = <E extends HTMLElement>(selector: string): E => {
  const found = root.querySelector<E>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
};
const button = (text: string): HTMLButtonElement => {
  const found = [...root.querySelectorAll("button")].find((b) => b.textContent?.startsWith(text));
  if (!found) throw new Error(`no button says ${text}`);
  return found;
};
const press = (key: string, init: KeyboardEventInit = {}, target: Element = one(".pnp-code")): KeyboardEvent => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};
const slide = (move: string, to: number): void => {
  const slider = one<HTMLInputElement>(`input[aria-label="${move}: number"]`);
  slider.value = String(to);
  slider.dispatchEvent(new Event("input"));
};

beforeEach(() => {
  kernel = new Kernel();
  root = new Board(kernel).root;
  document.body.replaceChildren(root);
});

describe("picking", () => {
  it("is by a click on any line of a loop", () => {
    root.querySelectorAll<HTMLElement>(".pnp-line")[3]!.click();
    expect(kernel.last).toEqual(["pick", "l:i"]);
    expect([...root.querySelectorAll(".pnp-picked")].map((e) => e.textContent?.trim()))
      .toEqual(["for i = 1 to N-2 do", "done"]);
  });

  it("is by arrow keys, without waiting, and the last one counts", () => {
    press("ArrowDown");
    press("ArrowDown");
    press("ArrowDown");
    expect(kernel.asked.length).toBe(1);
    kernel.answer({ picked: "l:i" });
    expect(kernel.last).toEqual(["pick", "s:S"]);
    kernel.answer({ picked: "s:S" });
    press("Home");
    expect(kernel.last).toEqual(["pick", "l:t"]);
  });

  it("is said to those who cannot see it", () => {
    const list = one("[role=listbox]");
    const active = (): Element | null => root.querySelector(`#${list.getAttribute("aria-activedescendant")}`);
    expect(active()?.getAttribute("aria-label")).toBe("loop t: for t = 0 to T-1 do");
    press("ArrowDown");
    expect(active()?.getAttribute("aria-label")).toBe("loop i: for i = 1 to N-2 do");
    expect(root.querySelectorAll("[role=option][aria-selected=true]").length).toBe(1);
  });
});

describe("moves", () => {
  it("are made by a button, or by a key", () => {
    button("interchange").click();
    expect(kernel.last).toEqual(["do", "interchange t i"]);
    kernel.answer();
    press("k");
    expect(kernel.last).toEqual(["do", "skew t by 1*i"]);
  });

  it("that cannot be made say why, and do nothing", () => {
    const fuse = button("fuse");
    expect(fuse.getAttribute("aria-disabled")).toBe("true");
    expect(fuse.title).toBe("not here");
    fuse.click();
    press("f");
    expect(kernel.asked).toEqual([]);
  });

  it("take a form and a number", () => {
    const form = one<HTMLSelectElement>("select[aria-label='skew: which']");
    form.value = "by k";
    form.dispatchEvent(new Event("change"));
    slide("skew", 0);
    expect(kernel.asked).toEqual([]);
    expect(one("input[aria-label='skew: number']").getAttribute("aria-valuetext")).toBe("-1");
    button("skew").click();
    expect(kernel.last).toEqual(["do", "skew t by -1*k"]);
  });

  it("that were made last follow their slider, in the state they were made in", () => {
    button("skew").click();
    kernel.answer({ steps: [{ line: "skew t by i", legal: true, said: "legal" }] });
    slide("skew", 2);
    expect(kernel.last).toEqual(["replace", "skew t by 2*i"]);
    slide("skew", 1); // while that is being checked
    slide("skew", 0);
    expect(kernel.asked.length).toBe(2);
    kernel.answer({ steps: [{ line: "skew t by 2*i", legal: true, said: "legal" }] });
    expect(kernel.last).toEqual(["replace", "skew t by -1*i"]);
  });

  it("follow their slider to the last number, also of a drag", () => {
    button("skew").click();
    kernel.answer({ steps: [{ line: "skew t by i", legal: true, said: "legal" }] });
    slide("skew", 2);
    slide("skew", 0); // before 2 is answered
    kernel.answer({ steps: [{ line: "skew t by 2*i", legal: true, said: "legal" }] });
    expect(kernel.last).toEqual(["replace", "skew t by -1*i"]);
    button("interchange").click();
    slide("skew", 2); // of the next move
    kernel.answer({ steps: [{ line: "skew t by -i", legal: true, said: "legal" }] });
    expect(kernel.last).toEqual(["do", "interchange t i"]);
  });

  it("wait for the offers of what is picked", () => {
    press("ArrowDown");
    press("i");
    expect(kernel.last).toEqual(["pick", "l:i"]);
    kernel.answer({ picked: "l:i", offers: [offer("interchange", { "with t": "interchange i t" })] });
    expect(kernel.last).toEqual(["do", "interchange i t"]);
  });

  it("are not lost where a button is clicked before they are there", () => {
    press("ArrowDown");
    button("interchange").click();
    button("undo").click();
    kernel.answer({ picked: "l:i", offers: [offer("interchange", { "with t": "interchange i t" })] });
    expect(kernel.last).toEqual(["do", "interchange i t"]);
    kernel.answer({ undo: true });
    expect(kernel.last).toEqual(["undo", ""]);
  });

  it("and keys come one after the other, however fast they are pressed", () => {
    for (const key of ["ArrowDown", "ArrowDown", "i", "z"]) press(key);
    expect(kernel.last).toEqual(["pick", "l:i"]);
    kernel.answer({ picked: "l:i" });
    expect(kernel.last).toEqual(["pick", "s:S"]);
    kernel.answer({ picked: "s:S", offers: [offer("interchange", { "with t": "interchange S t" })] });
    expect(kernel.last).toEqual(["do", "interchange S t"]);
    kernel.answer({ undo: true });
    expect(kernel.last).toEqual(["undo", ""]);
  });
});

describe("moves that are looked at", () => {
  const lookedAt = (): void => {
    vi.useFakeTimers();
    one(".pnp-code").focus();
    vi.advanceTimersByTime(200);
  };
  afterEach(() => void vi.useRealTimers());

  it("are judged one after the other, and marked", () => {
    lookedAt();
    expect(kernel.last).toEqual(["look", "interchange t i"]);
    expect(root.getAttribute("aria-busy")).toBe("false");
    expect(button("interchange").getAttribute("aria-disabled")).toBe("false");
    kernel.look("✗", "illegal: S(1, 1) needs what S(0, 2) writes");
    expect(button("interchange").textContent).toBe("interchange✗");
    expect(one(".pnp-preview").textContent).toBe("✗ illegal: S(1, 1) needs what S(0, 2) writes");
    vi.advanceTimersByTime(200);
    expect(kernel.last).toEqual(["look", "skew t by 1*i"]);
    kernel.look("✓", "legal");
    vi.advanceTimersByTime(200);
    expect(kernel.asked.length).toBe(2); // all are known
    button("skew").dispatchEvent(new Event("pointerenter"));
    expect(one(".pnp-preview").textContent).toContain("illegal");
    vi.advanceTimersByTime(300);
    expect(one(".pnp-preview").textContent).toBe("✓ legal");
  });

  it("do not keep a click waiting for more than one verdict", () => {
    lookedAt();
    button("skew").click();
    expect(kernel.last).toEqual(["look", "interchange t i"]);
    kernel.look("✗", "illegal");
    expect(kernel.last).toEqual(["do", "skew t by 1*i"]);
  });

  it("are not asked for again where nobody answers, and nothing is said of it", () => {
    lookedAt();
    vi.advanceTimersByTime(40_000);
    expect(one(".pnp-refused").textContent).toBe("");
    expect(kernel.asked.length).toBe(1);
    kernel.dead = true;
    kernel.look("✗", "illegal"); // late
    vi.advanceTimersByTime(10_000);
    expect(kernel.asked.length).toBe(2);
  });

  it("are not judged where nobody looks", () => {
    vi.useFakeTimers();
    kernel.answer();
    vi.advanceTimersByTime(1000);
    expect(kernel.asked).toEqual([]);
  });
});

describe("the verdict", () => {
  const illegal: Partial<Shown> = {
    legal: false, said: "interchange t i: illegal: S(1, 1) needs what S(0, 2) writes", marks: ["a:S:w"],
    steps: [{ line: "interchange t i", legal: false, said: "illegal" }], undo: true, searching: true,
    code: SHOWN.code.map((line) => ({ ...line, bad: line.handle === "s:S" })),
  };

  it("turns what collides red, and offers what repairs it when that is found", () => {
    button("interchange").click();
    kernel.answer(illegal);
    expect(one(".pnp-verdict").className).toContain("pnp-illegal");
    expect(one(".pnp-verdict").textContent).toBe("✗ illegal interchange t i: S(1, 1) needs what S(0, 2) writes");
    expect(one(".pnp-bad").textContent).toContain("A[t+1][i]");
    expect(one("mark").textContent).toBe("A[t+1][i]");
    expect(one(".pnp-ways").textContent).toContain("looking for");
    kernel.answer({ searching: false, ways: [
      { line: "skew i by t", cost: "" }, { line: "expand t", cost: "N * N cells, not 1" },
    ] });
    const said = [...document.querySelectorAll(".pnp-way")].map((b) => b.textContent);
    expect(said).toEqual([
      "skew i by t first makes it legal", "expand t first makes it legal: N * N cells, not 1",
    ]);
    button("skew i by t").click();
    expect(kernel.last).toEqual(["first", "skew i by t"]);
    kernel.answer({ legal: true, ways: [] });
    expect(one(".pnp-ways").hidden).toBe(true);
  });

  it("is repaired once, however often that is asked for, and the keys go on working", () => {
    const open = { ...illegal, ways: [{ line: "skew i by t", cost: "" }], searching: false };
    kernel.answer(open);
    button("skew i by t").focus();
    press("1");
    press("1");
    kernel.answer({ legal: true, ways: [] });
    expect(kernel.asked.length).toBe(1);
    expect(one(".pnp-code").contains(document.activeElement)).toBe(true);
    kernel.answer(open);
    press("z");
    press("1");
    kernel.answer({ legal: true, ways: [], steps: [] });
    expect(kernel.last).toEqual(["undo", ""]);
  });

  it("is repaired, undone and done again by keys", () => {
    kernel.answer({ ...illegal, ways: [{ line: "skew i by t", cost: "" }], searching: false, redo: true });
    press("1");
    expect(kernel.last).toEqual(["first", "skew i by t"]);
    kernel.answer();
    press("z", { ctrlKey: true });
    expect(kernel.last).toEqual(["undo", ""]);
    kernel.answer();
    press("y");
    expect(kernel.last).toEqual(["redo", ""]);
    kernel.answer({ undo: false, redo: false });
    press("z");
    expect(kernel.last).toEqual(["redo", ""]);
  });

  it("has pictures in words too", () => {
    expect(one<HTMLImageElement>("img").alt).toBe("30 instances");
    expect(one<HTMLImageElement>("img").src).toMatch(/^data:image\/svg/);
  });
});

describe("without an answer", () => {
  it("what is too hard is said", () => {
    button("interchange").click();
    expect(root.getAttribute("aria-busy")).toBe("true");
    kernel.answer({ refused: "Too hard: no answer within 5 seconds." });
    expect(root.getAttribute("aria-busy")).toBe("false");
    expect(one(".pnp-refused").textContent).toContain("Too hard");
  });

  it("it is said that the kernel is gone, and later moves are not lost in a queue", () => {
    vi.useFakeTimers();
    button("interchange").click();
    vi.advanceTimersByTime(40_000);
    expect(one(".pnp-refused").textContent).toContain("No answer");
    kernel.answer(); // late
    expect(one(".pnp-refused").textContent).toBe("");
    vi.useRealTimers();
    kernel.dead = true;
    button("interchange").click();
    expect(one(".pnp-refused").textContent).toContain("No answer");
    expect(root.getAttribute("aria-busy")).toBe("false");
  });
});

describe("copying", () => {
  it("gives the cell; where there is no clipboard, in a text area", async () => {
    const written = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText: written } });
    press("c");
    expect(written).toHaveBeenCalledWith(SHOWN.cell);
    vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("not allowed")) } });
    press("c");
    await vi.waitFor(() => expect(one<HTMLDetailsElement>("details").open).toBe(true));
    expect(one<HTMLTextAreaElement>("textarea").value).toBe(SHOWN.cell);
    vi.unstubAllGlobals();
  });
});

describe("keys", () => {
  it("stay in the playground, but for Tab, and for what is typed into fields", () => {
    const heard = vi.fn();
    document.body.addEventListener("keydown", heard);
    press("b");
    press("ArrowDown");
    expect(press("i", {}, one("select")).defaultPrevented).toBe(false);
    expect(heard).not.toHaveBeenCalled();
    press("Tab");
    expect(heard).toHaveBeenCalledTimes(1);
    document.body.removeEventListener("keydown", heard);
    expect(kernel.last).toEqual(["pick", "l:i"]);
  });
});
