"""Pipelines in Halide, as kernels that are timed like any other.

Halide compiles ahead of time to an object file, in a process of its own: its autoschedulers may
crash or not end. A few lines of C around its function make it a kernel. `pip install halide` brings
Halide's Python package; nothing else of polynb needs it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache as remembered
from pathlib import Path
from typing import Final

from polynb.codegen.kernel import KernelSource
from polynb.errors import PolynbError
from polynb.evaluation.halide import compiling
from polynb.evaluation.halide.compiling import FUNCTION, Made, Request
from polynb.evaluation.halide.wrapping import wrapped
from polynb.evaluation.halide.writers import PIPELINES
from polynb.run import Kernel, cache, compilers, default_threads
from polynb.run.kernel import Options, build
from polynb.run.signature import Signature
from polynb.scop.sizes import extents_at

AUTOSCHEDULERS: Final = ("Adams2019", "Mullapudi2016", "Li2018")
"""Those in Halide's package."""
LEAST: Final = 132
"""Rows and columns: what has fewer is less than a tile or a vector."""
SECONDS: Final = 300.0  # after which Halide's compiler or one of its autoschedulers is stopped


def missing(name: str | None = None) -> str | None:
    """Why there is no Halide, or no version of that pipeline; None if there is."""
    if importlib.util.find_spec("halide") is None:
        return "Halide's Python package is not installed (pip install halide)"
    if name is not None and name not in PIPELINES:
        return f"{name} is not written in Halide here, only {', '.join(PIPELINES)}"
    return None


def kernel(
    name: str,
    signature: Signature,
    sizes: Mapping[str, int],
    *,
    scheduler: str = "",
    threads: int | None = None,
    heap: str = "kept",
) -> Kernel:
    """Halide's version of a pipeline of the gallery: a kernel of that signature, at those sizes,
    scheduled by hand or by one of its AUTOSCHEDULERS.

    Raises PolynbError without Halide, for what is not written in it here, for small pictures, and
    if Halide fails.
    """
    if (why := missing(name)) is not None:
        raise PolynbError(why)
    used = threads or default_threads()
    arrays = {a.name: a for a in signature.arrays}
    shapes = {n: tuple(e or 0 for e in extents_at(a, sizes)) for n, a in arrays.items()}
    (output,) = (n for n, a in arrays.items() if a.role == "output")
    if min(shapes[output][-2:]) < LEAST:
        raise PolynbError(
            f"{name} is scheduled for pictures of at least {LEAST} x {LEAST} pixels in Halide"
        )
    request = Request(name, dict(sizes), shapes, output, scheduler, used)
    found = _compiled(request.to_json())
    if isinstance(found, PolynbError):
        raise found
    content, made = found
    text = wrapped(FUNCTION, arrays, shapes, made.arguments, made.frame, used)
    source = KernelSource(text, "kernel", signature.parameters, signature.arrays, (), frozenset())
    # A name that says what is in it: a kernel that was made before is found again by its text and
    # its flags, of which this is one.
    file = cache.place()[0] / f"{hashlib.sha256(content).hexdigest()}.o"
    file.write_bytes(content)
    try:
        # One thread for OpenMP, of which there is none: Halide has a pool of its own.
        options = Options(fast_math=True, flags=(str(file),), heap=heap)
        return build(source, replace(signature, temporaries=()), compilers.find(), options)
    finally:
        file.unlink()  # it is part of the kernel's shared object now


@remembered
def _compiled(request: str) -> tuple[bytes, Made] | PolynbError:
    """The object file of a request, and how it is called; or why there is none, which takes as
    long to find out a second time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pipeline.o"
        command = _command(file)
        try:
            said = subprocess.run(
                command, input=request, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return PolynbError(f"Halide was stopped after {SECONDS:g} seconds")
        if said.returncode != 0:
            last = said.stderr.strip().splitlines()[-1:] or [f"exit code {said.returncode}"]
            return PolynbError(f"Halide fails: {last[0]}")
        made = json.loads(said.stdout.splitlines()[-1])  # Halide may warn before
        return file.read_bytes(), Made(tuple(made["arguments"]), tuple(made["frame"]))


def _command(file: Path) -> list[str]:
    return [sys.executable, "-m", compiling.__name__, str(file)]
