// Bundles what Python ships: src/stepper.ts and src/play/play.ts into a file each, the editor of live
// pages into another, and labextension/ into a folder that JupyterLab loads. The output depends on the sources and on esbuild's (locked) version only, so
// that CI can rebuild it and compare bytes.
import { createHash } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const extension = resolve(here, "labextension");
const built = resolve(extension, "built/polynb"); // a folder of the extension's name

/** `import css from "./x.css?raw"`: the minified text, as vite (under vitest) gives the text. */
const rawCss = {
  name: "raw-css",
  setup(run) {
    run.onResolve({ filter: /\.css\?raw$/ }, (found) => ({
      path: resolve(found.resolveDir, found.path.replace(/\?raw$/, "")),
      namespace: "raw-css",
    }));
    run.onLoad({ filter: /.*/, namespace: "raw-css" }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

/** Imports of what JupyterLab shares are what it gives at run time (labextension/src/shared.ts). */
function fromJupyterLab(known) {
  return {
    name: "from-jupyterlab",
    setup(run) {
      run.onResolve({ filter: /^@(codemirror|jupyter|jupyterlab|lezer|lumino)\// }, ({ path }) => (
        known.includes(path)
          ? { path, external: true }
          : { errors: [{ text: `${path} is not in labextension/needs.json` }] }
      ));
    },
  };
}

/** Each part of the extension is one function, run when it is imported: what it needs is loaded by
 * then. As modules, esbuild would wrap every file of it in a function of its own (4 kB). */
const parts = {
  name: "parts",
  async setup(run) {
    const needs = JSON.parse(await readFile(resolve(extension, "needs.json"), "utf8"));
    run.onLoad({ filter: /labextension.src.(mime|plugins)\.ts$/ }, async ({ path }) => {
      const { outputFiles: [{ text }] } = await build({
        ...common,
        entryPoints: [path],
        write: false,
        format: "cjs",
        target: "es2022",
        plugins: [rawCss, fromJupyterLab(needs[`./${basename(path, ".ts")}`])],
      });
      return {
        resolveDir: dirname(path),
        contents: `
          import { shared } from "./shared";
          const module = { exports: {} };
          ((module, require) => { ${text} })(module, shared);
          export default module.exports.default;`,
      };
    });
  },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "info",
};

const codemirror = await readFile(resolve(here, "node_modules/@codemirror/view/LICENSE"), "utf8");

for (const [entry, out, licence] of [
  ["src/stepper.ts", "show/static/stepper.js"],
  ["src/play/play.ts", "show/static/play.js"],
  ["src/editor/editor.ts", "site/live/static/editor.mjs", codemirror],
]) {
  await build({
    ...common,
    entryPoints: [entry],
    outfile: `../polynb/${out}`,
    format: "esm",
    target: "es2020",
    plugins: [rawCss],
    banner: licence && { js: `/* CodeMirror 6\n\n${licence}*/` },
  });
}

await rm(built, { recursive: true, force: true });
await cp(resolve(extension, "schemas"), resolve(built, "schemas/polynb"), { recursive: true });
await build({
  ...common,
  entryPoints: ["labextension/src/container.ts"],
  outfile: "labextension/built/polynb/static/polynb.js",
  format: "iife",
  target: "es2022",
  plugins: [parts],
});

/** What JupyterLab reads of it; the version is the Python package's. Its server lets browsers keep
 * a file for ever, so that the address changes with the content. */
const described = JSON.parse(await readFile(resolve(extension, "package.json"), "utf8"));
const content = await readFile(resolve(built, "static/polynb.js"));
described.jupyterlab._build.load += `?v=${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
const pyproject = await readFile(resolve(here, "../pyproject.toml"), "utf8");
const { version } = /^version = "(?<version>.+)"$/m.exec(pyproject).groups;
for (const [name, fields] of Object.entries({
  "package.json": { ...described, version },
  "install.json": {
    packageManager: "python",
    packageName: "polynb",
    uninstallInstructions: "pip uninstall polynb",
  },
})) {
  await writeFile(resolve(built, name), `${JSON.stringify(fields, null, 2)}\n`);
}
