// `node compile.mjs PYODIDE FOLDER`: every .py of a folder becomes the .pyc of Pyodide's Python, so
// that pages need not compile it each time.
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdirTree("/folder");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/folder");
const failed = python.runPython(`
import compileall, pathlib, py_compile
done = compileall.compile_dir(
    "/folder", quiet=1, legacy=True, stripdir="/folder", prependdir="/polynb.zip",
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
for path in pathlib.Path("/folder").rglob("*.py"):
    path.unlink()
not done
`);
process.exit(failed ? 1 : 0);
