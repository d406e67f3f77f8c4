"""Kills of one's own that fit the program, and those that do not."""

import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError

TEXT = """
param N; temp t;
for i = 0 to N do S: t[i] = A[i]; done
for i = 0 to N do T: B[i] = t[i]; done
"""
KILLS = "[N] -> { T[i] -> t[i] : 0 <= i <= N }"


@pytest.fixture(scope="module")
def scop() -> pn.Scop:
    return pn.parse(TEXT)


@pytest.mark.parametrize("kills", [KILLS, isl.UnionMap(KILLS), isl.Map(KILLS)])
def test_kills_as_text_and_as_maps(scop: pn.Scop, kills: object) -> None:
    assert pn.check(scop, scop, kills=kills)
    assert pn.analyze(scop, kills=kills).flow("t").edges
    assert pn.reorder(scop, kills=kills).result is not None


@pytest.mark.parametrize(
    ("kills", "message"),
    [
        ("{ Q[i] -> t[i] }", "column 3: the kills name an unknown statement Q"),
        ("{ S[i, j] -> t[i] }", "column 3: the kills have 2 dimensions for S, which has 1"),
        ("{ S[i] -> [i] }", "column 11: the kills name a tuple without a name of its array"),
        ("{ S[i] -> u[i] }", "column 11: the kills name an unknown array u"),
        ("{ S[i] -> t[] }", "column 11: the kills have 0 dimensions for t, which has 1"),
        ("{ S[i] -> t[i }", "kills, line 1, column 15: `}` where"),
        ("{ S[i] }", "column 3: this is no map"),
        (3, "the kills must be a map"),
    ],
)
@pytest.mark.parametrize(
    "function",
    [
        lambda scop, kills: pn.check(scop, "{ S[i] -> [0, i]; T[i] -> [1, i] }", kills=kills),
        lambda scop, kills: pn.analyze(scop, kills=kills),
        lambda scop, kills: live_ranges(scop, kills=kills),
        lambda scop, kills: pn.reorder(scop, kills=kills),
    ],
)
def test_kills_that_do_not_fit_are_named(scop, kills, message, function) -> None:
    with pytest.raises(PolynbError, match=message):
        function(scop, kills)
