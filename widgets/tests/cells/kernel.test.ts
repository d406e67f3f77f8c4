import { beforeEach, describe, expect, it, vi } from "vitest";
import { Kernel } from "../../../polynb/site/live/static/kernel.js";

class Worker_ {
  static readonly made: Worker_[] = [];
  readonly sent: unknown[] = [];
  onmessage: (event: { data: unknown }) => void = () => {};
  constructor() {
    Worker_.made.push(this);
  }
  postMessage(data: unknown): void {
    this.sent.push(data);
  }
  terminate(): void {}
}

beforeEach(() => {
  Worker_.made.length = 0;
  vi.stubGlobal("Worker", Worker_);
});

describe("the worker of a page", () => {
  it("says why it could not be begun", () => {
    const told = vi.fn();
    new Kernel(told).start();
    Worker_.made[0]!.onmessage({ data: { failed: "isl.wasm: 404" } });
    expect(told).toHaveBeenCalledWith("failed", "Python could not be loaded: isl.wasm: 404");
  });

  it("takes what it showed along: that has no sliders, and says nothing to the next one", () => {
    const kernel = new Kernel();
    kernel.start();
    const model = kernel.model({ number: 2, traits: { live: true } });
    kernel.stop();
    expect(model.get("live")).toBe(false);
    kernel.start();
    model.set("wanted", { N: 5 });
    model.save_changes();
    expect(Worker_.made[1]!.sent).toEqual([]);
  });
});
