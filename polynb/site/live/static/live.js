// Cells that run in the page: an editor, what its program shows, and the worker that computes it.
import { mount } from "./stepper.js";

const HERE = new URL("./", import.meta.url);

/** Python, isl and polynb in a worker. One computation at a time; stopping it begins a new worker,
 * which knows none of the variables any more. */
export class Kernel {
  #worker = null;
  #waiting = new Map();
  #models = new Map();
  #number = 0;
  #told;
  /** How many workers there were: variables are those of the last one. */
  generation = 0;

  /** `told` hears what is loaded ("Python"), "ready" and what failed. */
  constructor(told = () => {}) {
    this.#told = told;
  }

  run(cell) {
    this.start();
    const number = ++this.#number;
    this.#worker.postMessage({ number, cell });
    return new Promise((shown, failed) => this.#waiting.set(number, { shown, failed }));
  }

  /** A widget's model, as anywidget has it. */
  model({ number, traits }) {
    const listeners = new Map();
    const changed = {};
    const at = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
    const model = {
      get: (name) => traits[name],
      set: (name, value) => {
        if (traits[name] === value) return;
        traits[name] = changed[name] = value;
        for (const listener of at(`change:${name}`)) listener();
      },
      save_changes: () => {
        this.#worker?.postMessage({ widget: number, traits: { ...changed } });
        for (const name of Object.keys(changed)) delete changed[name];
      },
      on: (event, listener) => at(event).add(listener),
      off: (event, listener) => at(event).delete(listener),
      /** What Python has changed. */
      hear: (others) => {
        Object.assign(traits, others);
        for (const name of Object.keys(others)) {
          for (const listener of at(`change:${name}`)) listener();
        }
      },
    };
    this.#models.set(number, model);
    return model;
  }

  start() {
    if (this.#worker) return;
    this.generation++;
    this.#worker = new Worker(new URL("worker.js", HERE), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#hear({ failed: event.message || "no worker" });
  }

  stop(why = "The computation was stopped. Variables of other cells are gone: run these again.") {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { failed } of this.#waiting.values()) failed(new Error(why));
    this.#waiting.clear();
    this.#models.clear();
    this.#told("stopped");
  }

  #hear(data) {
    if (data.stage) this.#told(data.stage);
    if (data.widget) this.#models.get(data.widget)?.hear(data.traits);
    if (data.ready) this.#told("ready");
    if (data.failed) this.stop(`Python could not be loaded: ${data.failed}`);
    if (data.outputs) {
      this.#waiting.get(data.number)?.shown(data.outputs);
      this.#waiting.delete(data.number);
    }
  }
}

const made = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** An editor with its buttons, and below it what its cell shows. What comes `before` is run first;
 * `shown` is an element that has what it showed when the page was made. */
export function cell(kernel, text, { before = async () => {}, shown = made("div") } = {}) {
  const editor = made("textarea", {
    className: "live-editor",
    value: text,
    spellcheck: false,
    ariaLabel: "the cell",
  });
  const fit = () => {
    editor.rows = Math.max(3, editor.value.split("\n").length);
  };
  const run = made("button", { type: "button", textContent: "Run", title: "Shift+Enter" });
  const stop = made("button", { type: "button", textContent: "Stop", disabled: true });
  const link = made("button", { type: "button", textContent: "Copy link" });
  const state = made("output", { className: "live-state" });

  async function start() {
    run.disabled = true;
    stop.disabled = false;
    state.textContent = "…";
    const begun = performance.now();
    try {
      await before();
      show(shown, await kernel.run(editor.value), kernel);
      element.ran = kernel.generation;
      state.textContent = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    } catch (error) {
      show(shown, [{ "text/plain": error.message }]);
      state.textContent = "";
    }
    run.disabled = false;
    stop.disabled = true;
  }
  run.onclick = start;
  stop.onclick = () => kernel.stop();
  link.onclick = async () => {
    const address = new URL(`index.html#cell=${encodeURIComponent(editor.value)}`, HERE);
    if (new URL("./", location.href).href === HERE.href) history.replaceState(null, "", address);
    await navigator.clipboard?.writeText(address.href);
    state.textContent = "The address of this program is copied.";
  };
  editor.oninput = fit;
  editor.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!run.disabled) start();
  };
  fit();
  const bar = made("div", { className: "live-bar" }, run, stop, link, state);
  const element = made("section", { className: "live-cell" }, editor, bar, shown);
  return Object.assign(element, { start, text: () => editor.value });
}

/** The cells of a page of the site get editors. One that is run has those above it run before, as
 * far as this worker has not. */
export function enliven(page, told) {
  page.head.append(made("link", { rel: "stylesheet", href: new URL("live.css", HERE).href }));
  const kernel = new Kernel(told);
  const cells = [];
  for (const input of page.querySelectorAll(".cell .cell_input")) {
    const number = cells.length;
    const before = async () => {
      kernel.start();
      for (const other of cells.slice(0, number)) {
        if (other.ran === kernel.generation) continue;
        await kernel.run(other.text());
        other.ran = kernel.generation;
      }
    };
    const shown = input.parentElement.querySelector(".cell_output") ?? made("div");
    const made_ = cell(kernel, input.querySelector("pre").innerText.trimEnd(), { before, shown });
    cells.push(made_);
    input.replaceWith(made_);
  }
  kernel.start();
  return kernel;
}

function show(place, outputs, kernel) {
  place.replaceChildren(...outputs.map((bundle) => output(bundle, kernel)));
}

function output(bundle, kernel) {
  const element = made("div", { className: "live-output" });
  if (bundle.widgets) widgets(element, bundle.widgets, kernel);
  else if (bundle.trace) stepper(element, bundle.trace);
  else if ("text/html" in bundle) element.innerHTML = bundle["text/html"];
  else element.append(made("pre", { textContent: bundle["text/plain"] }));
  return element;
}

/** Widgets, one below the other: their front ends are those of the notebook. */
async function widgets(element, states, kernel) {
  for (const state of states) {
    const el = made("div");
    element.append(el);
    const front = await import(new URL(state.front, HERE));
    front.default.render({ model: kernel.model(state), el });
  }
}

/** A stepper, what stands below it, and those that are beside it. */
function stepper(element, { trace, traits, below, more = [] }) {
  const place = made("div");
  element.append(place);
  mount(place, trace, { ...traits, hash: false });
  if (below) element.append(made("div", { innerHTML: below }));
  for (const other of more) stepper(element, { below: "", ...other });
}

/** The cell that the address names, as #cell=%25%25propagate...; or another one. */
export function named(other) {
  const given = new URLSearchParams(location.hash.slice(1)).get("cell");
  return given ?? other;
}
