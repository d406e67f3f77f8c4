"""There and back: what `scalarize` introduces, `remove_scalars` removes, and every bit stays.

The gallery's classic kernels and DeLICM's listings; a few of them by default, all with
POLYNB_LARGE.
"""

import functools
import os
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from references import reference

import polynb as pn
from polynb import gallery
from polynb.evaluation.delicm import KINDS, PROGRAMS, round_trip
from polynb.run.oracle import equivalent

QUICK = ("gemm", "trmm", "atax", "jacobi_1d", "delicm_listing1", "delicm_listing4")
ALL = tuple(
    n for n in gallery.names() if gallery.entry(n).source == "classic kernel" or n in PROGRAMS
)
NAMES = ALL if os.environ.get("POLYNB_LARGE") else QUICK
SHARE = 0.95
SECONDS = 10  # there and back, of this process' own time


@functools.cache
def there_and_back(name, kind):
    start = time.process_time()
    trip = round_trip(gallery.load(name), kind)
    return trip, time.process_time() - start


def by_kernel(test):
    return pytest.mark.parametrize("kind", KINDS)(pytest.mark.parametrize("name", NAMES)(test))


@by_kernel
def test_it_is_the_same_program_and_soon(name, kind):
    trip, seconds = there_and_back(name, kind)
    assert seconds < SECONDS
    program = trip.program
    sizes = {p: [0, 1, 4] if k < 2 else [0, 3] for k, p in enumerate(program.parameters)}
    assert equivalent(program, trip.removed, parameters=sizes)


@by_kernel
def test_compiled_it_has_the_same_bits(name, kind):
    trip, _ = there_and_back(name, kind)
    kernel = reference(name)
    compiled = [(s, pn.compile(s)) for s in (trip.program, trip.removed.result)]
    for values in (kernel["SIZES"], dict.fromkeys(kernel["SIZES"], 1)):
        arguments = kernel["inputs"](np.random.default_rng(1), **values)
        before, after = (
            run({k: v for k, v in arguments.items() if s.arrays[k].live_in}, **values)
            for s, run in compiled
        )
        for array, value in before.items():
            assert_array_equal(value.view(np.uint8), after[array].view(np.uint8))


def test_at_least_95_percent_of_the_dependences_that_were_introduced_are_gone():
    """And of what is left, each scalar says why it is there."""
    trips = [there_and_back(name, kind)[0] for name in NAMES for kind in KINDS]
    introduced = sum(len(t.introduced) for t in trips)
    assert introduced >= 10 * len(trips)
    assert sum(len(t.kept) for t in trips) <= (1 - SHARE) * introduced
    for t in trips:
        assert all(t.left.values())
        assert {e.array for e in t.kept} == set(t.left) - t.own


def test_the_counts_are_those_of_the_dependences_through_scalars():
    """Counted apart: edges of `analyze` through arrays of no dimension."""
    for name in QUICK:
        trip, _ = there_and_back(name, "pre")
        scop = trip.scalarized.result
        edges = [e for e in pn.analyze(scop).edges if not scop.arrays[e.array].dimensions]
        own = [e for e in edges if e.array in trip.program.arrays]
        assert len(trip.introduced) == len(edges) - len(own)
        assert len(edges) > len(own)


def test_a_scalar_that_stays_is_counted_and_says_why(monkeypatch):
    """Without the mapping, nothing brings back the sums."""
    from polynb.evaluation import delicm

    without = functools.partial(pn.remove_scalars, only="forward, simplify")
    monkeypatch.setattr(delicm, "remove_scalars", without)
    trip = delicm.round_trip(gallery.load("gemm"), "licm")
    assert len(trip.kept) == len(trip.introduced) == 10
    assert trip.left.keys() == {"c"}
    assert "goes on reading c" in trip.left["c"]
