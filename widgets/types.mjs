// Writes src/trace.ts, the types of a trace, from the schema; with --check, fails if they are others.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compileFromFile } from "json-schema-to-typescript";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const schema = path("../polynb/show/trace/trace.schema.json");
const file = path("src/trace.ts");

const types = await compileFromFile(schema, {
  bannerComment: "// From polynb/show/trace/trace.schema.json, by `npm run types`: change that, not this.",
  style: { printWidth: 100 },
});
if (!process.argv.includes("--check")) {
  await writeFile(file, types);
} else if ((await readFile(file, "utf8")) !== types) {
  console.error("src/trace.ts is not what the schema says: npm run types");
  process.exit(1);
}
