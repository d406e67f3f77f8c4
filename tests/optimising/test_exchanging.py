"""Loops in another order, as they are expected without being generated: what is generated."""

from functools import partial
from itertools import permutations

import pytest

import polynb as pn
from polynb.optimising.carrying import carried_by_loops
from polynb.optimising.exchanging import Exchange
from polynb.optimising.nests import nests
from polynb.optimising.orders import _exchanged
from polynb.schedules import permutable_bands
from polynb.schedules.bands import all_bands, several_permutable

SIZES = {"N": 400, "M": 300, "T": 20}
PRODUCT = """param N, M; for i = 0 to N-1 do for k = 1 to M-2 do for j = 0 to N-1 do
  C[i][j] = C[i][j] + A[i][k] * B[k][j+1]; // S
done done done"""
IN_STEPS = """param N, T; for t = 0 to T do
  for i = 1 to N-2 do for j = 1 to N-2 do
    A[i][j] = B[j][i] + B[j][i-1]; // S
  done done
  for i = 1 to N-2 do for j = 1 to N-2 do
    B[i][j] = A[i][j] + B[i][j]; // U
  done done
done"""
ROWS = """param N; for i = 1 to N-1 do for j = 1 to N-1 do
  A[i][j] = A[i-1][j] + A[i][j-1]; // S
  B[i][j] = A[i][j]; // U
done done"""
TRIANGLE = """param N; for i = 0 to N-1 do for j = 0 to i do
  A[i][j] = B[j][i]; // S
done done"""
TWO_SIZES = """param N, M; for i = 0 to N-1 do for j = 0 to N-1 do
  A[i][j] = B[j][i]; // S
  if i < N-1 then C[i][j] = A[i][j]; fi // U
done done"""
SHORT = """param N; for i = 0 to N-1 do for j = 0 to 3 do
  A[i][j] = B[j][i]; // S
done done"""


@pytest.mark.parametrize("text", [PRODUCT, IN_STEPS, ROWS])
def test_what_is_expected_is_what_is_generated(text: str) -> None:
    scop = permutable_bands(pn.parse(text))
    edges = pn.analyze(scop).edges
    parts = nests(scop, edges, SIZES)
    asked = 0
    for number, band in enumerate(all_bands(scop.schedule)):
        for order in permutations(range(band.depth)) if several_permutable(band) else ():
            new = _exchanged(scop, number, order)
            carried = partial(carried_by_loops, new, edges)
            assert Exchange(parts, scop, band).to(order, carried) == nests(new, edges, SIZES)
            asked += 1
    assert asked > 1


def test_expressions_are_found_once_for_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    text = IN_STEPS.replace("A[i][j] + B[i][j]", "A[i][j] > 0 ? A[i][j] : B[i][j-1]")
    scop = permutable_bands(pn.parse(text))
    edges, expressions = pn.analyze(scop).edges, {}
    new = _exchanged(scop, 1, (1, 0))
    plain = nests(scop, edges, SIZES), nests(new, edges, SIZES)
    first = nests(scop, edges, SIZES, expressions)
    monkeypatch.setattr("polynb.codegen.scan.share", None)  # nothing is left to find
    assert (first, nests(new, edges, SIZES, expressions)) == plain


@pytest.mark.parametrize("text", [TRIANGLE, TWO_SIZES, SHORT])
def test_other_bounds_are_not_guessed(text: str) -> None:
    """Of a triangle, of statements of which one runs less often, of a loop that is written out."""
    scop = permutable_bands(pn.parse(text))
    (band,) = all_bands(scop.schedule)
    edges = pn.analyze(scop).edges
    carried = partial(carried_by_loops, scop, edges)
    assert Exchange(nests(scop, edges, SIZES), scop, band).to((1, 0), carried) is None
