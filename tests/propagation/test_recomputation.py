"""The heuristic that bounds how much is computed again."""

import pytest

import polynb as pn
from polynb.propagation import paper_heuristics
from polynb.propagation.recomputation import Recomputation, instances, large, operations

CUBES = """
param N; assume N >= 4 and mod(N, 2) == 0; input float A[2*N+2]; output float B[2*N+2];
temp float t[2*N+2];
for i = 0 to 2*N + 1 do
  t[i] = A[i] * A[i] * A[i];
done
for i = {loop} do
  B[i] = {value};
done
"""


def judged(loop, value, limit=16):
    program = pn.parse(CUBES.format(loop=loop, value=value))
    steps = pn.propagate(program, heuristics=(Recomputation(limit),)).steps
    verdicts = [s.verdict for s in steps if getattr(s, "heuristic", "") == "Recomputation"]
    return verdicts[0]


@pytest.mark.parametrize(
    ("loop", "value", "more"),
    [
        ("0 to 2*N + 1", "t[i] + 1", "0 more"),
        ("0 to 2*N + 1", "t[i] + t[2*N + 1 - i]", "2 more"),
        ("0 to 2*N + 1", "t[i] + t[floord(i, 2)] + t[0]", "4 more"),
        ("1 to 2*N", "t[i - 1] + t[i] + t[i + 1]", "0 more"),
        ("1 to N", "t[2*i - 1] + t[2*i + 1]", "1 operations less"),
        ("1 to N", "t[2*i] + t[2*i + 1]", "0 more"),
        ("0 to 9", "t[i]", "2 operations less"),
    ],
)
def test_more_operations_for_each_value(loop, value, more):
    """`t` takes two operations a value; shifted copies are had by recurrences."""
    verdict = judged(loop, value)
    assert verdict.beneficial
    assert verdict.reason.startswith(f"{more} ")


def test_more_than_the_limit_is_refused():
    value = "t[i] + t[2*N + 1 - i] + t[floord(i, 2)]"
    assert judged("0 to 2*N + 1", value, limit=4).beneficial
    refused = judged("0 to 2*N + 1", value, limit=3)
    assert not refused.beneficial
    assert refused.reason == "4 more operations for each value that is not stored, 3 are allowed"


def test_a_small_table_is_kept():
    program = pn.parse(
        """
param N; input float m[3], A[N]; temp float t[3]; output float B[N];
for k = 0 to 2 do t[k] = sqrt(m[k]); done
for i = 0 to N - 1 do B[i] = t[0] * A[i] + t[1]; done
"""
    )
    assert pn.propagate(program).result.temporaries == ("t",)
    assert not pn.propagate(program, heuristics=paper_heuristics()).result.temporaries


def cost(value):
    """The operations of one value over arrays A, B and a picture P."""
    text = "param N; input A[N], B[2*N], P[N][N]; for i = 1 to N-2 do for j = 1 to N-2 do "
    text += f"C[i][j] = {value}; done done"
    return operations(pn.parse(text).statements[0].expression)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A[i] * B[j]", 1),
        ("A[i] * A[i] + A[i] * A[i]", 2),
        ("A[i] * B[i] + A[i-1] * B[i-1]", 2),
        ("A[i] * B[i] + A[i-1] * B[i]", 3),
        ("A[i] * B[j] + A[i-1] * B[j+1]", 2),
        ("P[i][j] * P[i][j] - P[i+1][j-1] * P[i+1][j-1]", 2),
        ("P[i][j] * P[i][j] - P[j][i] * P[j][i]", 3),
        ("A[i] * i + A[i-1] * i", 3),
        ("A[i] * 2 + A[i-1] * 2 + A[i] * 3", 4),
        ("A[i] * A[0] + A[i-1] * A[0]", 2),
        ("A[i] * A[0] + A[i-1] * A[1]", 3),
        ("-A[i]", 1),
        ("max(A[i], B[i], 0.0)", 2),
        ("sqrt(A[i])", 10),
        ("A[i] > 0 ? A[i] : B[2*i - 3]", 2),
    ],
)
def test_operations(value, expected):
    assert cost(value) == expected


def test_instances_and_sizes():
    scop = pn.parse(
        """
param N, M; assume mod(N, 8) == 0 and M <= 20; input float A[N];
for i = 0 to N - 1 do
  if mod(i, 4) == 1 then
    for j = 0 to M - 1 do B[i][j] = A[i]; done
  fi
done
"""
    )
    values = large(scop, 1001)
    assert values["N"] == 1008
    assert 0 <= values["M"] <= 20
    assert instances(scop.statements[0], {"N": 1008, "M": 3}) == 252 * 3
    assert instances(scop.statements[0], {"N": 1008, "M": 0}) == 0
