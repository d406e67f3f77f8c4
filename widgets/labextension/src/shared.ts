// What JupyterLab has loaded already, and shares: the packages of ../needs.json, by the parts of the
// extension that import them. `build.mjs` puts `shared("NAME")` in the place of such an import. They
// are never bundled, for tokens and classes must be the very ones that JupyterLab uses.

/** A share scope of webpack's module federation: by package and version, how to load it. */
export type Scope = Record<string, Record<string, { get(): Promise<() => unknown> } | undefined> | undefined>;

const modules = new Map<string, unknown>();

export function shared(name: string): unknown {
  if (!modules.has(name)) throw new Error(`polynb: ${name} was not loaded before it was used`);
  return modules.get(name);
}

/** Loads packages from JupyterLab. Each is there in one version, for they are singletons. */
export async function load(names: readonly string[], scope: Scope): Promise<void> {
  await Promise.all(names.map(async (name) => {
    if (modules.has(name)) return;
    const offered = Object.values(scope[name] ?? {})[0];
    if (!offered) throw new Error(`polynb: this Jupyter does not share ${name}`);
    modules.set(name, (await offered.get())());
  }));
}
