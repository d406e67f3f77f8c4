"""isl as WebAssembly, from the source package of islpy, by the compiler in the `ziglang` wheel."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError

HEADERS: Final = (
    *("ctx", "id", "space", "set", "map", "local_space", "aff", "polynomial", "union_map"),
    *("union_set", "printer", "point", "constraint", "val", "vec", "mat", "stride_info"),
    *("fixed_box", "schedule", "schedule_node", "flow", "options", "ast", "ast_build", "ilp"),
    *("id_to_ast_expr", "vertices"),
)
COMPILER: Final = ("ziglang", "cc", "-target", "wasm32-wasi")
_DEFINED: Final = (
    *("-DUSE_IMATH_FOR_MP=1", "-DUSE_SMALL_INT_OPT=1", '-DGIT_HEAD_ID="included-with-islpy"'),
    "-D__OPTIMIZE_SIZE__",
)
_LINKED: Final = (
    *("-mexec-model=reactor", "-s", "-Wl,-z,stack-size=8388608"),
    *("-lwasi-emulated-signal", "-lwasi-emulated-process-clocks", "-lwasi-emulated-getpid"),
)
_COUNTED: Final = "\tctx->operations++;\n"
_ASKED: Final = _COUNTED + "\tif (!(ctx->operations & 255) && polynb_late())\n\t\tctx->abort = 1;\n"


def unpacked(folder: Path, version: str) -> Path:
    """The source package of islpy, from PyPI."""
    wanted = (f"islpy=={version}", "--no-binary", "islpy", "--no-deps", "--dest", str(folder))
    _run([sys.executable, "-m", "pip", "download", "-q", *wanted], "islpy's source package")
    (packed,) = folder.glob("islpy-*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / packed.name.removesuffix(".tar.gz")


def headers(sources: Path) -> str:
    """The text of isl's headers, their macros expanded, its words for ownership kept."""
    text = "".join(f"#include <isl/{name}.h>\n" for name in HEADERS)
    kept = [f"-D__isl_{word}=__isl_{word}" for word in ("take", "give", "keep", "null")]
    command = [*_compiler(), "-E", "-P", *kept, *_included(sources), "-x", "c", "-"]
    return _run(command, "isl's headers", text)


def compiled(sources: Path, glue: str, out: Path) -> None:
    """Write `isl.wasm`."""
    _with_questions(sources / "isl" / "isl_ctx.c")
    (sources / "glue.c").write_text(glue, encoding="utf-8")
    flags = [*_DEFINED, *_included(sources), "-O2", "-w", f"-ffile-prefix-map={sources}/="]
    objects = sources / "objects"
    objects.mkdir(exist_ok=True)

    def compile_one(source: str) -> str:
        made = str(objects / f"{Path(source).stem}.o")
        _run([*_compiler(), *flags, "-c", str(sources / source), "-o", made], source)
        return made

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(compile_one, [*_files(sources), "glue.c"]))
    _run([*_compiler(), *made, *_LINKED, "-o", str(out)], "isl.wasm")


def _files(sources: Path) -> list[str]:
    """The C files that islpy's own build names, for integers by imath with small ones inlined."""
    text = (sources / "CMakeLists.txt").read_text(encoding="utf-8")
    named = re.findall(r"^\s+(isl/[\w/]+\.c)\s*$", text, re.MULTILINE)
    return [f for f in named if f not in ("isl/isl_val_gmp.c", "isl/isl_val_imath.c")]


def _with_questions(file: Path) -> None:
    """isl asks its host now and then whether it has to stop."""
    text = file.read_text(encoding="utf-8")
    if _ASKED in text:
        return
    if text.count(_COUNTED) != 1:
        raise PolynbError("isl counts its operations elsewhere now than in isl_ctx_next_operation")
    file.write_text("int polynb_late(void);\n" + text.replace(_COUNTED, _ASKED), encoding="utf-8")


def _included(sources: Path) -> list[str]:
    folders = ("isl-supplementary", "isl/include", "isl", "isl/imath")
    return [f"-I{sources / name}" for name in folders]


def _compiler() -> list[str]:
    return [sys.executable, "-m", *COMPILER]


def _run(command: Sequence[str], what: str, text: str | None = None) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise PolynbError(
            f"{what}: {' '.join(command[:4])} failed",
            reason=done.stderr.strip()[-2000:],
            hint="pip install ziglang; PyPI has to be reachable for islpy's source package",
        )
    return done.stdout
