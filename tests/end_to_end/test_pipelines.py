"""Unsharp mask and Harris, as written and propagated, compiled and run, against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import polynb as pn
from polynb import gallery
from polynb.evaluation.references import reference

pytestmark = pytest.mark.any_compiler


@pytest.mark.parametrize("name", ["unsharp_mask", "harris"])
@pytest.mark.long
def test_a_pipeline_agrees_with_its_reference_before_and_after_propagation(name):
    known = reference(name)
    sizes = known.sizes
    arguments = known.inputs(np.random.default_rng(1), **sizes)
    ((output, expected),) = known.expected(**sizes, **arguments).items()
    scop = gallery.load(name)
    propagated = pn.propagate(scop).result
    assert propagated.temporaries == ()
    naive, fast = (pn.compile(p)(arguments, **sizes)[output] for p in (scop, propagated))
    assert_allclose(naive[known.frame], expected, rtol=1e-4, atol=1e-5)
    assert_array_equal(fast[known.frame], naive[known.frame])


def test_a_temporary_that_was_an_argument_stays_one():
    """The read that surely sees its first content is gone, one that may see it is left."""
    scop = pn.parse("""param N; temp s, u; temp v[N+1]; input x[N+1]; output o[N+1], w[N+1];
    u = s;
    for i = 0 to N do if x[i] > 1 then s = 2; else o[i] = s; fi done
    for i = 0 to N do v[i] = x[i]; w[i] = v[i]; done""")
    done = pn.propagate(scop)
    assert "u" not in done.result.arrays
    x = np.array([0.0, 3.0, 0.0])
    before, after = (pn.compile(p)(N=2, x=x, s=5.0)["o"] for p in (scop, done))
    assert before.tolist() == after.tolist() == [5, 0, 2]
