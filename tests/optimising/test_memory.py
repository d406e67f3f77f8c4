"""Memory that pipelines take as `optimise` has them, on two threads, each with windows of its own:
never more than as written, which is what a process has in use in the end; and what a thread has for
itself are rows, as many for a picture of twice the rows. (Of all seven with POLYNB_LARGE set.)"""

import os
import sys
from dataclasses import dataclass
from math import prod

import pytest

import polynb as pn
from polynb.evaluation.commands import pictures
from polynb.run.shared import readable
from polynb.scop.sizes import extents_at

THREADS = 2
FLAGS = "-O1"
"""What is in memory does not depend on them, and gcc is minutes at -O3 with these pipelines."""
WORKER = 30_000_000
"""Bytes that a kernel's process has in use without arrays, at most: the interpreter, threads."""
SIZES = {"harris": {"R": 1600, "C": 1600}}
"""Where the usual ones are large."""
OF_ALL = os.environ.get("POLYNB_LARGE")
IN_WINDOWS = ("unsharp_mask", "harris", "camera_pipe", "pyramid_blending", "interpolate")
LONG = ("harris", "bilateral_grid")
MINUTES = ("camera_pipe", "pyramid_blending", "interpolate", "local_laplacian") if OF_ALL else ()


@dataclass(frozen=True)
class Both:
    """A pipeline as written and by default, and its sizes."""

    written: pn.Kernel
    default: pn.Kernel
    sizes: dict[str, int]

    def own(self, sizes: dict[str, int]) -> int:
        """The bytes of what each thread has for itself."""
        of = self.default.signature
        return sum(
            a.type.size * prod(n or 0 for n in extents_at(a, sizes))
            for a in of.temporaries
            if a.name in of.own
        )


@pytest.fixture(
    scope="module",
    params=["unsharp_mask", *(pytest.param(n, marks=pytest.mark.long) for n in (*LONG, *MINUTES))],
)
def both(request: pytest.FixtureRequest) -> Both:
    scop = pn.gallery.load(request.param)
    made = pn.optimise(scop).result
    assert made is not scop
    sizes = SIZES.get(request.param) or pn.gallery.sizes(request.param)
    written, default = (pn.compile(p, threads=THREADS, flags=FLAGS) for p in (scop, made))
    return Both(written, default, {p: sizes[p] for p in scop.parameters})


@pytest.mark.long
def test_a_pipeline_takes_less_memory_than_as_written(both: Both) -> None:
    written, default = (k.signature.memory_at(both.sizes) for k in (both.written, both.default))
    assert default < 0.6 * written, f"{readable(default)} of {readable(written)}"


def test_a_window_is_as_large_for_twice_the_rows(both: Both) -> None:
    assert both.default.signature.threads == THREADS
    assert bool(both.own(both.sizes)) == (both.default.name in IN_WINDOWS)
    assert both.own({**both.sizes, "R": 2 * both.sizes["R"]}) == both.own(both.sizes)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.long
def test_what_is_counted_is_what_a_process_takes(both: Both) -> None:
    kernels = {"written": both.written, "default": both.default}
    given = pictures(pn.gallery.load(both.default.name), both.sizes)
    timing = pn.measure(kernels, {**given, **both.sizes}, rounds=1)
    written, default = (timing.peak(label) or 0 for label in kernels)
    assert 0.7 * timing.memory[1] < default < timing.memory[1] + WORKER
    assert default < written
