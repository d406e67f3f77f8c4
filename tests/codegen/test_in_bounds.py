"""Reads under conditions come in front of them only where their cells surely exist."""

import pytest

import polynb as pn
from polynb.codegen.scan import in_bounds

TABLE = """param N; input int32 x[N]; input T[2][10]; output B[N];
for i = 0 to N - 1 do B[i] = T[0][x[i]] > 0 ? {value} : 0.0; done"""


def proven(value):
    """Which reads under the condition are proven to be in bounds, by their text."""
    scop = pn.parse(TABLE.format(value=value))
    (s,) = scop.statements
    inside = in_bounds(s, scop.arrays, scop.assumed)
    return [inside(r.node) for r in s.reads if r.array == "T"][1:]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("T[1][x[i]]", True),  # the same subscript is used anyway
        ("T[1][x[i] + 1]", False),
        ("T[1][x[N-1-i]]", False),
        ("T[1][3]", True),
        ("T[1][i]", False),  # N may be larger than the table
    ],
)
def test_a_cell_that_data_chooses_exists_where_it_is_read_anyway(value, expected):
    assert proven(value) == [expected]


def test_a_subscript_counts_for_its_own_dimension_only():
    scop = pn.parse(
        """param N; input int32 x[N]; input T[9][10]; output B[N];
for i = 0 to N - 1 do B[i] = T[0][x[i]] > 0 ? T[x[i]][0] : 0.0; done"""
    )
    (s,) = scop.statements
    inside = in_bounds(s, scop.arrays, scop.assumed)
    assert [inside(r.node) for r in s.reads if r.array == "T"] == [True, False]
