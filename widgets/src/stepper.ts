// The module: a widget for anywidget, a function for pages, and pages that mount themselves.
import { syncedModel, type AnyModel } from "./model";
import { mount, type Options, show } from "./mount";

export { mount, type Options } from "./mount";

/** Mounts the pages' elements; only the first of them takes part in the address. An element says
 * what its stepper begins with: data-polynb-stepper='{"step":6}'. */
function mountAll(): void {
  document.querySelectorAll<HTMLElement>("[data-polynb-stepper]").forEach((el, k) => {
    const script = el.querySelector("script[type='application/json']");
    if (!script || el.querySelector(".pnb-root")) return;
    el.replaceChildren(script);
    const begun = parsed(el.dataset.polynbStepper || "{}") as Options | null;
    mount(el, parsed(script.textContent ?? ""), { hash: k === 0, ...begun });
  });
}

/** What is no JSON is no trace either: the stepper says so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

mountAll();

export default {
  render({ model, el }: { model: AnyModel; el: HTMLElement }): () => void {
    return show(el, syncedModel(model)).close;
  },
};
