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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.run import Kernel, cache, compilers, default_threads
from polynb.run.extents import extents_at
from polynb.run.kernel import Options, build
from polynb.run.signature import Signature
from polynb.scop.model import Array


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


# Unsharp mask and Harris in Halide, with schedules of our own: strips of rows in parallel, and in a
# strip, row by row, what the next row needs in windows of a few rows; vectors along the rows.


ROWS: Final = 32  # of a strip
LANES: Final = 16  # floats of a vector

Halide = Any
"""A function, parameter or expression of Halide's, which has no types."""


@dataclass(frozen=True, eq=False)
class Pipeline:
    """A scheduled Halide function `output` and its `inputs`, in the order of its arguments, by the
    names that the program in the gallery has for them. The last two dimensions of its result
    leave out a `frame` of so many cells at each end."""

    inputs: Mapping[str, Halide]
    output: Halide
    frame: int


def unsharp_mask(hl: ModuleType) -> Pipeline:
    """The rows of `blurx` are computed where a row of the mask needs them; `hl` is Halide."""
    x, y, c, strip, row = (hl.Var(n) for n in ("x", "y", "c", "strip", "row"))
    img = hl.ImageParam(hl.Float(32), 3, "img")
    weight, threshold = (hl.Param(hl.Float(32), n) for n in ("weight", "threshold"))
    blurx, blury, mask = (hl.Func(n) for n in ("blurx", "blury", "mask"))
    taps = ((-2, 0.0625), (-1, 0.25), (0, 0.375), (1, 0.25), (2, 0.0625))
    blurx[x, y, c] = _sum(hl.f32(w) * img[x, y + k, c] for k, w in taps)
    blury[x, y, c] = _sum(hl.f32(w) * blurx[x + k, y, c] for k, w in taps)
    pixel, blurred = img[x, y, c], blury[x, y, c]
    sharp = (1 + weight) * pixel - weight * blurred
    mask[x, y, c] = hl.select(hl.abs(pixel - blurred) < threshold, pixel, sharp)

    mask.split(y, strip, row, ROWS).parallel(c).parallel(strip).vectorize(x, LANES)
    blurx.compute_at(mask, row).vectorize(x, LANES)
    return Pipeline({"img": img, "weight": weight, "threshold": threshold}, mask, 2)


def harris(hl: ModuleType) -> Pipeline:
    """The gradients are stored for a strip and computed row by row; `hl` is Halide."""
    x, y, strip, row = (hl.Var(n) for n in ("x", "y", "strip", "row"))
    img = hl.ImageParam(hl.Float(32), 2, "img")
    across, down, corner = (hl.Func(n) for n in ("across", "down", "corner"))
    sobel = ((-1, 1), (0, 2), (1, 1))
    across[x, y] = _sum(w * (img[x + k, y + 1] - img[x + k, y - 1]) for k, w in sobel) / 12
    down[x, y] = _sum(w * (img[x + 1, y + k] - img[x - 1, y + k]) for k, w in sobel) / 12

    def around(f: Halide, g: Halide) -> Halide:
        near = [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        return _sum(f[p] * g[p] for p in near)

    xx, xy, yy = around(across, across), around(across, down), around(down, down)
    trace = xx + yy
    corner[x, y] = xx * yy - xy * xy - hl.f32(0.04) * trace * trace

    corner.split(y, strip, row, ROWS).parallel(strip).vectorize(x, LANES)
    for gradient in (across, down):
        gradient.store_at(corner, strip).compute_at(corner, row).vectorize(x, LANES)
    return Pipeline({"img": img}, corner, 2)


def _sum(terms: Iterable[Halide]) -> Halide:
    first, *others = terms
    for term in others:
        first = first + term
    return first


PIPELINES: Final[Mapping[str, Callable[[ModuleType], Pipeline]]] = {
    "unsharp_mask": unsharp_mask,
    "harris": harris,
}
