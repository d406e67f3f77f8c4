// Programs that are longer than their box.
import { describe, expect, it } from "vitest";
import { foldedLines } from "../src/folding";

const INDENTS = [0, 0, 2, 4, 2, 0, 0, 2, 4, 4, 2, 0]; // two loops within loops
const TWENTY = INDENTS.map(() => 20);
const shown = (wanted: number[], room: number): number[] =>
  foldedLines(TWENTY, INDENTS, wanted, room, 28).flatMap((seen, k) => (seen ? [k] : []));

describe("lines that are folded", () => {
  it("leave what a step is about, and the loops around it", () => {
    expect(shown([8], 2 * 28 + 3 * 20)).toEqual([6, 7, 8]);
  });

  it("leave what is near, as far as there is room, gaps included", () => {
    expect(shown([8], 2 * 28 + 4 * 20)).toEqual([6, 7, 8, 9]);
  });

  it("begin at the top where a step is about nothing", () => {
    expect(shown([], 28 + 2 * 20)).toEqual([0, 1]);
  });

  it("leave as much as fits of what is too much", () => {
    expect(shown([2, 3, 7, 8], 28 + 4 * 20)).toEqual([2, 3]);
  });
});
