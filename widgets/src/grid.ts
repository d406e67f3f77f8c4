// A table of texts, under the names of its columns.
import { h } from "./dom";

type Told = (text: string) => (Node | string)[];

/** `told` is what is made of each text. */
export function grid(
  columns: readonly string[], rows: readonly (readonly string[])[], told: Told = (text) => [text],
): HTMLTableElement {
  const head = h("tr", {}, ...columns.map((c) => h("th", { scope: "col" }, ...told(c))));
  const body = rows.map((row) => h("tr", {}, ...row.map((text) => h("td", {}, ...told(text)))));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...body));
}
