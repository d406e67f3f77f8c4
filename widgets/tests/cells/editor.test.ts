import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, describe, expect, it } from "vitest";
import { colours } from "../../labextension/src/cells/colours";
import { comments } from "../../labextension/src/cells/comments";
import { errors, type Outputs } from "../../labextension/src/cells/errors";

/** A code cell's outputs, as JupyterLab's model has them. */
class Cell implements Outputs {
  private outputs: ReturnType<Outputs["get"]>[] = [];
  readonly slots = new Set<() => void>();
  readonly changed = {
    connect: (slot: () => void): boolean => Boolean(this.slots.add(slot)),
    disconnect: (slot: () => void): boolean => this.slots.delete(slot),
  };

  get length(): number {
    return this.outputs.length;
  }

  get(index: number): ReturnType<Outputs["get"]> {
    return this.outputs[index]!;
  }

  add(type: string, evalue = ""): void {
    this.outputs.push({ type, toJSON: () => ({ output_type: type, ename: "PolynbError", evalue }) });
    this.slots.forEach((slot) => slot());
  }

  clear(): void {
    this.outputs = [];
    this.slots.forEach((slot) => slot());
  }
}

let view: EditorView | undefined;
afterEach(() => view?.destroy());

function shown(doc: string, outputs = new Cell()): EditorView {
  view = new EditorView({ state: EditorState.create({ doc, extensions: [colours, errors(outputs)] }), parent: document.body });
  return view;
}

const texts = (selector: string): string[] => [...view!.dom.querySelectorAll(selector)].map((e) => e.textContent ?? "");

const TEXT = "%%scop x\nA[i] = in[j]; // S0";
const VALUE = "cell, line 2, column 11: j is unknown\n   2 | A[i] = in[j]; // S0\n     |           ^\ntry: i";

describe("colours in an editor", () => {
  it("are there in polynb's cells, and follow what is typed", () => {
    shown("for i in x: pass");
    expect(texts(".pnb-cell-word")).toEqual([]);
    view!.dispatch({ changes: { from: 0, insert: "%%scop x\n" } });
    expect(texts(".pnb-cell-keyword")).toEqual(["for"]);
    expect(texts(".pnb-cell-text").join("")).toContain("in");
    view!.dispatch({ changes: { from: 0, to: 1 } });
    expect(texts(".pnb-cell-word")).toEqual([]);
  });
});

describe("comments", () => {
  it("are the language's in programs, and Python's elsewhere", () => {
    const python = EditorState.languageData.of(() => [{ commentTokens: { line: "#" } }]);
    const line = (doc: string, at: number): unknown =>
      EditorState.create({ doc, extensions: [python, comments] })
        .languageDataAt<{ line: string }>("commentTokens", at)[0]?.line;
    expect(line(TEXT, 10)).toBe("//");
    expect(line(TEXT, 3)).toBe("#");
    expect(line("x = 1", 3)).toBe("#");
  });
});

describe("an error in an editor", () => {
  it("is marked until the cell is edited, and not again", () => {
    const cell = new Cell();
    shown(TEXT, cell);
    cell.add("stream");
    expect(texts(".pnb-cell-error")).toEqual([]);
    cell.add("error", VALUE);
    expect(texts(".pnb-cell-error")).toEqual(["j"]);
    cell.add("stream");
    view!.dispatch({ selection: { anchor: 3 } });
    expect(texts(".pnb-cell-error")).toEqual(["j"]);
    view!.dispatch({ changes: { from: 8, insert: "y" } });
    expect(texts(".pnb-cell-error")).toEqual([]);
    view!.dispatch({ changes: { from: 8, to: 9 } });
    cell.add("stream");
    expect(texts(".pnb-cell-error")).toEqual([]);
    cell.clear();
    cell.add("error", VALUE);
    expect(texts(".pnb-cell-error")).toEqual(["j"]);
    cell.clear();
    expect(texts(".pnb-cell-error")).toEqual([]);
  });

  it("that a file holds is marked when the file is opened", async () => {
    const cell = new Cell();
    cell.add("error", VALUE);
    shown(TEXT, cell);
    await Promise.resolve();
    expect(texts(".pnb-cell-error")).toEqual(["j"]);
  });

  it("has a place where something is missing", () => {
    const cell = new Cell();
    shown("%%scop x\nA = B", cell);
    cell.add("error", "cell, line 2, column 6: `;` is missing\n   2 | A = B\n     |      ^");
    expect(texts(".pnb-cell-error")).toEqual(["\u00a0"]);
  });

  it("is let go with its editor", () => {
    const cell = new Cell();
    shown(TEXT, cell).destroy();
    expect(cell.slots.size).toBe(0);
  });
});
