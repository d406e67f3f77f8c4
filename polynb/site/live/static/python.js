// Pyodide becomes the Python of live pages: isl, and polynb with what it needs.
import { machine } from "./machine.js";

/** `isl` and `archive` are the bytes of isl.wasm and of polynb.zip.xz. */
export async function prepare(python, isl, archive) {
  python.registerJsModule("isl_machine", await machine(isl));
  python.FS.writeFile("/polynb.zip.xz", new Uint8Array(archive));
  python.runPython(`
import lzma, os, sys
with lzma.open("/polynb.zip.xz") as packed, open("/polynb.zip", "wb") as plain:
    plain.write(packed.read())
os.remove("/polynb.zip.xz")
sys.path.insert(0, "/polynb.zip")
`);
}

/** What runs a cell, and gives what it shows as JSON; and what tells widgets of changes in the
 * page. `tell` hears of their own changes, as JSON. */
export function session(python, tell = () => {}) {
  python.globals.set("_tell", tell);
  python.runPython(`
import json
from polynb.show.page_widgets import changed
from polynb.show.session import session
_session = session(lambda number, traits: _tell(number, json.dumps(traits)))
def _run(cell):
    return json.dumps(_session.run(cell), ensure_ascii=False)
def _changed(number, traits):
    changed(number, json.loads(traits))
`);
  return { run: python.globals.get("_run"), changed: python.globals.get("_changed") };
}
