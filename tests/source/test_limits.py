"""What texts show of the values of whole numbers, against all values of what they are made of."""

import itertools

import pytest

import polynb as pn
from polynb.source.limits import limits
from polynb.source.tree import Access
from polynb.source.type_inference import Types

CASES = [
    ("min(max(x[i], 0), 10)", (0, 10)),
    ("min(max(x[i], 3), 10) - 3", (0, 7)),
    ("-min(max(x[i], 3), 10)", (-10, -3)),
    ("5 - min(max(x[i], 3), 10)", (-5, 2)),
    ("max(min(x[i], 10), -2) + min(max(x[i], 0), 1)", (-2, 11)),
    ("int64(min(max(x[i], 0), 10)) - 20", (-20, -10)),
    ("min(x[i], 10)", None),
    ("max(x[i], 0)", None),
    ("x[i] + 1", None),
    ("min(max(u[i], 3), 10) - 3", (0, 7)),
    ("min(max(u[i], 0), 10) - 3", None),  # wraps
    ("max(min(x[i], -1), u[0] * 0)", None),  # -1 is compared as a large number
    ("min(max(x[i], -5), u[0] * 0 + 10)", None),
    ("uint8(min(max(x[i], -5), 10))", None),
    ("uint8(min(max(x[i], 5), 10))", (5, 10)),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_limits(text: str, expected: tuple[int, int] | None) -> None:
    scop = pn.parse(
        "param n; input int32 x[n]; input uint32 u[n]; output int64 o[n]; "
        f"for i = 0 to n-1 do o[i] = {text}; done"
    )
    types = Types({n: a.type for n, a in scop.arrays.items()})
    (s,) = scop.statements
    assert not isinstance(s.expression, Access)
    known = limits(s.expression, types).known
    assert known == expected
    if known is not None:
        values = (-(2**31), -7, -1, 0, 1, 4, 9, 10, 11, 2**31 - 1)
        pairs = itertools.product(values, (0, 2, 9, 2**31, 2**32 - 1))
        x, u = (list(v) for v in zip(*pairs, strict=True))
        found = pn.compile(scop)(x=x, u=u, n=len(x))["o"]
        assert known == (min(found), max(found))
