"""What CC'18's own tool made of its pipelines, of a checkout of its artifact
(github.com/cdl-saarland/PolyhedralExpressionPropagation): shared objects, for 32 cache lines.

They need an OpenMP runtime called libomp.so (Debian's libomp-dev). Their arrays have other frames
than the gallery's, and most are made for one size only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from polynb import gallery
from polynb.arguments import one_of
from polynb.codegen.kernel import KernelSource
from polynb.errors import PolynbError
from polynb.run import Kernel, compilers, default_threads
from polynb.run.kernel import Options, build
from polynb.run.signature import Signature
from polynb.scop.model import Array
from polynb.scop.sizes import extents_at

PLACE: Final = "benchmarks/apps/build/{name}/polly-prop-parallel-32.so"
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tooled:
    """A function of the artifact, whose `arguments` come after the columns and rows, which are the
    gallery's C and R and `more`. Its result has not the `frame` of so many rows and columns before
    and behind that the gallery's has; pictures have a `margin` behind that the gallery's have not.
    `backwards`: blue comes before red. `factors` of scalars. `fixed`: for the usual sizes only."""

    function: str
    arguments: tuple[str, ...]
    more: int = 0
    frame: tuple[int, int] = (0, 0)
    margin: int = 0
    backwards: bool = False
    factors: Mapping[str, str] | None = None
    fixed: bool = True


PROGRAMS: Final[Mapping[str, Tooled]] = {
    "unsharp_mask": Tooled(
        "pipeline_mask", ("threshold", "weight", "img", "mask"), frame=(2, 2), fixed=False
    ),
    "harris": Tooled("pipeline_harris", ("img", "harris"), fixed=False),
    "bilateral_grid": Tooled("pipeline_filtered", ("img", "filtered"), 56, (24, 28), margin=4),
    "pyramid_blending": Tooled("pipeline_blend", ("img1", "img2", "mask", "blend"), 60),
    "interpolate": Tooled("pipeline_interpolate", ("img", "interpolate")),
    "local_laplacian": Tooled(
        "pipeline_laplacian",
        ("alpha", "beta", "img", "laplacian"),
        backwards=True,
        factors={"alpha": "1 / 7.0f"},
    ),
}
"""Its camera pipe computes a part of the picture only. Its local Laplacian filter has other
borders, which the coarse levels carry inwards: it does not compute the same."""


def kernel(
    name: str,
    signature: Signature,
    sizes: Mapping[str, int],
    checkout: Path,
    *,
    threads: int | None = None,
    heap: str = "kept",
) -> Kernel:
    """A program of the artifact as a kernel of that signature, to be timed: arrays are brought into
    its shapes, and its result back, only by a call that finds all of the output zero, as the first
    on new arrays does.

    Raises PolynbError for programs that are not in the checkout, and for other sizes than those
    that one is made for.
    """
    program = PROGRAMS[one_of("name", name, PROGRAMS, "program of CC'18's artifact")]
    library = (checkout / PLACE.format(name=name)).resolve()
    if not library.is_file():
        raise PolynbError(f"{library} is not there", hint="a clone of CC'18's artifact")
    if program.fixed and dict(sizes) != gallery.sizes(name):
        raise PolynbError(f"the artifact's {name} is made for {gallery.sizes(name)} only")
    text = wrapped(program, signature, sizes, threads or default_threads())
    source = KernelSource(text, "kernel", signature.parameters, signature.arrays, (), frozenset())
    options = Options(fast_math=True, flags=("-Wl,--no-as-needed", str(library)), heap=heap)
    return build(source, replace(signature, temporaries=()), compilers.find(), options)


# -- C around it ---------------------------------------------------------------------------

HEAD: Final = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void omp_set_num_threads(int n);

/* Copy planes, rows and columns to where those of `to` begin; past the end of `from`, its last. */
static void copied(char *to, const long *t, const char *from, const long *f,
                   const long *shape, long first, int backwards, long size) {
  for (long p = 0; p < shape[0]; p++)
    for (long r = 0; r < shape[1]; r++)
      for (long c = 0; c < shape[2]; c++) {
        long plane = backwards ? shape[0] - 1 - p : p;
        long row = r < f[1] ? r : f[1] - 1, column = c < f[2] ? c : f[2] - 1;
        memcpy(to + ((p * t[1] + r + first) * t[2] + c + first) * size,
               from + ((plane * f[1] + row) * f[2] + column) * size, size);
      }
}

static int untouched(const char *array, long size) {
  for (long k = 0; k < size; k++)
    if (array[k]) return 0;
  return 1;
}
"""


def wrapped(program: Tooled, signature: Signature, sizes: Mapping[str, int], threads: int) -> str:
    """C with the entry of a kernel, that calls a program of the artifact."""
    places = {a.name: k for k, a in enumerate(signature.arrays)}
    output = program.arguments[-1]
    types, call, before, after = ["long", "long"], [], [], []
    call += [str(sizes["C"] + program.more), str(sizes["R"] + program.more)]
    for k, name in enumerate(program.arguments):
        array, place = signature.arrays[places[name]], f"arrays[{places[name]}]"
        if not array.extents:
            types.append("float")
            factor = (program.factors or {}).get(name, "1")
            call.append(f"*(const float *){place} * ({factor})")
            continue
        types.append("void *")
        ours = _shape(array, sizes)
        theirs = _theirs(program, ours, name == output)
        if ours == theirs and not program.backwards:
            call.append(place)
            continue
        call.append(f"own[{k}]")
        size = array.type.size
        before.append(f"own[{k}] = realloc(own[{k}], {_count(theirs) * size});")
        if name == output:
            after.append(_copy(place, ours, f"own[{k}]", theirs, theirs, program, size))
        else:
            before.append(_copy(f"own[{k}]", theirs, place, ours, theirs, program, size))
    result = signature.arrays[places[output]]
    fresh = (
        f"untouched(arrays[{places[output]}], {_count(_shape(result, sizes)) * result.type.size})"
    )
    return "\n".join(
        (
            HEAD,
            f"void {program.function}({', '.join(types)});",
            "int kernel(const int64_t *parameters, void **arrays, int threads) {",
            f"  static void *own[{len(program.arguments)}];",
            f"  int fresh = {fresh};",
            f"  (void)parameters; (void)threads; (void)own; omp_set_num_threads({threads});",
            *(f"  if (fresh) {line}" for line in before),
            f"  {program.function}({', '.join(call)});",
            *(f"  if (fresh) {line}" for line in after),
            "  return 0;",
            "}",
            "",
        )
    )


def _shape(array: Array, sizes: Mapping[str, int]) -> Shape:
    """Planes, rows and columns."""
    shape = tuple(e or 0 for e in extents_at(array, sizes))
    return (1,) * (3 - len(shape)) + shape


def _theirs(program: Tooled, ours: Shape, is_result: bool) -> Shape:
    planes, *sides = ours
    change = -sum(program.frame) if is_result else program.margin
    return (planes, *(n + change for n in sides))


def _count(shape: Shape) -> int:
    planes, rows, columns = shape
    return planes * rows * columns


def _copy(
    to: str, t: Shape, source: str, f: Shape, shape: Shape, program: Tooled, size: int
) -> str:
    first = program.frame[0] if to.startswith("arrays") else 0
    shapes = [f"(long[]){{{', '.join(map(str, s))}}}" for s in (t, f, shape)]
    backwards = int(program.backwards)
    return (
        f"copied({to}, {shapes[0]}, {source}, {shapes[1]}, {shapes[2]}, "
        f"{first}, {backwards}, {size});"
    )
