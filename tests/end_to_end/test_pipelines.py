"""Unsharp mask and Harris, as written and propagated, compiled and run, against NumPy."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import polynb as pn
from polynb import gallery

REFERENCES = Path(__file__).parent / "references"


@pytest.mark.parametrize("name", ["unsharp_mask", "harris"])
def test_a_pipeline_agrees_with_its_reference_before_and_after_propagation(name):
    reference = runpy.run_path(str(REFERENCES / f"{name}.py"))
    sizes = reference["SIZES"]
    arguments = reference["inputs"](np.random.default_rng(1), **sizes)
    ((output, expected),) = reference["expected"](**sizes, **arguments).items()
    scop = gallery.load(name)
    propagated = pn.propagate(scop).result
    assert propagated.temporaries == ()
    naive, fast = (pn.compile(p)(arguments, **sizes)[output] for p in (scop, propagated))
    assert_allclose(naive[reference["FRAME"]], expected, rtol=1e-4, atol=1e-5)
    assert_array_equal(fast[reference["FRAME"]], naive[reference["FRAME"]])
