// What a cell shows: text, HTML, steppers, widgets.
import { BINDER } from "./binder.js";
import { mount } from "./stepper.js";

const HERE = new URL("./", import.meta.url);
const ROOT = new URL("../", HERE);

export const made = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

export function show(place, outputs, kernel) {
  place.replaceChildren(...outputs.map((bundle) => output(bundle, kernel)));
}

/** One sentence on what a page has not, and where the cell runs instead. `stored`: what is shown
 * above is that of the notebook's last run. */
export function missing(what, stored) {
  const shown = stored ? "what is shown is what the notebook's last run gave" : "a page cannot run this";
  const place = location.href.slice(ROOT.href.length).split(/[?#]/)[0];
  const isNotebook = place.startsWith("notebooks/") && place.endsWith(".html");
  const lab = `${BINDER}?urlpath=lab/tree/${isNotebook ? place.replace(/html$/, "ipynb") : ""}`;
  const link = BINDER ? made("a", { href: lab, textContent: "Binder" }) : "Binder";
  const note = made("p", { className: "live-missing" }, `${capital(what)}: ${shown}; `);
  note.append("it runs in JupyterLab, or on ", link, ".");
  return note;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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
