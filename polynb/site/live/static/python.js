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

/** What runs a cell, and gives what it shows as JSON. */
export function session(python) {
  python.runPython(`
import json
from polynb.show.session import session
_session = session()
def _run(cell):
    return json.dumps(_session.run(cell), ensure_ascii=False)
`);
  return python.globals.get("_run");
}
