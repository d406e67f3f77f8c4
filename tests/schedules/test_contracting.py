"""Temporary arrays of which an iteration needs one cell become scalars."""

import numpy as np
import pytest

from polynb import gallery
from polynb.errors import PolynbError
from polynb.reordering import reorder
from polynb.run import compile, equivalent
from polynb.schedules import contract
from polynb.scop import parse


@pytest.fixture
def listing1():
    return gallery.load("lrr_listing1")


def test_listing_1_needs_one_cell_where_it_is_fused(listing1):
    fused = contract(reorder(listing1, tile=4), "t")
    assert fused.arrays["t"].extents == ()
    assert "t = A[i][j]; // S1" in str(fused)
    assert equivalent(listing1, fused)


def test_all_that_can_be(listing1):
    assert contract(reorder(listing1)).arrays["t"].extents == ()


def test_as_an_option(listing1):
    result = reorder(listing1, contract=True, interchange=(1, 0), tile=4).result
    assert result.arrays["t"].extents == ()
    assert str(result).index("for ii") < str(result).index("for jj")
    assert equivalent(listing1, result)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("for i=0 to N do t[i] = A[i]; done for i=0 to N do B[i] = t[i]; done", "in another part"),
        ("for i=0 to N do t[0] = A[i]; t[1] = C[i]; B[i] = t[0] + t[1]; done", "several cells"),
        ("for i=1 to N do B[i] = t[i]; t[i] = A[i]; done", "before the program is read"),
    ],
)
def test_what_cannot_be(body, why):
    scop = parse(f"param N; temp t[N + 2]; {body}")
    with pytest.raises(PolynbError, match="t cannot be contracted") as caught:
        contract(scop, "t")
    assert why in caught.value.reason
    assert contract(scop) is scop


def test_outputs_stay(listing1):
    with pytest.raises(PolynbError, match="C cannot be contracted"):
        contract(listing1, ["C"])


def test_a_cell_that_two_nests_use_for_themselves():
    scop = parse(
        "param N; temp t[2*N + 2];"
        "for i=0 to N do t[i] = A[i]; B[i] = t[i]; done "
        "for i=0 to N do t[2*i] = B[i]; C[i] = t[2*i] + t[2*i]; done"
    )
    contracted = contract(scop, "t")
    assert contracted.arrays["t"].extents == ()
    assert equivalent(scop, contracted)


@pytest.mark.usefixtures("openmp")
def test_kernels_contract_what_is_private(listing1):
    """Without a change in the text: t[i+j] is one cell an iteration, and that may be parallel."""
    tiled = reorder(listing1, tile=8)
    assert tiled.result.arrays["t"].extents
    kernel = compile(tiled, threads=2)
    assert any(loop.parallel and loop.depth == 0 for loop in kernel.loops)
    n = 100
    a, b = (np.arange(n * n, dtype=np.int32).reshape(n, n) * k % 97 for k in (3, 5))
    assert np.array_equal(kernel(n=n, A=a, B=b).C, a + b.T)
