"""The law of tracing: what a run shows of an affine program equals what its text says there.

A few by default; all of the gallery's with POLYNB_LARGE, and `tests/benchmarks/tracing.py --law
CHECKOUT` runs all of PolyBench's kernels.
"""

from __future__ import annotations

import os

import pytest
from knowing import comparable, compared
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program

import polynb as pn
from polynb import isl

SOME = ("fig1", "durbin", "cholesky", "lu", "floyd_warshall", "lrr_listing1_scalar")
LARGE = bool(os.environ.get("POLYNB_LARGE"))
PROGRAMS = int(os.environ.get("POLYNB_LAWS", "12"))
GENERATORS = (random_program, reusing_program, scalar_program)


@pytest.mark.parametrize("name", pn.gallery.names() if LARGE else SOME)
def test_the_gallery(name):
    scop = comparable(pn.gallery.load(name))
    if scop is None:
        pytest.skip("what it does depends on data, or it is not written in C")
    sizes = {p: 5 + k for k, p in enumerate(scop.parameters)}
    fixed = " and ".join(f"{p} = {n}" for p, n in sizes.items()) or "true"
    at = isl.read_set(f"[{', '.join(sizes)}] -> {{ : {fixed} }}")
    if scop.context.is_disjoint(at):
        pytest.skip("it is for larger sizes only, at which nothing can be enumerated")
    known, differences = compared(scop, sizes)
    assert not differences
    assert known.accesses


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_programs(seed):
    scop = comparable(pn.parse(GENERATORS[seed % 3](seed)))
    if scop is None:
        pytest.skip("what it does depends on data, or it calls what is not there")
    sizes = {p: 4 - k for k, p in enumerate(scop.parameters)}
    assert not compared(scop, sizes)[1]
