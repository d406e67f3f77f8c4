"""Seeded numbers that are subscripts stay inside of what they are subscripts of."""

import pytest

from polynb.propagation import propagate
from polynb.run.indices import index_limits
from polynb.run.kernel import compile
from polynb.run.measurement import measure, prepared
from polynb.scop.parsing import parse

LOOKUP = """param N;  input int32 k[N];  input a[N];  temp t[4][N];
for p = 0 to 3 do for i = 0 to N-1 do t[p][i] = a[i] * p; done done
for i = 0 to N-1 do b[i] = t[k[i]][i]; done"""


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (LOOKUP, {"k": 4}),
        (
            "param N; input int32 k[N]; output b[2*N]; for i = 0 to N-1 do b[k[i]] = 0; done",
            {"k": 10},
        ),
        ("input int32 k[9], l[7]; input c[3][2]; b = c[k[l[1]]][l[0]];", {"k": 3, "l": 2}),
        ("input int32 k[9]; input c[3]; b = c[2 - k[0]];", {}),
    ],
)
def test_the_limits(text, limits) -> None:
    assert index_limits(parse(text), {"N": 5}) == limits


def test_a_look_up_in_few_planes_is_timed_beside_what_needs_none() -> None:
    """`k` from 0 to 99 would leave the planes, and end the process or compare rubbish."""
    written = parse(LOOKUP)
    quick = propagate(written, by_data=True)
    assert "t" not in quick.result.arrays
    for programs in ([quick.result, written], [written, quick.result]):
        kernels = [compile(p) for p in programs]
        calls, held = prepared(kernels, {"N": 1000})
        assert held == "seeded random"
        assert all((c.given["k"].min(), c.given["k"].max()) == (0, 3) for c in calls)
    assert measure([written, quick.result], N=100_000, rounds=1).samples
