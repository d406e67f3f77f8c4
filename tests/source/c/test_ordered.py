"""Loops that gcc would make vectors of, although their iterations write the same cells."""

import numpy as np
import pytest

import polynb as pn
from polynb.source.c.print.ordered import BARRIER

NEST = "param n; for i = 0 to n-1 do for j = {} to n-1 do {} = a[i]; done done"


@pytest.mark.parametrize(
    ("first", "target", "expected"),
    [
        ("0", "o[i+j]", True),
        ("0", "o[i+2*j]", True),
        ("i", "o[j]", True),
        ("0", "o[i][j]", False),
        ("0", "o[i+j][i]", False),
        ("0", "o[j]", False),  # the same cells in each iteration: gcc sees that
        ("i", "o[i][j]", False),
    ],
)
def test_only_where_a_write_may_meet_itself(first, target, expected):
    kernel = pn.compile(pn.parse(NEST.format(first, target)), threads=1)
    assert (BARRIER in kernel.source) is expected


@pytest.mark.parametrize("kind", ["float", "double", "int32"])
@pytest.mark.parametrize(("first", "target"), [("0", "o[i+j]"), ("i", "o[j]"), ("0", "o[i+2*j]")])
def test_the_last_iteration_wins(kind, first, target):
    declared = f"param n; input {kind} a; output {kind} o; "
    kernel = pn.compile(pn.parse(declared + NEST.format(first, target)[9:]), threads=1)
    place = {
        "o[i+j]": lambda i, j: i + j,
        "o[j]": lambda i, j: j,
        "o[i+2*j]": lambda i, j: i + 2 * j,
    }
    for n in (1, 5, 9, 33):
        a = np.arange(1, n + 1).astype({"float": "float32", "double": "float64"}.get(kind, kind))
        expected = np.zeros(3 * n + 1, a.dtype)
        for i in range(n):
            for j in range(i if first == "i" else 0, n):
                expected[place[target](i, j)] = a[i]
        found = kernel(a=a, n=n)["o"]
        np.testing.assert_array_equal(found, expected[: len(found)])
