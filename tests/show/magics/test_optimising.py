"""%%optimise, %optimise, as a notebook runs them."""

import pytest

from polynb.derivation import Derivation

from .test_magics import refused, run  # noqa: F401

PRODUCT = """param N;
for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
  C[i][j] = C[i][j] + A[i][k] * B[k][j]; // S
done done done"""


@pytest.fixture
def texts(texts):
    return {**texts, "product": PRODUCT}


@pytest.mark.long
def test_a_cell_binds_a_derivation_and_shows_the_orders(run, shell):  # noqa: F811
    result = run("%%optimise fast\n$product")
    assert isinstance(result, Derivation)
    assert shell.user_ns["fast"] is result
    shown = result._repr_mimebundle_()["text/plain"]
    assert "times as fast" in shown
    page = result._repr_mimebundle_()["text/html"]
    assert "as written" in page
    assert "S in the order i, k, j" in page
    assert "%bench fast" in page


@pytest.mark.long
def test_sizes_are_values_of_parameters(run):  # noqa: F811
    run("%%optimise --sizes N=300\n$product")
    refused(run, "%%optimise --sizes 300\n$product", "N=500,M=20")
    refused(run, "%%optimise --sizes M=300\n$product", "M")
