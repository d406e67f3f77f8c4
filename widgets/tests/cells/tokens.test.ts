import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cell, detect } from "../../labextension/src/cells/head";
import { tokens, type Kind } from "../../labextension/src/cells/tokens";

/** The words of a kind in a cell. */
function words(text: string, kind: Kind): string[] {
  return tokens(text).filter((t) => t.kind === kind).map((t) => text.slice(t.from, t.to));
}

const GALLERY = resolve(import.meta.dirname, "../../../polynb/gallery");

describe("a cell of polynb's", () => {
  it("begins with one of its magics", () => {
    expect(cell("%%scop blur\nA = B;")).toMatchObject({ language: "scop", magic: 0, end: 11, body: 12 });
    expect(cell("\n  \n%%propagate\nA = B;")?.magic).toBe(4);
    for (const text of ["", "x = 1", "%%time\nx", "%%scope x", "%%scop?", "# %%scop\nx", "x\n%%scop\ny", "%scop x", "%step x"]) {
      expect(cell(text), text).toBeNull();
      expect(tokens(text)).toEqual([]);
    }
  });

  it("is in the language that its line says", () => {
    expect(cell("%%scop --language c\nA[i] = 0;")?.language).toBe("c");
    expect(cell("%%scop --language=scop x\nfor (;;) {}")?.language).toBe("scop");
    expect(cell("%%scop --language auto x\nfor (;;) {}")?.language).toBe("c");
    expect(cell("%%scop x # --language c\nA[i] = 0;")?.language).toBe("scop");
  });

  it("is in the language of what it holds, as all programs of the gallery are", () => {
    const names = readdirSync(GALLERY).filter((name) => /\.(c|scop)$/.test(name));
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      expect(detect(readFileSync(resolve(GALLERY, name), "utf8")), name).toBe(name.replace(/.*\./, ""));
    }
    expect(detect("// for (x) {\nA = 1;")).toBe("scop");
    expect(detect("/* { */ A += 1;")).toBe("c");
    expect(detect("for i = 0 to N do A = 1; done // {")).toBe("scop");
  });
});

const SCOP = `%%scop blur --temp tmp  # ours
param N;  input uint8 in[N+1];
for i = 0 to N do
  if i >= 1 and not (i == 3) then
    S: out[i] = sqrt(in[i]) * 0x1F / 1.5e-3f;  // S0
    T : False[i] = max(in[i-1], sqrt) ? x : y; /* not in
  done */ else out[i] = 1; fi
done`;

describe("a script of moves", () => {
  const text = "%%transform tiles --from product\nstrip-mine i by 8 # i-1\n shift S by N-1\nschedule { S[i,j] ->\n [j] }";

  it("has moves and their words, comments, numbers, and names", () => {
    expect(words(text, "keyword")).toEqual(["strip-mine", "by", "shift", "by", "schedule"]);
    expect(words(text, "comment")).toEqual(["# i-1"]);
    expect(words(text, "number")).toEqual(["8", "1"]);
    expect(words(text, "operator")).toEqual(["-", "->"]);
    expect(words(text, "text")).toEqual(expect.arrayContaining(["i", "S", "N", "j", "product"]));
  });
});

describe("the SCoP language", () => {
  it("has keywords, which Python's are not", () => {
    expect(words(SCOP, "keyword").join(" ")).toBe("param input for to do if and not then else fi done");
    const plain = words(SCOP, "text");
    for (const name of ["in", "False", "out", "x", "y", "i", "N", "sqrt"]) expect(plain).toContain(name);
    expect(words(SCOP, "type")).toEqual(["uint8"]);
  });

  it("has functions where they are called", () => {
    expect(words(SCOP, "function")).toEqual(["sqrt", "max"]);
  });

  it("has comments, over several lines too", () => {
    expect(words(SCOP, "comment")).toEqual(["# ours", "// S0", "/* not in\n  done */"]);
    expect(words("%%scop\nA = 1; /* open\n B", "comment")).toEqual(["/* open\n B"]);
  });

  it("has labels where statements begin", () => {
    expect(words(SCOP, "label")).toEqual(["S", "T"]);
    expect(words("%%scop\nlet e = A; S: B = e;", "label")).toEqual(["S"]);
  });

  it("has numbers and operators", () => {
    expect(words(SCOP, "number")).toEqual(["1", "0", "1", "3", "0x1F", "1.5e-3f", "1", "1"]);
    expect(words(SCOP, "operator")).toEqual(["+", "=", ">=", "==", ":", "=", "*", "/", ":", "=", "-", "?", ":", "="]);
  });

  it("has a line with the magic and its options", () => {
    expect(words(SCOP, "magic")).toEqual(["%%scop"]);
    expect(words(SCOP, "option")).toEqual(["--temp"]);
  });
});

const C = `%%propagate
#pragma scop
void f(int n, double in[n]) { // param
  for (int i = 0; i < n; i++) {
    S: in[i] += sqrtf(in[i]) /2.0; }
  char c = 'x'; lambda = "a // b";
}`;

describe("C", () => {
  it("has its own words", () => {
    expect(words(C, "directive")).toEqual(["#pragma scop"]);
    expect(words(C, "keyword")).toEqual(["for"]);
    expect(words(C, "type")).toEqual(["void", "int", "double", "int", "char"]);
    expect(words(C, "comment")).toEqual(["// param"]);
    expect(words(C, "label")).toEqual(["S"]);
    expect(words(C, "function")).toEqual(["sqrtf"]);
    expect(words(C, "string")).toEqual(["'x'", '"a // b"']);
    expect(words(C, "text")).toContain("lambda");
  });

  it("goes on behind a line that ends with a backslash", () => {
    expect(words("%%scop\n#define A \\\n  B // c\nA++;", "directive")).toEqual(["#define A \\\n  B "]);
  });
});

describe("tokens", () => {
  const strange = `%%scop "x' \n@ $ \\ ü 数 \u{1f600} . .5 5. 1..2 " ' # { /\r\n\t/* `;
  it.each([SCOP, C, strange, C.replace(/\n/g, "\r\n")])("cover all but blanks, in order", (text) => {
    let at = 0;
    for (const { from, to } of tokens(text)) {
      expect(from).toBeGreaterThanOrEqual(at);
      expect(to).toBeGreaterThan(from);
      expect(text.slice(at, from).trim()).toBe("");
      at = to;
    }
    expect(text.slice(at).trim()).toBe("");
  });
});
