"""Loops with a stride whose body divides by it."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import kernel_source

UPSAMPLED = """
param N; assume N >= 2; input float A[N+1]; output float B[2*N]; temp float up[2*N];
for x = 0 to N - 1 do
  up[2*x] = A[x];
  up[2*x+1] = (A[x] + A[x+1]) / 2;
done
for x = {low} to 2*N - 1 do
  B[x] = up[x] * 2 + mod(x, 2);
done
"""


@pytest.mark.parametrize("low", range(4))
def test_both_parities_are_computed_without_divisions(low):
    before = pn.parse(UPSAMPLED.format(low=low))
    after = pn.propagate(before).result
    text = kernel_source(after).text
    assert "A[t0 + 1]" in text
    assert "+= 2" not in text
    a = np.arange(8, dtype=np.float32) ** 2
    results = [pn.compile(s)(A=a, N=7)["B"][low:] for s in (before, after)]
    assert np.array_equal(*results)


def test_a_division_that_is_none_of_the_iterator_changes_no_loop():
    scop = pn.parse("param N; for i = 0 to N by 2 do A[i] = B[floord(N,2)]; done")
    assert "i <= N; i += 2" in kernel_source(scop).text


STRIDED = """
param N, M; input float A[4*N+9]; output float B[4*N+9];
for x = 0 to 4*N + 8 do
  if {condition} then
    B[x] = {value};
  fi
done
"""


@pytest.mark.parametrize(
    ("condition", "value", "loop"),
    [
        ("mod(x, 2) == 1", "A[floord(x, 2)]", "t0 = 0; t0 <= 2 * N + 3; t0++"),
        ("mod(x, 4) == 3", "A[floord(x, 2)] + x", "t0 = 0; t0 <= N + 1; t0++"),
        ("mod(x, 2) == 1 and x >= M", "A[floord(x, 2)]", "t0 = max(0, floord(M, 2)); "),
        ("mod(x, 2) == 1 and x <= M", "A[floord(x, 2)]", "t0 <= min(2 * N + 3, floord(M - 1, 2))"),
        ("mod(x, 2) == 1", "A[x]", "x += 2"),
        ("mod(x, 2) == 1", "A[floord(x, 4)]", "x += 2"),
        ("mod(x, 2) == 1", "A[floord(x + M, 2)]", "x += 2"),
        ("mod(x + N, 2) == 0", "A[floord(x, 2)]", "x += 2"),
    ],
)
def test_only_loops_with_divisions_that_go_away_change(condition, value, loop):
    scop = pn.parse(STRIDED.format(condition=condition, value=value))
    assert loop in kernel_source(scop).text


@pytest.mark.parametrize("m", range(-1, 6))
def test_bounds_that_are_no_multiples_of_the_step(m):
    kept = "mod(x, 4) == 3 and x >= M and x <= 20 + M"
    scop = pn.parse(STRIDED.format(condition=kept, value="A[floord(x, 2)]"))
    assert "t0++" in kernel_source(scop).text
    data = {"A": np.arange(29, dtype=np.float32), "B": np.full(29, -1, dtype=np.float32)}
    result = pn.compile(scop)(**data, N=5, M=m)["B"]
    expected = [x // 2 if x % 4 == 3 and m <= x <= 20 + m else -1 for x in range(29)]
    assert result.tolist() == expected


def test_bodies_with_conditions_loops_and_names_of_that_kind():
    scop = pn.parse(
        """
param N; input float A[N][N], t0[N]; output float B[2*N][2*N];
for x = 0 to 2*N - 1 do
  if mod(x, 2) == 1 then
    for y = floord(x, 2) to N - 1 do
      if t0[y] > 0 then
        B[x][2*y] = A[floord(x, 2)][y] * t0[floord(x, 2)];
      fi
    done
  fi
done
"""
    )
    text = kernel_source(scop).text
    assert "for (int64_t y = t1; y < N; y++)" in text
    assert "B[2 * t1 + 1][2 * y] = A[t1][y] * t0[t1];" in text


def test_a_loop_inside_keeps_its_name_for_itself():
    inner = "for t0 = 0 to M do B[x] = B[x] + A[floord(x, 2)]; done"
    text = STRIDED.replace("B[x] = {value};", inner).format(condition="mod(x, 2) == 1")
    scop = pn.parse(text.replace("output", "inout"))
    code = kernel_source(scop).text
    assert "int64_t t0 = 0; t0 <= M" in code
    assert "A[t1]" in code
