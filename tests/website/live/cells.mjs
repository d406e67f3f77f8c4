// `node cells.mjs LIVE`: cells, a JSON list through the standard input, in the session of a live
// page; what each shows goes to the standard output, with its seconds.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const live = process.argv[2];
const { machine } = await import(pathToFileURL(`${live}/machine.js`));
const { loadPyodide } = await import(pathToFileURL(`${live}/pyodide.mjs`));
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

try {
  const python = await loadPyodide({ indexURL: live });
  const times = { python: spent() };
  python.registerJsModule("isl_machine", await machine(readFileSync(`${live}/isl.wasm`)));
  python.FS.writeFile("/polynb.zip", readFileSync(`${live}/polynb.zip`));
  python.runPython(`
import json, sys
sys.path.insert(0, "/polynb.zip")
from polynb.show.session import session
_session = session()
def _run(cell):
    return json.dumps(_session.run(cell))
`);
  times.session = spent();
  const run = python.globals.get("_run");
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
