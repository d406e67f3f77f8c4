// A stepper in an element: with a model of its own, or with one that is shared with Python.
import { followHash, readHash } from "./hash";
import { localModel, type Model, type Traits } from "./model";
import { Player } from "./player";
import { addStyles } from "./styles";
import { View } from "./view";

export interface Options extends Partial<Omit<Traits, "trace">> {
  /** Whether the page's address says the step, as #step=17. */
  hash?: boolean;
}

export function show(el: HTMLElement, model: Model): { player: Player; close: () => void } {
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
