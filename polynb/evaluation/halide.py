"""Pipelines in Halide, as kernels that are timed like any other.

Halide compiles ahead of time to an object file; a few lines of C around its function make it a
kernel. `pip install halide` brings Halide's Python package; nothing else of polynb needs it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.evaluation.halide_pipelines import PIPELINES, Pipeline
from polynb.run import Kernel, cache, compilers, default_threads
from polynb.run.extents import extents_at
from polynb.run.kernel import Options, build
from polynb.run.signature import Signature
from polynb.scop import Array


def missing(name: str | None = None) -> str | None:
    """Why there is no Halide, or no schedule for that pipeline; None if there is."""
    if importlib.util.find_spec("halide") is None:
        return "Halide's Python package is not installed (pip install halide)"
    if name is not None and name not in PIPELINES:
        return f"no Halide schedule is written for {name}, only for {', '.join(PIPELINES)}"
    return None


def kernel(
    name: str,
    signature: Signature,
    sizes: Mapping[str, int],
    *,
    threads: int | None = None,
    heap: str = "kept",
) -> Kernel:
    """Halide's version of a pipeline of the gallery: a kernel of that signature, at those sizes.

    Raises PolynbError without Halide, and for pipelines that have no schedule here.
    """
    if (why := missing(name)) is not None:
        raise PolynbError(why)
    made = PIPELINES[name](importlib.import_module("halide"))
    text = _wrapper(made, signature, sizes, threads or default_threads())
    source = _Source(text, signature.parameters, signature.arrays)
    # One thread for OpenMP, of which there is none: Halide has a pool of its own.
    compiled = _object(made)
    try:
        options = Options(fast_math=True, flags=(str(compiled),), heap=heap)
        return build(source, replace(signature, temporaries=()), compilers.find(), options)
    finally:
        compiled.unlink()  # it is part of the kernel's shared object now


def _object(made: Pipeline) -> Path:
    """The object file, under a name that says what is in it: a kernel that was made before is
    found again by its text and its flags, of which this is one."""
    target = importlib.import_module("halide").get_host_target()
    directory = Path(tempfile.mkdtemp(prefix=cache.PART, dir=cache.place()[0]))
    try:
        first = directory / "pipeline.o"
        made.output.compile_to_object(str(first), list(made.inputs.values()), "pipeline", target)
        content = hashlib.sha256(first.read_bytes()).hexdigest()
        return first.rename(cache.place()[0] / f"{content}.o")
    finally:
        shutil.rmtree(directory)


@dataclass(frozen=True, eq=False)
class _Source:
    text: str
    parameters: tuple[str, ...]
    arguments: tuple[Array, ...]
    entry: str = "kernel"


# -- C around it ---------------------------------------------------------------------------

HEAD: Final = """\
#include <stdint.h>

typedef struct { int32_t min, extent, stride; uint32_t flags; } dimension;
typedef struct {
  uint64_t device; const void *interface; uint8_t *host; uint64_t flags;
  struct { uint8_t code, bits; uint16_t lanes; } type;
  int32_t dimensions; dimension *dim; void *padding;
} buffer;

int halide_set_num_threads(int n);
"""
FLOAT: Final = 2  # halide_type_float


def _wrapper(made: Pipeline, signature: Signature, sizes: Mapping[str, int], threads: int) -> str:
    """C that puts Halide's buffers around the arrays, whose dimensions it counts from inside."""
    places = {a.name: k for k, a in enumerate(signature.arrays)}
    (output,) = (a.name for a in signature.arrays if a.role == "output")
    types, lines, call = [], [], []
    for name, frame in [*((n, 0) for n in made.inputs), (output, made.frame)]:
        array, place = signature.arrays[places[name]], f"arrays[{places[name]}]"
        if array.extents:
            types.append("buffer *")
            call.append(f"&{name}_buffer")
            lines += _buffer(array, place, tuple(e or 0 for e in extents_at(array, sizes)), frame)
        else:
            types.append("float")
            call.append(f"*(const float *){place}")
    return "\n".join(
        (
            HEAD,
            f"int pipeline({', '.join(types)});",
            "int kernel(const int64_t *parameters, void **arrays, int threads) {",
            "  (void)parameters; (void)threads;",
            f"  halide_set_num_threads({threads});",
            *(f"  {line}" for line in lines),
            f"  return pipeline({', '.join(call)});",
            "}",
            "",
        )
    )


def _buffer(array: Array, place: str, shape: tuple[int, ...], frame: int) -> list[str]:
    """A `halide_buffer_t` of an array, without a frame of so many rows and columns."""
    inside = shape[::-1]
    strides = [1, *accumulate(inside[:-1], mul)]
    frames = [frame if k < 2 else 0 for k in range(len(inside))]
    start = sum(f * s for f, s in zip(frames, strides, strict=True))
    dimensions = ", ".join(
        f"{{{f}, {e - 2 * f}, {s}, 0}}" for f, e, s in zip(frames, inside, strides, strict=True)
    )
    host = f"(uint8_t *)((float *){place} + {start})"
    return [
        f"dimension {array.name}_dim[] = {{{dimensions}}};",
        f"buffer {array.name}_buffer = {{0, 0, {host}, 0, {{{FLOAT}, 32, 1}}, {len(inside)}, "
        f"{array.name}_dim, 0}};",
    ]
