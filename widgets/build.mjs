// Bundles src/stepper.ts into the one file that Python ships. The output depends on the sources
// and on esbuild's (locked) version only, so that CI can rebuild it and compare bytes.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

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

await build({
  absWorkingDir: here,
  entryPoints: ["src/stepper.ts"],
  outfile: "../polynb/show/static/stepper.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  logLevel: "info",
  plugins: [rawCss],
});
