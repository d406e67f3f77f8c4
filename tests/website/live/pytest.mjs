// `node pytest.mjs LIVE CHECKOUT PACKAGES ARGUMENT...`: pytest in the Python of live pages, over
// isl.wasm. PACKAGES is a folder with pytest; polynb is the checkout's.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [live, checkout, packages, ...given] = process.argv.slice(2);
const { register, unpack } = await import(pathToFileURL(`${live}/python.js`));
const { loadPyodide } = await import(pathToFileURL(`${live}/pyodide.mjs`));

try {
  const python = await loadPyodide({ indexURL: live });
  await register(python, readFileSync(`${live}/isl.wasm`));
  unpack(python, readFileSync(`${live}/polynb.zip.xz`));
  for (const [place, root] of [["/checkout", checkout], ["/packages", packages]]) {
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
  }
  python.globals.set("given", python.toPy(given));
  const failed = python.runPython(`
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/checkout")
sys.path.append("/packages")
os.chdir("/checkout")
import pytest
pytest.main(["-p", "no:cacheprovider", "-p", "no:faulthandler", *given])
`);
  process.exit(Number(failed));
} catch (error) {
  console.error(String(error.message ?? error).slice(-3000));
  process.exit(3);
}
