import { beforeEach, describe, expect, it, vi } from "vitest";
import { shown, traces, type Shown } from "./helpers";

let s: Shown;
beforeEach(() => {
  s = shown(traces.reload());
});

describe("keys", () => {
  it("step", () => {
    s.press("ArrowRight");
    s.press("ArrowRight");
    s.press("ArrowLeft");
    expect(s.model.get("step")).toBe(1);
    s.press("End");
    expect(s.model.get("step")).toBe(4);
    s.press("Home");
    expect(s.model.get("step")).toBe(0);
    s.press("p");
    expect(s.model.get("predict")).toBe(true);
  });

  it("Space ticks a box that has the focus, and plays elsewhere", () => {
    const box = document.createElement("input");
    box.type = "checkbox";
    s.root.append(box);
    expect(s.press(" ", box).defaultPrevented).toBe(false);
    expect(s.press(" ").defaultPrevented).toBe(true);
    s.player.stop();
  });

  it("do not leave the widget, but Tab does", () => {
    const heard = vi.fn();
    document.body.addEventListener("keydown", heard);
    for (const key of ["ArrowRight", "b", "Enter", "Escape"]) s.press(key);
    expect(heard).not.toHaveBeenCalled();
    s.press("Tab");
    expect(heard).toHaveBeenCalledTimes(1);
    document.body.removeEventListener("keydown", heard);
  });

  it("do not leave the widget, but Ctrl+S does, from outside of it", () => {
    const heard = vi.fn((event: KeyboardEvent) => {
      expect(s.root.contains(event.target as Node)).toBe(false);
      expect([event.key, event.ctrlKey]).toEqual(["s", true]);
      event.preventDefault();
    });
    document.body.addEventListener("keydown", heard);
    const press = (init: KeyboardEventInit): KeyboardEvent => {
      const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
      s.one(".pnb-search").dispatchEvent(event);
      return event;
    };
    expect(press({ key: "s", ctrlKey: true }).defaultPrevented).toBe(true); // the browser's own dialog
    press({ key: "s" });
    press({ key: "z", ctrlKey: true });
    expect(heard).toHaveBeenCalledTimes(1);
    document.body.removeEventListener("keydown", heard);
    expect(press({ key: "s", ctrlKey: true }).defaultPrevented).toBe(false); // on a page of its own
  });

  it("are not taken by Notebook 7 from what has the focus", () => {
    // What Lumino's shortcuts do: from the target upwards, until an element that wants its keys.
    const shortcut = (from: Element): boolean => {
      for (let e: Element | null = from; e && !e.hasAttribute("data-lm-suppress-shortcuts"); e = e.parentElement) {
        if (e.matches("body *")) return true;
      }
      return false;
    };
    for (const selector of [".pnb-root", ".pnb-search", "button[aria-label*=forward]"]) {
      const part = s.root.matches(selector) ? s.root : s.one(selector);
      expect(shortcut(part)).toBe(true);
      part.focus();
      expect(shortcut(part)).toBe(false);
    }
  });

  it("typed into the search do not step", () => {
    const box = s.one(".pnb-search");
    for (const key of ["ArrowRight", "End", "o", "p", " "]) expect(s.press(key, box).defaultPrevented).toBe(false);
    expect(s.model.get("step")).toBe(0);
    expect(s.player.showsOrder).toBe(false);
  });

  it("step at the slider too, where browsers would move it by themselves", () => {
    expect(s.press("ArrowRight", s.one(".pnb-slider")).defaultPrevented).toBe(true);
    expect(s.model.get("step")).toBe(1);
  });

  it("leave the space bar to buttons", () => {
    s.press(" ", s.one("button"));
    expect(s.player.playing).toBe(false);
    s.press(" ");
    expect(s.player.playing).toBe(true);
    s.player.stop();
  });

  it("leave shortcuts with modifiers alone", () => {
    s.root.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", ctrlKey: true, bubbles: true }));
    expect(s.model.get("step")).toBe(0);
  });
});

describe("one tab stop per panel", () => {
  it.each([".pnb-tabs", ".pnb-text", ".pnb-space", ".pnb-phases"])("%s", (panel) => {
    expect(s.all(`${panel} [data-item][tabindex="0"]`)).toHaveLength(1);
    expect(s.all(`${panel} button:not([tabindex])`)).toHaveLength(0);
  });

  it("up and down move within the panel, and what is reached says what it is", () => {
    const [first, second] = s.all(".pnb-dots circle") as SVGElement[];
    first!.focus();
    s.press("ArrowDown", first);
    expect(second!.getAttribute("tabindex")).toBe("0");
    expect(first!.getAttribute("tabindex")).toBe("-1");
    expect(second!.getAttribute("aria-label")).toBe("R(1), date (1, 0)");
    expect(s.model.get("step")).toBe(0);
  });

  it("Tab enters the timeline at the current step", () => {
    s.press("End");
    expect(s.one('.pnb-phases [tabindex="0"]').getAttribute("aria-current")).toBe("step");
  });
});
