// What JupyterLab and Notebook 7 load: a container of webpack's module federation, written by hand.
// They call `init` with what they share, and `get` for each part that package.json names. Each part
// loads on its own, so that one that cannot be had does not take the others with it.
import needs from "../needs.json";
import { load, type Scope } from "./shared";

type Part = keyof typeof needs;

interface Module {
  __esModule: true;
  default: unknown;
}

const PARTS: Record<Part, () => Promise<{ default: unknown }>> = {
  "./mime": () => import("./mime"),
  "./plugins": () => import("./plugins"),
};

let scope: Scope = {};

const container = {
  init(given: Scope): void {
    scope = given;
  },
  async get(name: Part): Promise<() => Module> {
    await load(needs[name], scope);
    const part = await PARTS[name]();
    return () => ({ __esModule: true, default: part.default });
  },
};

const host = window as { _JUPYTERLAB?: Record<string, typeof container> };
(host._JUPYTERLAB ??= {}).polynb = container;
