// The module: a widget for anywidget, a function for pages, and pages that mount themselves.
import { localModel, syncedModel, type AnyModel, type Model, type Traits } from "./model";
import { readHash, followHash } from "./hash";
import { Player } from "./player";
import { addStyles } from "./styles";
import { View } from "./view";

export interface Options extends Partial<Omit<Traits, "trace">> {
  /** Whether the page's address says the step, as #step=17. */
  hash?: boolean;
}

function show(el: HTMLElement, model: Model): { player: Player; close: () => void } {
  addStyles(el);
  const player = new Player(model);
  const view = new View(player);
  view.attach(el);
  const close = (): void => {
    player.close();
    view.close();
  };
  return { player, close };
}

/** Shows a trace without Python. Returns how to remove it. */
export function mount(el: HTMLElement, trace: unknown, { hash = false, ...traits }: Options = {}): () => void {
  const step = (hash ? readHash() : null) ?? traits.step ?? 0;
  const { player, close } = show(el, localModel({ ...traits, trace, step }));
  const unfollow = hash ? followHash(player) : null;
  return () => {
    unfollow?.();
    close();
  };
}

/** Mounts the pages' elements; only the first of them takes part in the address. */
function mountAll(): void {
  document.querySelectorAll<HTMLElement>("[data-polynb-stepper]").forEach((el, k) => {
    const script = el.querySelector("script[type='application/json']");
    if (!script || el.querySelector(".pnb-root")) return;
    el.replaceChildren(script);
    mount(el, parsed(script.textContent ?? ""), { hash: k === 0 });
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
