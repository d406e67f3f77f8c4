import { describe, expect, it } from "vitest";
import { place } from "../../labextension/src/cells/place";
import errors from "../fixtures/errors.json";

/** What polynb says of a place, as polynb/errors.py words it. */
function said(line: number, column: number, shown: string, pad: number, carets: number, source = "cell"): string {
  const gutter = `${String(line).padStart(4)} | `;
  return [
    `${source}, line ${line}, column ${column}: it is wrong`,
    gutter + shown,
    `     | ${" ".repeat(pad)}${"^".repeat(carets)}`,
    "because: so it is",
    "try: another",
  ].join("\n");
}

/** The marked part of a text. */
function marked(text: string, value: string): string | null {
  const found = place(text, value);
  return found && text.slice(found.from, found.to);
}

const CELL = "%%scop x\nparam N;\nfor i = 0 to N do\n  A[i] = B[i*i];\ndone";

describe("the place of an error", () => {
  it("is that of the carets", () => {
    const found = place(CELL, said(4, 12, "  A[i] = B[i*i];", 11, 3));
    expect(CELL.slice(found!.from, found!.to)).toBe("i*i");
    expect(found!.message).toBe("it is wrong\nbecause: so it is\ntry: another");
  });

  it("counts lines from the magic's", () => {
    expect(marked(CELL, said(1, 8, "%%scop x", 7, 1))).toBe("x");
    expect(marked(`\n \n${CELL}`, said(4, 12, "  A[i] = B[i*i];", 11, 3))).toBe("i*i");
    expect(marked(CELL.replace(/^/gm, "  "), said(4, 12, "  A[i] = B[i*i];", 11, 3))).toBe("i*i");
  });

  it("is empty where something is missing at the end of a line", () => {
    const text = "%%scop x\nA = B";
    expect(place(text, said(2, 6, "A = B", 5, 1))).toMatchObject({ from: text.length, to: text.length });
  });

  it.each(errors)("is right as Python says it: $said", ({ cell, said: value, marked: expected }) => {
    const text = cell.replace(/\r\n/g, "\n"); // as in an editor
    expect(place(text, value)).not.toBeNull();
    expect(marked(text, value)).toBe(expected);
  });

  it("is none where the cell reads otherwise by now", () => {
    const value = said(4, 12, "  A[i] = B[i*i];", 11, 3);
    expect(place(CELL.replace("i*i", "i*j"), value)).toBeNull();
    expect(place("", value)).toBeNull();
    expect(place(CELL, "division by zero")).toBeNull();
    expect(place(CELL, "cell, line 4, column 12: it is wrong")).toBeNull();
  });

  it("is found in a line of Python", () => {
    const text = "a = 1\nfast = %propagate blur --keep zz\nfast";
    expect(marked(text, said(1, 24, "%propagate blur --keep zz", 23, 2))).toBe("zz");
    const assumed = "%%propagate x --assume 'N >= '\nA = B;";
    expect(marked(assumed, said(1, 6, "N >= ", 5, 1, "assume"))).toBe("'");
  });

  it("is found in a text in Python, unless that could be several", () => {
    const text = 'pn.parse("""\nparam N;\nA[i] = 1;\ndone\ndone\n""")';
    expect(marked(text, said(3, 3, "A[i] = 1;", 2, 1, "program"))).toBe("i");
    expect(place(text, said(4, 1, "done", 0, 4, "program"))).toBeNull();
  });
});
