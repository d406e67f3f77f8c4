// Pyodide becomes the Python of live pages: isl, and polynb with what it needs.
import { machine } from "./machine.js";

/** polynb, of the bytes of polynb.zip.xz, can be imported. */
export function unpack(python, archive) {
  python.FS.writeFile("/polynb.zip.xz", new Uint8Array(archive));
  python.runPython(`
import lzma, os, sys
with lzma.open("/polynb.zip.xz") as packed, open("/polynb.zip", "wb") as plain:
    plain.write(packed.read())
os.remove("/polynb.zip.xz")
sys.path.insert(0, "/polynb.zip")
`);
}

/** A session, with all that it needs but isl; nothing of it is the page's, so that it can be kept. */
export function load(python) {
  python.runPython(`
import json
from polynb.site.live.holes import dig, fill
dig()
from polynb.show.page_widgets import changed
from polynb.show.session import session
_session = session(lambda number, traits: _tell(number, json.dumps(traits)))
from polynb.site.live.warming import warm
warm()
def _run(cell):
    return json.dumps(_session.run(cell), ensure_ascii=False)
def _completed(before, after):
    return json.dumps(_session.completed(before, after), ensure_ascii=False)
def _changed(number, traits):
    changed(number, json.loads(traits))
`);
}

/** isl, of the bytes of isl.wasm, is the module `isl_machine`. */
export async function register(python, isl) {
  python.registerJsModule("isl_machine", await machine(isl));
}

/** What runs a cell of a loaded session, and gives what it shows as JSON; what completes a cell, as
 * JSON too; and what tells widgets of changes in the page. `tell` hears of their own changes, as JSON. */
export async function connect(python, isl, tell = () => {}) {
  python.globals.set("_tell", tell);
  python.runPython(`import sys; del sys.modules["isl_machine"]`);
  await register(python, isl);
  python.runPython("import isl_machine; fill(isl_machine)");
  const [run, completed, changed] = ["_run", "_completed", "_changed"].map((n) => python.globals.get(n));
  return { run, completed, changed };
}
