// Bundles what Python ships: src/stepper.ts into one file, and labextension/ into a folder that
// JupyterLab loads. The output depends on the sources and on esbuild's (locked) version only, so
// that CI can rebuild it and compare bytes.
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
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
async function fromJupyterLab() {
  const needs = JSON.parse(await readFile(resolve(extension, "needs.json"), "utf8"));
  const known = new Set(Object.values(needs).flat());
  return {
    name: "from-jupyterlab",
    setup(run) {
      run.onResolve({ filter: /^@(codemirror|jupyter|jupyterlab|lezer|lumino)\// }, ({ path }) => (
        known.has(path)
          ? { path, namespace: "from-jupyterlab" }
          : { errors: [{ text: `${path} is not in labextension/needs.json` }] }
      ));
      run.onLoad({ filter: /.*/, namespace: "from-jupyterlab" }, ({ path }) => ({
        contents: `module.exports = require("./shared").shared(${JSON.stringify(path)});`,
        resolveDir: resolve(extension, "src"),
      }));
    },
  };
}

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "info",
};

await build({
  ...common,
  entryPoints: ["src/stepper.ts"],
  outfile: "../polynb/show/static/stepper.js",
  format: "esm",
  target: "es2020",
  plugins: [rawCss],
});

await rm(built, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: ["labextension/src/container.ts"],
  outfile: "labextension/built/polynb/static/polynb.js",
  format: "iife",
  target: "es2022",
  plugins: [rawCss, await fromJupyterLab()],
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
