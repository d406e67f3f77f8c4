// Cells that run in the page: an editor, its buttons, and what its program shows.
import { fragment } from "./address.js";
import { Kernel } from "./kernel.js";
import { made, missing, show } from "./outputs.js";
import { imported } from "./packed.js";

const HERE = new URL("./", import.meta.url);
const { editor: edited } = await imported("editor.mjs");

/** An editor with its buttons, and below it what its cell shows. What comes `before` is run first;
 * `shown` is an element that has what it showed when the page was made. */
export function cell(kernel, text, { before = async () => {}, shown = made("div") } = {}) {
  const stored = [...shown.childNodes];
  const editor = edited(text, {
    label: "the cell",
    run: () => run.disabled || start(),
    complete: (before, after) => kernel.completed(before, after),
  });
  const run = made("button", { type: "button", textContent: "Run", title: "Shift+Enter" });
  const stop = made("button", { type: "button", textContent: "Stop", disabled: true });
  const link = made("button", { type: "button", textContent: "Copy link" });
  const state = made("output", { className: "live-state" });

  /** Runs it; a cell below that needs it meanwhile waits for that. */
  function start() {
    const running = started();
    element.running = { generation: kernel.generation, running };
    return running;
  }
  async function started() {
    run.disabled = true;
    stop.disabled = false;
    state.textContent = "…";
    const begun = performance.now();
    try {
      await before();
      answer(await kernel.run(editor.text()));
      element.ran = kernel.generation;
      state.textContent = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    } catch (error) {
      show(shown, [{ "text/plain": error.message }]);
      state.textContent = "";
    }
    run.disabled = false;
    stop.disabled = true;
  }
  /** Where something is missing that pages have not, what is stored stays. */
  function answer(outputs) {
    const needed = outputs.find((output) => output.missing);
    const others = outputs.filter((output) => output !== needed);
    editor.mark(outputs.at(-1)?.error ?? "");
    const keeps = needed && stored.length > 0 && (editor.text() === text || !others.length);
    if (keeps) shown.replaceChildren(...stored);
    else show(shown, others, kernel);
    if (needed) shown.append(missing(needed.missing, keeps));
  }
  run.onclick = start;
  stop.onclick = () => kernel.stop();
  link.onclick = async () => {
    const address = new URL(`index.html#${fragment(editor.text())}`, HERE);
    if (new URL("./", location.href).href === HERE.href) history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address.href);
      state.textContent = "The address of this program is copied.";
    } catch { // over http there is no clipboard
      state.textContent = address.href;
    }
  };
  const bar = made("div", { className: "live-bar" }, run, stop, link, state);
  const box = made("div", { className: "live-editor" }, editor.element);
  const element = made("section", { className: "live-cell" }, box, bar, shown);
  const isUsed = () => run.disabled || element.ran !== undefined || editor.text() !== text;
  return Object.assign(element, { start, text: editor.text, write: editor.write, isUsed });
}

/** The cells of a page of the site get editors. One that is run has those above it run before, as
 * far as this worker has not. */
export function enliven(page, told) {
  page.head.append(made("link", { rel: "stylesheet", href: new URL("live.css", HERE).href }));
  const kernel = new Kernel(told);
  const cells = [];
  async function once(other) {
    const { generation } = kernel;
    if (other.ran === generation) return;
    if (other.running?.generation !== generation) {
      const running = kernel.run(other.text()).then(() => { other.ran = generation; });
      other.running = { generation, running };
    }
    await other.running.running;
  }
  for (const input of page.querySelectorAll(".cell .cell_input")) {
    const number = cells.length;
    const before = async () => {
      kernel.start();
      for (const other of cells.slice(0, number)) await once(other);
    };
    input.closest("details")?.setAttribute("open", "");
    const shown = input.closest(".cell").querySelector(".cell_output") ?? made("div");
    const made_ = cell(kernel, input.querySelector("pre").textContent.trimEnd(), { before, shown });
    cells.push(made_);
    input.replaceWith(made_);
  }
  kernel.start();
  return kernel;
}
