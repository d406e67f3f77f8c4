import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Comm, Kernel, Session } from "../labextension/src/host";
import { unpacked } from "../labextension/src/saved";
import { Sizes } from "../labextension/src/sizes";
import { named } from "../../polynb/site/live/static/address.js";
import { addressOf } from "../labextension/src/link";
import { localModel } from "../src/model";
import { traces } from "./helpers";

const packed = (content: string | Uint8Array): string => (
  `polynb-trace 1 01234567 ${deflateSync(content).toString("base64")}`
);

describe("what a file holds", () => {
  it("is unpacked", async () => {
    const content = { trace: traces.reload(), below: "<p>ü ∈ θ</p>", traits: { step: 2 }, more: [{ trace: null, below: "", traits: { step: 1 }, more: [] }] };
    expect(await unpacked(packed(JSON.stringify(content)))).toEqual(content);
  });

  it("may be nothing of polynb's", async () => {
    for (const saved of [null, {}, "", "polynb-trace 1", "polynb-trace 1 01234567 <b>"]) {
      await expect(unpacked(saved)).rejects.toThrow("no polynb trace");
    }
    await expect(unpacked("polynb-trace 1 01234567 AAAA")).rejects.toThrow();
    await expect(unpacked(packed("{"))).rejects.toThrow();
  });

  it("has a trace or none: what else there is does not matter", async () => {
    expect(await unpacked(packed("null"))).toEqual({ trace: undefined, below: "", traits: {}, more: [] });
    expect(await unpacked(packed('{"below": 3}'))).toEqual({ trace: undefined, below: "", traits: {}, more: [] });
  });

  it("does not fill the memory", async () => {
    await expect(unpacked(packed(new Uint8Array(21_000_000)))).rejects.toThrow("too large");
  }, 30_000);
});

/** A session whose kernel is here; `say` makes it change. */
function connected(): { session: Session; comms: (Comm & { sent: unknown[] })[]; set: (kernel: Kernel | null) => void; kernel: () => Kernel } {
  const slots = new Set<() => void>();
  const signal = {
    connect: (slot: () => void) => slots.add(slot).size > 0,
    disconnect: (slot: () => void) => slots.delete(slot),
  };
  const comms: (Comm & { sent: unknown[] })[] = [];
  const kernel = (): Kernel => ({
    status: "idle",
    info: Promise.resolve(),
    hasComm: () => false,
    requestCommInfo: () => Promise.reject(new Error("not asked")),
    createComm() {
      const sent: unknown[] = [];
      const send = (data: unknown): number => sent.push(data);
      const comm = { sent, onMsg: () => {}, onClose: () => {}, open: send, send, close: () => {} };
      comms.push(comm);
      return comm;
    },
  });
  const current: { kernel: Kernel | null } = { kernel: kernel() };
  const session: Session = {
    ready: Promise.resolve(), isReady: true, session: current, statusChanged: signal, kernelChanged: signal,
  };
  const set = (next: Kernel | null): void => {
    current.kernel = next;
    slots.forEach((slot) => slot());
  };
  return { session, comms, set, kernel };
}

describe("other sizes", () => {
  it("are asked for when a slider is moved, over one channel", () => {
    const { session, comms } = connected();
    const model = localModel({ trace: traces.reload(), step: 3 });
    const said: string[] = [];
    new Sizes(model, "01234567", session, (why) => said.push(why));
    expect(model.get("live")).toBe(true);
    expect(comms).toHaveLength(0);
    model.set("wanted", { N: 5 });
    model.set("wanted", { N: 7 });
    expect(comms).toHaveLength(1);
    expect(comms[0]!.sent).toEqual([5, 7].map((N) => ({ id: "01234567", parameters: { N } })));
    const shorter = { ...traces.reload(), steps: traces.reload().steps.slice(0, 2) };
    comms[0]!.onMsg({ content: { data: { trace: shorter } } });
    expect(model.get("trace")).toBe(shorter);
    expect(model.get("step")).toBe(1);
    comms[0]!.onMsg({ content: { data: { refused: "not N = 0" } } });
    expect(said[said.length - 1]).toBe("not N = 0");
    expect(model.get("trace")).toBe(shorter);
  });

  it("are not offered without a kernel, nor by one that did not run the cell", () => {
    const { session, comms, set, kernel } = connected();
    const model = localModel({ trace: traces.reload() });
    const said: string[] = [];
    const sizes = new Sizes(model, "01234567", session, (why) => said.push(why));
    set(null);
    expect(model.get("live")).toBe(false);
    set(kernel());
    expect(model.get("live")).toBe(true);
    model.set("wanted", { N: 5 });
    comms[0]!.onClose();
    expect(model.get("live")).toBe(false);
    expect(said[said.length - 1]).toContain("run it again");
    sizes.close();
    set(kernel());
    expect(model.get("live")).toBe(false);
  });
});

describe("a link to a program", () => {
  it("says its magic, and is read back", () => {
    const texts = ["%%propagate fast\nparam N;\nA[0] = (N + 1) & 'x'; // ü #", "%%scop\nparam N;", "print(1)", "\n%%reorder n=2\nA[0] = 1;"];
    for (const text of texts) {
      const address = addressOf(text, "https://example.org/polynb");
      expect(address).toMatch(/^https:\/\/example\.org\/polynb\/live\/index\.html#(propagate|scop|cell|reorder)=[\w%+.*-]+$/);
      expect(named(new URL(address).hash)).toBe(text.trimStart());
    }
  });

  it("is no other part of an address", () => {
    for (const hash of ["", "#", "#a-heading", "#step-3=4", "#propagate="]) expect(named(hash)).toBeNull();
  });
});
