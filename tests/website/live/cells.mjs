// `node cells.mjs LIVE`: cells, a JSON list through the standard input, in the session of a live
// page; what each shows goes to the standard output, with its seconds.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const live = process.argv[2];
const { again } = await import(pathToFileURL(`${live}/again.js`));
const { connect, load, unpack } = await import(pathToFileURL(`${live}/python.js`));
const { default: create } = await import(pathToFileURL(`${live}/pyodide.asm.mjs`));
const { loadPyodide } = await import(pathToFileURL(`${live}/pyodide.mjs`));
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

try {
  const first = await loadPyodide({ indexURL: live, _makeSnapshot: true });
  const times = { python: spent() };
  unpack(first, readFileSync(`${live}/polynb.zip.xz`));
  load(first);
  times.loaded = spent();
  const kept = first.makeMemorySnapshot();
  const zip = first.FS.readFile("/polynb.zip");
  const before = spent();
  const python = await again(live, kept, create);
  python.FS.writeFile("/polynb.zip", zip);
  const { run } = await connect(python, readFileSync(`${live}/isl.wasm`));
  times.again = spent() - before;
  const cells = JSON.parse(await text(process.stdin)).map((cell) => {
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
