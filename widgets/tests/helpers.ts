import cube from "./fixtures/cube.json";
import plane from "./fixtures/plane.json";
import reload from "./fixtures/reload.json";
import { localModel, type Model, type Traits } from "../src/model";
import { Player } from "../src/player";
import type { Scene, Trace } from "../src/trace";
import { View } from "../src/view";

/** Fresh copies: a test may change its own. */
export const traces = {
  reload: (): Trace => structuredClone(reload) as unknown as Trace,
  plane: (): Trace => structuredClone(plane) as unknown as Trace,
  cube: (): Trace => structuredClone(cube) as unknown as Trace,
};

export const sceneOf = (trace: Trace): Scene => trace.scenes[0]!;

export interface Shown {
  model: Model;
  player: Player;
  root: HTMLElement;
  one: <E extends HTMLElement>(selector: string) => E;
  all: (selector: string) => Element[];
  /** Clicks the button that says this. */
  click: (text: string) => void;
  /** Presses a key where the focus is, or at the root. */
  press: (key: string, target?: Element) => KeyboardEvent;
}

export function shown(trace: unknown, traits: Partial<Traits> = {}): Shown {
  const model = localModel({ ...traits, trace });
  const player = new Player(model);
  const view = new View(player);
  document.body.replaceChildren();
  view.attach(document.body);
  const { root } = view;
  const one = <E extends HTMLElement>(selector: string): E => {
    const found = root.querySelector<E>(selector);
    if (!found) throw new Error(`nothing matches ${selector}`);
    return found;
  };
  return {
    model, player, root, one,
    all: (selector) => [...root.querySelectorAll(selector)],
    click(text) {
      const buttons = [...root.querySelectorAll("button")];
      const button = buttons.find((b) => b.textContent === text || b.getAttribute("aria-label") === text);
      if (!button) throw new Error(`no button says ${text}`);
      button.click();
    },
    press(key, target = root) {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      target.dispatchEvent(event);
      return event;
    },
  };
}
