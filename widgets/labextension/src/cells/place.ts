// Where in a cell an error is. What it says is read as everyone reads it, so that it needs no kernel
// and survives in the file:
//
//     PolynbError: cell, line 3, column 8: the array B has no ...
//        3 |   A[i] = B[i];
//          |          ^^^^
//
// A place is given only where the cell (still) reads so.

export interface Place {
  readonly from: number;
  /** Where it ends; `from` where something is missing. */
  readonly to: number;
  readonly message: string;
}

interface Said {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly shown: string;
  /** Of the carets, in columns of the shown line. */
  readonly pad: number;
  readonly carets: number;
}

const TAB = 4;
const SAID = /^([^\n]+?), line (\d+), column (\d+): ([^]*?)\n *\2 \| ([^\n]*)\n +\| ( *)(\^+)(?:\n([^]*))?$/;
const LINE_END = /\r\n|\r|\n/;

/** `text` is the cell's, with its lines ended by `\n`; `value` what an error output says. */
export function place(text: string, value: string): Place | null {
  const said = read(value);
  if (!said) return null;
  const lines = text.split("\n");
  const found = (said.source === "cell" && atItsLine(lines, said)) || anywhere(lines, said);
  if (!found) return null;
  const [line, column] = found;
  const whole = lines[line] ?? "";
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  return { from: start + column, to: start + column + lengthAt(whole, column, said), message: said.message };
}

function read(value: string): Said | null {
  const found = SAID.exec(value.split(LINE_END).join("\n"));
  if (!found) return null;
  const [, source, line, column, message, shown, pad, carets, more] = found as unknown as string[];
  return {
    source: source!,
    line: Number(line),
    column: Number(column),
    message: more ? `${message}\n${more}` : message!,
    shown: shown!,
    pad: pad!.length,
    carets: carets!.length,
  };
}

/** Its line and column in the cell, from 0, where the error counts as the cell does. IPython takes
 * away empty lines before a magic, and blanks that all lines begin with. */
function atItsLine(lines: readonly string[], said: Said): [number, number] | null {
  const first = lines.findIndex((line) => line.trim() !== "");
  const index = first + said.line - 1;
  const line = lines[index];
  if (first < 0 || line === undefined) return null;
  const indent = /^\s*/.exec(lines[first]!)![0];
  const lead = line.startsWith(indent) ? indent.length : 0;
  const rest = line.slice(lead);
  if (reads(rest, said.shown)) return [index, lead + units(rest, said.column - 1)];
  return null;
}

/** Where it stands if its source is a part of the cell: a magic in a line, an option's value, a text
 * in Python. None if that could be several places. */
function anywhere(lines: readonly string[], said: Said): [number, number] | null {
  const text = said.shown.trim();
  if (text === "" || cut(said.shown)) return null;
  const pattern = new RegExp(spaced(text), "g");
  const found = lines.flatMap((line, k) => [...line.matchAll(pattern)].map((m): [number, number] => [k, m.index]));
  const [only] = found;
  if (found.length !== 1 || !only) return null;
  const lead = said.shown.length - said.shown.trimStart().length;
  const line = lines[only[0]]!;
  const offset = charactersTo(line, only[1], said.pad - lead);
  return offset === null ? null : [only[0], offset];
}

/** Whether a line is the shown one: there, tabs are blanks and long lines are cut. */
function reads(line: string, shown: string): boolean {
  const [all, part] = [squeezed(line), squeezed(shown)];
  if (!cut(shown)) return all === part;
  return all.includes(part.replace(/^…/, "").replace(/…$/, "").trim());
}

const cut = (shown: string): boolean => shown.startsWith("…") || shown.endsWith("…");
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trimEnd();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const spaced = (text: string): string => text.split(/ +/).map(escaped).join("[ \\t]+");

/** The number of UTF-16 units of a number of characters, as Python counts them. */
function units(text: string, characters: number): number {
  return [...text].slice(0, characters).join("").length;
}

/** The offset that is so many columns to the right of one; null if it is not in the line. */
function charactersTo(line: string, from: number, filled: number): number | null {
  let [at, left] = [from, filled];
  for (const character of line.slice(from)) {
    if (left <= 0) break;
    left -= width(character);
    at += character.length;
  }
  return left > 0 || filled < 0 ? null : at;
}

/** How much of a line the carets are under. */
function lengthAt(line: string, column: number, said: Said): number {
  const goesOn = said.shown.endsWith("…") && said.pad + said.carets >= columns(said.shown);
  let [left, length, at] = [goesOn ? said.carets - 1 : said.carets, 0, said.pad];
  for (const character of line.slice(column)) {
    const filled = character === "\t" ? TAB - (at % TAB) : width(character);
    if (left < filled || (left === 0 && filled > 0)) break;
    left -= filled;
    at += filled;
    length += character.length;
  }
  return length;
}

// Characters that fill two cells of a terminal (Unicode's width W and F), and none.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;
const COMBINING = /^\p{Mn}$/u;

const columns = (text: string): number => [...text].reduce((sum, character) => sum + width(character), 0);

function width(character: string): number {
  return WIDE.test(character) ? 2 : COMBINING.test(character) ? 0 : 1;
}
