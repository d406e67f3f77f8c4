"""The heuristic that bounds how much is computed again."""

import time
from random import Random

import pytest
from cases import beside

import polynb as pn
from polynb import isl
from polynb.propagation import paper_heuristics
from polynb.propagation.counting import Uncountable, count
from polynb.propagation.recomputation import Recomputation, instances, operations
from polynb.scop.sizes import large

CASES = beside(__file__)

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


def cost(value, along=("i", "j")):
    """The operations of one value over arrays A, B and a picture P."""
    text = "param N; input A[N], B[2*N], P[N][N]; for i = 1 to N-2 do for j = 1 to N-2 do "
    text += f"C[i][j] = {value}; done done"
    return operations(pn.parse(text).statements[0].expression, along)


@pytest.mark.parametrize(
    ("value", "expected"),
    CASES["operations"],
)
def test_operations(value, expected):
    assert cost(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("P[i][j] * P[i][j] - P[i][j+1] * P[i][j+1]", 2),
        ("P[i][j] * P[i][j] - P[i+1][j] * P[i+1][j]", 3),
        ("P[i][j] * P[i][j] - P[i+1][j-1] * P[i+1][j-1]", 3),
        ("P[i+1][j] * P[i+1][j] - P[i+1][j-1] * P[i+1][j-1]", 2),
    ],
)
def test_operations_that_one_loop_can_share(value, expected):
    assert cost(value, along=("j",)) == expected


SEPARABLE = """param N; input float A[N+2][N+2]; temp float t[N+2][N]; output float B[N][N];
for i = 0 to N+1 do for j = 0 to N-1 do t[i][j] = A[i][j] + 2*A[i][j+1] + A[i][j+2]; done done
for i = 0 to N-1 do for j = 0 to N-1 do B[i][j] = t[i][j] + 2*t[i+1][j] + t[i+2][j]; done done"""


@pytest.mark.parametrize(
    ("cache", "more"), [(0, "0 more"), (1 << 21, "0 more"), (1 << 23, "6 more")]
)
def test_a_stencil_is_put_into_another_only_where_that_saves_traffic(cache, more):
    """4 MB at N = 1000: in a cache of 8 MB, each row of the sum is paid for."""
    steps = pn.propagate(pn.parse(SEPARABLE), heuristics=(Recomputation(5, cache=cache),)).steps
    (verdict,) = [s.verdict for s in steps if getattr(s, "heuristic", "") == "Recomputation"]
    assert verdict.reason.startswith(more)
    assert verdict.beneficial == (more == "0 more")


def test_the_bilateral_grid_keeps_one_of_its_three_blurs():
    """All three put into each other, 125 products for a cell of a grid that fits into a cache,
    were slower than the program as written on one machine; measured beside it, this is faster."""
    d = pn.propagate(pn.gallery.load("bilateral_grid"))
    assert d.result.temporaries == ("grid", "blurx", "blury")


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


DIAGONAL = """param N; temp A[N+1][2*N+1];
for i = 0 to N do A[i][2*i] = B[i]; done
for i = 0 to N do for j = 0 to N do D[i][j] = A[i][j] + 3; done done"""

SQUARES = """param N; temp t[N+1];
for i = 0 to N do t[i] = B[i] * B[i]; done
for i = 0 to N do for j = {loop} do
  if {condition} then D[i][j] = t[j]; fi
done done"""


def verdict_of(text, size):
    steps = pn.propagate(pn.parse(text), heuristics=(Recomputation(size=size),)).steps
    (found,) = [s.verdict for s in steps if getattr(s, "heuristic", "") == "Recomputation"]
    return found


def test_only_operations_that_exist_count():
    """One read in a thousand is of a value of S0; the others see what was there before."""
    verdict = verdict_of(DIAGONAL, 1000)
    assert verdict.beneficial
    assert verdict.reason.startswith("0 more operations")


@pytest.mark.parametrize(
    ("loop", "condition", "more"),
    [
        ("0 to N", "i >= 0", 10),  # 11 * 11 instead of 11
        ("0 to i", "i >= 0", 5),  # 11 * 12 / 2
        ("0 to i", "i + j == N", -0.45),  # 6: half of the other diagonal
        ("0 to N", "(i + j) % 4 == 0", 1.8),  # 31
        ("0 to N by 2", "i % 5 == 1", 0.1),  # 12
    ],
)
def test_triangles_diagonals_and_strides(loop, condition, more):
    each = round(more)
    said = f"{each} more operations" if each >= 0 else f"{-each} operations less"
    text = SQUARES.format(loop=loop, condition=condition)
    assert verdict_of(text, 10).reason.startswith(f"{said} for each value")


def test_what_is_too_large_to_count_is_counted_smaller():
    """Four loops that depend on each other: a hundred billion instances."""
    text = "param N; temp t[N+1]; for i = 0 to N do t[i] = B[i] * B[i]; done "
    text += "for i = 0 to N do for j = i to N do for k = j to N do for l = k to N do "
    text += "D[i][j][k][l] = t[0]; done done done done"
    verdict = verdict_of(text, 1000)
    assert not verdict.beneficial
    before = time.perf_counter()
    with pytest.raises(Uncountable):
        count(isl.read_set("{ [i, j, k, l] : 0 <= i <= j <= k <= l <= 1000 }"))
    assert time.perf_counter() - before < 1


def random_set(random):
    names = "ijkl"[: random.randint(1, 4)]
    parts = []
    for _ in range(random.randint(1, 3)):
        rows = [f"{random.randint(-2, 1)} <= {x} <= {random.randint(0, 6)}" for x in names]
        for _ in range(random.randint(0, 3)):
            a, b, c = random.choice(names), random.choice(names), random.randint(2, 5)
            rows.append(
                random.choice(
                    [
                        f"({random.randint(1, 3)}{a} + {b}) mod {c} = {random.randint(0, 1)}",
                        f"{a} <= {b}",
                        f"2{a} = 3{b}",
                        f"{a} = {b} + {random.randint(0, 2)}",
                        f"{c}*floor(({a} + {b})/{c}) <= {random.choice(names)}",
                        f"(exists e, f: {a} = 2e + 3f and 0 <= e <= 2 and 0 <= f <= {b})",
                    ]
                )
            )
        parts.append(" and ".join(rows))
    return isl.read_set(f"{{ [{', '.join(names)}] : {' or '.join(f'({p})' for p in parts)} }}")


def test_counts_are_those_of_an_enumeration():
    random = Random(7)
    for _ in range(150):
        s = random_set(random)
        assert count(s) == len(isl.points(s)), str(s)


@pytest.mark.parametrize("text", ["{ [i] : i >= 0 }", "{ [i, j] : 0 <= i <= 9 and j <= i }"])
def test_what_has_no_end_is_not_counted(text):
    with pytest.raises(Uncountable):
        count(isl.read_set(text))
