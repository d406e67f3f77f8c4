// The words of a cell, for their colours. All languages are read by one table of patterns; whether
// the program is right is for Python to say.
import { cell, type Cell, type Language } from "./head";
import words from "./words.json";

/** Named as editors name colours. A `directive` is a line of C's preprocessor; `text` are names,
 * brackets, and all that has no colour of its own. */
export type Kind =
  | "comment" | "directive" | "function" | "keyword" | "label" | "magic" | "number" | "operator" | "option"
  | "string" | "text" | "type";

export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
}

const C_KEYWORDS =
  "break case const continue default do else enum extern for goto if inline register restrict return sizeof static " +
  "struct switch typedef union volatile while";
const C_TYPES =
  "_Bool bool char double float int long short signed size_t ssize_t unsigned void " +
  "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";

type Words = ReadonlySet<string>;
const set = (text: string): Words => new Set(text.split(" "));
const KEYWORDS: Record<Language, Words> = { scop: set(words.keywords), c: set(C_KEYWORDS), moves: set(words.moves) };
const TYPES: Record<Language, Words> = { scop: set(words.types), c: set(C_TYPES), moves: set("") };
const FUNCTIONS = set(words.functions);

const NUMBER =
  /0[xX][0-9a-fA-F]+[uUlL]*|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?(?:[fF]|[uUlL]+)?/y;
const SLASHES = /\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)/y;
const COMMENTS: Record<Language, RegExp> = { scop: SLASHES, c: SLASHES, moves: /#[^\r\n]*/y };
const PLAIN = /[A-Za-z_][A-Za-z0-9_]*/y;
const HYPHENED = new RegExp(`(?:${words.moves.split(" ").filter((w) => w.includes("-")).join("|")})\\b|${PLAIN.source}`, "y");
const NAMES: Record<Language, RegExp> = { scop: PLAIN, c: PLAIN, moves: HYPHENED };
const OPERATOR = /(?:\/(?![/*])|[-+*%<>=!&|^~?:])+/y;
const STRING = /"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?/y;
const DIRECTIVE = /#(?:[^\\\r\n/]|\\(?:\r\n|[^])|\/(?![/*]))*/y;
const OTHER = /[^\s\w/"'#.+*%<>=!&|^~?:-]+|[^]/y;
const BLANK = /\s+/y;
const WORD = /--[\w-]+|#.*|[^\s#]\S*/y;

/** The tokens of a cell of polynb's, in order; none for any other text. */
export function tokens(text: string): Token[] {
  const found = cell(text);
  if (!found) return [];
  return [...ofMagic(text, found), ...ofProgram(text, found)];
}

function ofMagic(text: string, { magic, end }: Cell): Token[] {
  const found: Token[] = [];
  for (let at = magic; at < end; ) {
    const length = matched(BLANK, text, at);
    if (length) {
      at += length;
      continue;
    }
    const to = Math.min(at + matched(WORD, text, at), end);
    const first = text[at];
    const kind = at === magic ? "magic" : first === "#" ? "comment" : text.startsWith("--", at) ? "option" : "text";
    found.push({ from: at, to, kind });
    at = to;
  }
  return found;
}

function ofProgram(text: string, { body, language }: Cell): Token[] {
  const found: Token[] = [];
  let before = ";"; // the token before, comments left out; a statement can begin
  for (let at = body; at < text.length; ) {
    const [length, kind] = next(text, at, language, before);
    const word = text.slice(at, at + length);
    if (kind) found.push({ from: at, to: at + length, kind });
    if (kind && kind !== "comment") before = kind === "directive" ? ";" : word;
    at += length;
  }
  return found;
}

/** The length and the kind of what begins at an offset; blanks have none. */
function next(text: string, at: number, language: Language, before: string): [number, Kind | null] {
  const blank = matched(BLANK, text, at);
  if (blank) return [blank, null];
  const comment = matched(COMMENTS[language], text, at);
  if (comment) return [comment, "comment"];
  const name = matched(NAMES[language], text, at);
  if (name) return [name, kindOf(text, at, name, language, before)];
  const number = matched(NUMBER, text, at);
  if (number) return [number, "number"];
  const operator = matched(OPERATOR, text, at);
  if (operator) return [operator, "operator"];
  if (language === "c") {
    const string = matched(STRING, text, at);
    if (string) return [string, "string"];
    const directive = matched(DIRECTIVE, text, at);
    if (directive) return [directive, "directive"];
  }
  return [matched(OTHER, text, at), "text"];
}

function kindOf(text: string, at: number, length: number, language: Language, before: string): Kind {
  const name = text.slice(at, at + length);
  if (KEYWORDS[language].has(name)) return "keyword";
  if (TYPES[language].has(name)) return "type";
  const after = /^\s*(.?)(.?)/.exec(text.slice(at + length, at + length + 40));
  if (after?.[1] === "(" && FUNCTIONS.has(name)) return "function";
  const begins = /[;{}):]$/.test(before) || /^(?:do|then|else|done|fi)$/.test(before);
  return after?.[1] === ":" && begins ? "label" : "text";
}

/** How many characters a (sticky) pattern matches at an offset. */
function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
