"""Pipelines in the form that `optimise` gives them, under gcc's sanitizers: nothing out of bounds,
no overflow, no leak, and bit by bit the results of the program as written, at sizes that are below
a window, are no multiples of strips, or are prime: of some, of all seven with POLYNB_LARGE set."""

import itertools
import os
import subprocess
from collections.abc import Iterable, Sequence
from math import prod
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.codegen.lower import Target, lower
from polynb.run import compilers
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import extents_at
from polynb.source.types import FLOAT

PIPELINES = ["unsharp_mask", "harris", "camera_pipe"]
if os.environ.get("POLYNB_LARGE"):
    PIPELINES += ["bilateral_grid", "interpolate", "pyramid_blending", "local_laplacian"]
FACTORS = {"colour_temp": 3000, "gamma": 2, "contrast": 50}
"""What numbers are about; others are about 1."""
LENGTHS = (1, 2, 7, 31, 32, 37, 96, 97)
MULTIPLES = {"interpolate": 512, "local_laplacian": 128}
"""What the sizes of a program have to be multiples of."""
FLAGS = ["-std=gnu99", "-O1", "-w", "-fopenmp", "-ffp-contract=off"]
SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
MAIN = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int naive(const int64_t *p, void **a, int n);
int optimised(const int64_t *p, void **a, int n);
enum { PARAMETERS = %d, ARRAYS = %d, CALLS = %d };
static const int64_t parameters[][PARAMETERS] = {%s}, cells[][ARRAYS] = {%s};
static const int size[] = {%s}, is_float[] = {%s};
static const float factor[] = {%s};
int main(void) {
  unsigned state = 1;
  for (int c = 0; c < CALLS; c++) {
    void *a[ARRAYS], *b[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
      a[k] = malloc(cells[c][k] * size[k]), b[k] = malloc(cells[c][k] * size[k]);
      for (int64_t q = 0; q < cells[c][k]; q++) {
        state = state * 1664525u + 1013904223u;
        if (is_float[k]) ((float *)a[k])[q] = factor[k] * (1 + (state >> 20) / 4096.0f);
        else memcpy((char *)a[k] + q * size[k], &(uint64_t){state >> 24}, size[k]);
      }
      memcpy(b[k], a[k], cells[c][k] * size[k]);
    }
    naive(parameters[c], a, 1);
    optimised(parameters[c], b, 2);
    for (int k = 0; k < ARRAYS; k++) {
      if (memcmp(a[k], b[k], cells[c][k] * size[k])) return puts("other results"), 1;
      free(a[k]), free(b[k]);
    }
  }
  return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize("name", PIPELINES)
def test_what_a_pipeline_becomes_is_clean(name: str, tmp_path: Path) -> None:
    compiler = compilers.find()
    if compiler.name != "gcc":
        pytest.skip("gcc's sanitizers")
    scop = pn.gallery.load(name)
    made = pn.optimise(scop).result
    assert made is not scop
    objects = []
    for entry, program, flags in (("naive", scop, []), ("optimised", made, SANITIZED)):
        file = tmp_path / f"{entry}.c"
        source = lower(program, Target(threads=2, entry=entry)).source
        file.write_text(source.text)
        objects.append(str(file.with_suffix(".o")))
        _run(*compiler.command, *FLAGS, *flags, "-c", str(file), "-o", objects[-1])
    main = tmp_path / "main.c"
    main.write_text(_main(scop, source.arguments))
    program = str(tmp_path / "program")
    _run(*compiler.command, *FLAGS, *SANITIZED[:1], str(main), *objects, "-o", program, "-lm")
    _run(program)


def _run(*command: str) -> None:
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stdout[-500:] + ran.stderr[:3000]


def _main(scop: Scop, arrays: Sequence[Array]) -> str:
    """C that calls both with the same values, and compares, for each size that is allowed."""
    of = MULTIPLES.get(scop.name)
    sizes = itertools.product((of, 2 * of, 3 * of) if of else LENGTHS, repeat=len(scop.parameters))
    calls = [dict(zip(scop.parameters, each, strict=True)) for each in sizes]
    calls = [c for c in calls if not isl.fix_parameters(scop.assumed, c).is_empty()]
    assert len(calls) > 3
    assert all(a.type is FLOAT or not a.type.is_float for a in arrays)
    parameters = ", ".join(_row(c.values()) for c in calls)
    cells = ", ".join(_row(prod(map(int, extents_at(a, c))) for a in arrays) for c in calls)
    kinds = [
        [a.type.size for a in arrays],
        [a.type.is_float for a in arrays],
        [FACTORS.get(a.name, 0.5) for a in arrays],
    ]
    said = [", ".join(str(float(x)) if x == 0.5 else str(int(x)) for x in k) for k in kinds]
    return MAIN % (len(scop.parameters), len(arrays), len(calls), parameters, cells, *said)


def _row(numbers: Iterable[int]) -> str:
    return f"{{{', '.join(str(int(n)) for n in numbers)}}}"
