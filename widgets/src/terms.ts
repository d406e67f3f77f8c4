// The papers' terms in sentences: each is reached by pointer, by Tab and by touch, and then what it
// means is shown (tip.ts). What stands between backquotes is code.
import glossary from "../../polynb/show/glossary.json";
import { h } from "./dom";

type Child = Node | string;

/** Rows, for the names of fields would be a tenth of it. */
const TERMS = glossary as [term: string, forms: string[], means: string, source: string][];
const FORMS = TERMS.flatMap(([term, forms]) => forms.map((form) => ({ term, form })))
  .sort((a, b) => b.form.length - a.form.length);
const begun = (form: string): string =>
  form.replace(/^[a-z]/, (first) => `[${first}${first.toUpperCase()}]`);
const PATTERN = new RegExp(`(?<![\\w-])(?:${FORMS.map(({ form }) => `(${begun(form)})`).join("|")})(?![\\w-])`, "g");

/** What a term means, and where its paper says so. */
export function meaningOf(term: string): string {
  const found = TERMS.find(([name]) => name === term);
  return found ? `${found[2]} (${found[3]})` : "";
}

/** A text with its terms, each once, and not those that are `known` from before (which grows). */
export function explained(text: string, known = new Set<string>()): Child[] {
  return text.split("`").flatMap((part, k) => (k % 2 ? [h("code", {}, part)] : inTerms(part, known)));
}

function inTerms(text: string, known: Set<string>): Child[] {
  const found: Child[] = [];
  let start = 0;
  for (const match of text.matchAll(PATTERN)) {
    const { term } = FORMS[match.slice(1).findIndex((group) => group !== undefined)]!;
    if (known.has(term)) continue;
    known.add(term);
    found.push(
      text.slice(start, match.index),
      h("span", { class: "pnb-term", tabindex: 0, "data-term": term }, match[0]),
    );
    start = match.index! + match[0].length;
  }
  found.push(text.slice(start));
  return found.filter((part) => part !== "");
}

/** The text as it is read out, without the marks of code. */
export function plain(text: string): string {
  return text.replace(/`/g, "");
}

/** Says a text in an element; nothing happens, and nothing is read out, where it is said already. */
export function say(element: Element, text: string, known?: Set<string>): void {
  if (element.textContent !== plain(text)) element.replaceChildren(...explained(text, known));
}
