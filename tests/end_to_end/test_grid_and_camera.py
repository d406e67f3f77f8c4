"""Bilateral grid and camera pipeline, as written and propagated, compiled and run, against NumPy:
on noise of a small size, and on a photograph."""

import os

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import polynb as pn
from polynb import gallery
from polynb.evaluation.references import reference
from polynb.gallery.photographs import photograph
from polynb.propagation import paper_heuristics

pytestmark = pytest.mark.long
KEPT_BY_DATA = {"bilateral_grid": {"grid", "blury"}, "camera_pipe": {"curve"}}
AFFINE = {"bilateral_grid": {"blurx"}, "camera_pipe": {"denoised", "g_gr", "r_b", "red", "matrix"}}


@pytest.fixture(scope="module", params=["bilateral_grid", "camera_pipe"])
def pipeline(request):
    """(name, reference, what it is, what it becomes, and with the paper's heuristics alone)"""
    known = reference(request.param)
    scop = gallery.load(request.param)
    papers = pn.propagate(scop, heuristics=paper_heuristics())
    return request.param, known, scop, pn.propagate(scop).result, papers.result


@pytest.mark.parametrize("seed", [1, 2] if "POLYNB_LARGE" in os.environ else [1])
def test_it_agrees_with_its_reference_before_and_after_propagation(pipeline, seed):
    _, known, *programs = pipeline
    arguments = known.inputs(np.random.default_rng(seed), **known.sizes)
    agree(known, programs, known.sizes, arguments)


def test_arrays_that_data_chooses_from_are_kept_and_others_are_not(pipeline):
    name, _, _, propagated, papers = pipeline
    assert set(propagated.temporaries) >= KEPT_BY_DATA[name]
    assert set(papers.temporaries) >= KEPT_BY_DATA[name]
    assert not set(papers.temporaries) & AFFINE[name]


def test_a_photograph(pipeline):
    name, known, *programs = pipeline
    sizes = {"R": 48, "C": 40}
    arguments = known.inputs(np.random.default_rng(1), **sizes)
    shape = arguments["img"].shape
    grid = name == "bilateral_grid"
    arguments["img"] = photograph(*shape, 1) if grid else mosaic(photograph(*shape))
    agree(known, programs, sizes, arguments)


def mosaic(picture):
    """What a sensor with green and red, below them blue and green pixels sees, in 10 bits."""
    raw = picture[..., 1].copy()
    raw[0::2, 1::2], raw[1::2, 0::2] = picture[0::2, 1::2, 0], picture[1::2, 0::2, 2]
    return (1023 * raw).astype(np.int16)


def agree(known, programs, sizes, arguments):
    """Floats up to rounding with the reference, whole numbers exactly; programs bit for bit."""
    ((output, expected),) = known.expected(**sizes, **arguments).items()
    results = [pn.compile(p)(arguments, **sizes)[output] for p in programs]
    naive, *others = (r[known.frame] for r in results)
    exact = expected.dtype.kind == "u"
    assert expected.std() > 0.01  # it is a picture
    assert_allclose(naive, expected, rtol=0 if exact else 1e-4, atol=0 if exact else 1e-5)
    for fast in others:
        assert_array_equal(fast, naive)
