"""What a live page loads besides isl: Python, and polynb with what it needs, compiled, in one file.

Python is Pyodide, of its npm package; the rest is what is installed here.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import io
import lzma
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError

PYODIDE: Final = "314.0.7"
LIBRARY: Final = "python_stdlib.zip"
PYTHON: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", LIBRARY)
LOADER: Final = "pyodide.mjs"
ISL: Final = "isl.wasm"
ISLPY: Final = "islpy.py"
ISL_LICENCE: Final = "isl-LICENSE.txt"
SUFFIX: Final = ".gzip"
"""Of what pages unpack: a plain server compresses nothing. (Some servers have browsers unpack `.gz`
by themselves.)"""

SCRIPTS: Final = (
    *("machine.js", "python.js", "again.js", "packed.js", "booting.js", "worker.js", "kernel.js"),
    *("outputs.js", "address.js", "offline.js", "live.js", "start.js", "live.css", "index.html"),
)
EDITOR: Final = "editor.mjs"
ARCHIVE: Final = "polynb.zip.xz"
LICENCES: Final = "LICENSES.txt"
FRONTS: Final = ("stepper.js", "play.js")
WHEELS: Final = ("lark", "pcpp", "pycparser", "traitlets", "ipython")
_IPYTHON: Final = {
    *(f"core/{name}" for name in ("error", "inputtransformer2", "magic", "magic_arguments")),
    *("testing/__init__", "testing/skipdoctest", "utils/__init__"),
    *(f"utils/{name}" for name in ("_process_common", "_process_emscripten", "_process_posix")),
    *(f"utils/{name}" for name in ("decorators", "docs", "encoding", "ipstruct", "process")),
    *(f"utils/{name}" for name in ("text", "tokenutil")),
}
_HERE: Final = ("__init__.py", "base.py", "holes.py", "likes.py", "scalars.py", "warming.py")
_UNUSABLE: Final = (
    *("multiprocessing/", "xmlrpc/", "wsgiref/", "ctypes/macholib/"),
    *("ftplib.py", "imaplib.py", "mailbox.py", "poplib.py", "smtplib.py"),
    *("_pyio.py", "_pydatetime.py"),
)
"""What of Python's library needs processes or sockets, or is there in C too."""

_NOT_THERE: Final = ("resource",)
"""Modules of Python that Pyodide has not, and that polynb only uses to run compiled programs."""


def packed(out: Path, isl: Path) -> list[Path]:
    """Write Pyodide's files, the worker's scripts, isl and the archive to a folder; `isl` is that
    of `isl.wasm`, of `islpy.py`, which goes into the archive, and of isl's licence. Raises
    PolynbError where npm or node fails."""
    out.mkdir(parents=True, exist_ok=True)
    packed = [out / f"{name}{SUFFIX}" for name in (*PYTHON, ISL, EDITOR)]
    others = (*SCRIPTS, *FRONTS, LOADER, ARCHIVE, ISL_LICENCE, LICENCES)
    for name in FRONTS:
        (out / name).write_bytes(files("polynb.show").joinpath("static", name).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        installed = Path(folder, "npm")
        wanted = ("install", "--prefix", str(installed), "--no-audit", "--no-fund")
        _run(["npm", *wanted, f"pyodide@{PYODIDE}"])
        pyodide = installed / "node_modules" / "pyodide"
        shutil.copy(pyodide / LOADER, out / LOADER)
        for name in PYTHON:
            data = (pyodide / name).read_bytes()
            _compress(_usable(data) if name == LIBRARY else data, out / f"{name}{SUFFIX}")
        tree = Path(folder, "tree")
        _write_tree(tree, isl / ISLPY)
        with as_file(files("polynb.site.live") / "static") as static:
            for name in SCRIPTS:
                shutil.copy(static / name, out / name)
            _compress((static / EDITOR).read_bytes(), out / f"{EDITOR}{SUFFIX}")
            _run(["node", str(static / "compile.mjs"), str(pyodide), str(tree)])
        _write_archive(tree, out / ARCHIVE)
    _compress((isl / ISL).read_bytes(), out / f"{ISL}{SUFFIX}")
    shutil.copy(isl / ISL_LICENCE, out / ISL_LICENCE)
    (out / LICENCES).write_text(_licences(), encoding="utf-8")
    return [*packed, *(out / name for name in others)]


def _compress(data: bytes, to: Path) -> None:
    to.write_bytes(gzip.compress(data, 9, mtime=0))


def _usable(library: bytes) -> bytes:
    """Python's library as an archive that is not compressed: as one it becomes smaller."""
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as given, zipfile.ZipFile(whole, "w") as made:
        for name in sorted(given.namelist()):
            if not name.startswith(_UNUSABLE):
                made.writestr(zipfile.ZipInfo(name), given.read(name))
    return whole.getvalue()


def _licences() -> str:
    """Of what is not polynb's."""
    said = [
        f"Pyodide {PYODIDE}, MPL-2.0: https://github.com/pyodide/pyodide; CPython in it, PSF-2.0"
    ]
    for wheel in WHEELS:
        found = importlib.metadata.metadata(wheel)
        own = [f for f in importlib.metadata.files(wheel) or () if "LICEN" in f.name.upper()]
        texts = [f.read_text() for f in own]
        said.append("\n\n".join([f"{wheel} {found['Version']}", *(texts or [found["License"]])]))
    return f"\n{'-' * 80}\n".join(said) + "\n"


def _write_tree(tree: Path, islpy: Path) -> None:
    """What Python imports on a page: polynb, the packages it needs, and the stand-ins."""
    home = Path(__file__).parents[2]
    tree.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "*.so")
    shutil.copytree(home, tree / "polynb", ignore=ignored)
    for path in (tree / "polynb" / "site").rglob("*"):  # which makes pages, but for what is here
        if path.is_file() and path.name not in _HERE:
            path.unlink()
    shutil.copy(islpy, tree / "islpy.py")
    shutil.copy(home / "site" / "live" / "arrays.py", tree / "numpy.py")
    for name in _NOT_THERE:
        (tree / f"{name}.py").write_text('"""Not on a page."""\n', encoding="utf-8")
    for wheel in WHEELS:
        for file in importlib.metadata.files(wheel) or ():
            if file.suffix in (".py", ".lark", ".cfg") and _is_wanted(file.parts):
                (tree / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), tree / file)


def _is_wanted(parts: Sequence[str]) -> bool:
    """Of IPython, what reads lines and cells."""
    if "tests" in parts or ".." in parts or parts[0].endswith((".dist-info", ".data")):
        return False
    return parts[0] != "IPython" or "/".join(parts[1:]).removesuffix(".py") in _IPYTHON


def _write_archive(tree: Path, archive: Path) -> None:
    """The same bytes for the same tree. What is compressed as one is a third smaller."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as made:
        for path in sorted(p for p in tree.rglob("*") if p.is_file()):
            made.writestr(zipfile.ZipInfo(path.relative_to(tree).as_posix()), path.read_bytes())
    small = {
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": 1 << 24,
    }  # who unpacks it needs as much
    packed = lzma.compress(whole.getvalue(), filters=[{"id": lzma.FILTER_LZMA2, **small}])
    archive.write_bytes(packed)


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise PolynbError(
            f"live pages are made with {command[0]}, which is not here",
            hint="install Node.js, which brings npm",
        ) from None
    if done.returncode:
        raise PolynbError(
            f"{' '.join(command[:3])} failed", reason=(done.stderr or done.stdout).strip()[-2000:]
        )
