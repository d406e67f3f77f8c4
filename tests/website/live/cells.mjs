// `node cells.mjs LIVE`: cells, a JSON list through the standard input, in the session of a live
// page; what each shows goes to the standard output, with its seconds.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const live = process.argv[2];
const { prepare, session } = await import(pathToFileURL(`${live}/python.js`));
const { loadPyodide } = await import(pathToFileURL(`${live}/pyodide.mjs`));
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

try {
  const python = await loadPyodide({ indexURL: live });
  const times = { python: spent() };
  await prepare(python, ...["isl.wasm", "polynb.zip.xz"].map((n) => readFileSync(`${live}/${n}`)));
  const { run } = session(python);
  times.session = spent();
  const cells = JSON.parse(readFileSync(0, "utf8")).map((cell) => {
    const before = spent();
    const outputs = JSON.parse(run(cell));
    return { outputs, seconds: spent() - before };
  });
  const memory = process.memoryUsage().rss;
  process.stdout.write(JSON.stringify({ times, cells, memory }), () => process.exit(0));
} catch (error) {
  console.error(String(error.message ?? error).slice(-3000));
  process.exit(1);
}
