// Writes the types of what Python sends from their schemas; with --check, fails if they are others.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compileFromFile } from "json-schema-to-typescript";

const SCHEMAS = {
  "src/trace.ts": "polynb/show/trace/trace.schema.json",
  "src/play/shown.ts": "polynb/show/play/play.schema.json",
};
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const types = await compileFromFile(path(`../${schema}`), {
    bannerComment: `// From ${schema}, by \`npm run types\`: change that, not this.`,
    style: { printWidth: 100 },
  });
  if (!process.argv.includes("--check")) {
    await writeFile(path(name), types);
  } else if ((await readFile(path(name), "utf8")) !== types) {
    console.error(`${name} is not what the schema says: npm run types`);
    process.exitCode = 1;
  }
}
