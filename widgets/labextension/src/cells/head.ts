// Which cells hold a program of polynb's, or moves, and in which language: the first line says so, or
// else the program itself, as in polynb/source/parse.py.
import { magics } from "./words.json";

export type Language = "scop" | "c" | "moves";

export interface Cell {
  readonly language: Language;
  /** Where the magic's line begins and ends, and where the program begins. */
  readonly magic: number;
  readonly end: number;
  readonly body: number;
}

// IPython drops empty lines before a magic, and blanks; `%%scop?` asks for help.
const HEAD = new RegExp(`^\\s*?(%%(${magics.replace(/ /g, "|")})(?![\\w?]).*)(\\r\\n|\\r|\\n|$)`);
const COMMENT = /\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)/g;
const CHOICE = /\s--language(?:\s+|=)["']?(scop|c)\b/;

// What only one of the languages has.
const SCOP = new RegExp(
  "(?:^|;)\\s*(?:param|assume|input|output|inout|temp|define|let)\\s+[A-Za-z_]" +
    "|\\bfor\\s+[A-Za-z_]\\w*\\s*=" +
    "|\\b(?:then|fi|done)\\b(?!\\s*[\\[=;,)])",
  "m",
);
const C = new RegExp(
  "^\\s*#\\s*\\w|[{}]|\\bfor\\s*\\(|\\bwhile\\s*\\(|\\+\\+|--\\s*[;)]|[-+*/%&|^]=(?!=)" +
    "|\\b(?:int|long|short|char|unsigned|signed|void|const|static|return|restrict)\\b",
  "m",
);

/** The cell that a text is; null if it is none of polynb's. */
export function cell(text: string): Cell | null {
  const found = HEAD.exec(text);
  if (!found) return null;
  const [whole, line, name, newline] = found as unknown as [string, string, string, string];
  const end = whole.length - newline.length;
  const language = name === "transform" ? "moves" : chosen(line) ?? detect(text.slice(whole.length));
  return { language, magic: end - line.length, end, body: whole.length };
}

function chosen(line: string): Language | null {
  const said = line.replace(/\s#.*/, "");
  return (CHOICE.exec(said)?.[1] as Language | undefined) ?? null;
}

/** The language of the first thing that the other one has not. */
export function detect(text: string): Language {
  const code = text.replace(COMMENT, (found) => (found.includes("\n") ? "\n" : " "));
  const c = C.exec(code);
  if (!c) return "scop";
  const scop = SCOP.exec(code);
  return scop && scop.index <= c.index ? "scop" : "c";
}
