"""The pipelines of image pyramids, compiled and run, against NumPy; and propagated, against
themselves, with so few levels that this is quick."""

import os
from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import polynb as pn
from polynb import gallery
from polynb.evaluation.references import reference

pytestmark = pytest.mark.long
# The last one's results are truncated to integers.
TOLERANCES = {
    "pyramid_blending": {"rtol": 1e-4, "atol": 1e-5},
    "interpolate": {"rtol": 1e-5},
    "local_laplacian": {"rtol": 0, "atol": 1.1},
}


def agree(name, result, expected):
    assert_allclose(result.astype(float), expected, **TOLERANCES[name])


ALL_LEVELS = TOLERANCES if os.environ.get("POLYNB_LARGE") else ["interpolate"]


@pytest.mark.parametrize("name", ALL_LEVELS)
def test_all_levels_agree_with_the_reference(name):
    known = reference(name)
    sizes = known.sizes
    given = known.inputs(np.random.default_rng(1), **sizes)
    ((output, expected),) = known.expected(**sizes, **given).items()
    agree(name, pn.compile(gallery.load(name))(given, **sizes)[output], expected)


@pytest.mark.parametrize(
    ("name", "levels", "all_sizes"),
    [
        ("pyramid_blending", 2, [{"R": 1, "C": 1}, {"R": 6, "C": 7}]),
        ("interpolate", 2, [{"R": 2, "C": 2}, {"R": 8, "C": 14}]),
        ("local_laplacian", 2, [{"R": 2, "C": 2}, {"R": 8, "C": 14}]),
    ],
)
def test_a_few_levels_agree_before_and_after_propagation(name, levels, all_sizes):
    written = import_module(f"polynb.gallery.pipelines.{name}").program(levels)
    scop = pn.parse(written, "scop")
    propagated = pn.propagate(scop).result
    assert set(propagated.temporaries) < set(scop.temporaries)
    kernels = [pn.compile(p) for p in (scop, propagated)]
    known = reference(name)
    for sizes in all_sizes:
        given = known.inputs(np.random.default_rng(1), **sizes)
        ((output, expected),) = known.expected(**sizes, **given, levels=levels).items()
        naive, fast = (k(given, **sizes)[output] for k in kernels)
        agree(name, naive, expected)
        assert_array_equal(fast, naive)
