// Python, isl and polynb in a web worker: a page sends cells, and gets what they show.
// The page ends the worker to stop a computation, and begins another one.
import { machine } from "./machine.js";
import { loadPyodide } from "./pyodide.mjs";

const here = (name) => new URL(name, import.meta.url);
const bytes = async (name) => {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
};

async function begun() {
  const say = (stage) => postMessage({ stage });
  say("Python");
  const parts = [bytes("isl.wasm"), bytes("polynb.zip")];
  const python = await loadPyodide({ indexURL: here("./").href });
  say("isl");
  python.registerJsModule("isl_machine", await machine(await parts[0]));
  say("polynb");
  python.FS.writeFile("/polynb.zip", new Uint8Array(await parts[1]));
  python.runPython(`
import sys
sys.path.insert(0, "/polynb.zip")
import json
from polynb.show.session import session
_session = session()
def _run(cell):
    return json.dumps(_session.run(cell), ensure_ascii=False)
`);
  postMessage({ ready: true });
  return python.globals.get("_run");
}

const run = begun().catch((error) => {
  postMessage({ failed: String(error.message ?? error).slice(-2000) });
  throw error;
});
onmessage = async ({ data }) => {
  const outputs = JSON.parse((await run)(data.cell));
  postMessage({ number: data.number, outputs });
};
