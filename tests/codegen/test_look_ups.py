"""Look-ups of bytes, which gcc makes no vectors of."""

import re

import numpy as np
import pytest

import polynb as pn

PROGRAM = """
param N, M; assume N >= 0 and M >= 0;
input {} T[256]; input uint8 I[N+M+1]; output {} O[N+M+1], P[N+M+1];
for i = M to N + M - 1 do
  O[i] = T[I[i]];
  P[i] = {};
done
"""


UNROLLED = "!defined(__clang__)\n#pragma GCC unroll 8\n#elif defined(_OPENMP)"


def in_vectors(kind: str, second: str) -> pn.Kernel:
    scop = pn.parse(PROGRAM.format(kind, kind, second))
    return pn.compile(pn.transform(scop, "vectorize i").result, threads=1)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 15, 16, 17, 40])
@pytest.mark.parametrize("m", [0, 3])
def test_every_iteration_runs_once_and_in_its_turn(n, m):
    kernel = in_vectors("uint8", "T[O[i]]")
    assert UNROLLED in kernel.source
    rng = np.random.default_rng(n)
    table = rng.permutation(256).astype(np.uint8)
    index = rng.integers(0, 256, n + m + 1).astype(np.uint8)
    after = kernel(N=n, M=m, T=table, I=index)
    inside = slice(m, n + m)
    assert np.array_equal(after["O"][inside], table[index[inside]])
    assert np.array_equal(after["P"][inside], table[table[index[inside]]])


@pytest.mark.parametrize(("kind", "second"), [("float", "T[I[i]]"), ("uint8", "I[i]")])
def test_others_stay_in_vectors(kind, second):
    """Elements of words are gathered, and what is computed beside look-ups is worth vectors."""
    source = in_vectors(kind, second).source
    assert "#if defined(_OPENMP) || defined(OPENMP_SIMD)\n#pragma omp simd" in source
    assert "unroll" not in source


PIPELINE = """
param R, C; assume R >= 4 and C >= 4;
input uint8 img[R+2][C+2], curve[1024]; temp int16 sum[R+2][C+2]; output uint8 out[R+2][C+2];
for x = 1 to R do for y = 1 to C do
  add: sum[x][y] = img[x-1][y] + img[x+1][y] + img[x][y-1] + img[x][y+1];
done done
for x = 2 to R - 1 do for y = 1 to C do
  tone: out[x][y] = curve[(sum[x-1][y] + sum[x+1][y]) / 2];
done done
"""


def test_rows_of_pictures_that_are_looked_up_run_one_after_the_other():
    before = pn.parse(PIPELINE)
    after = pn.propagate(before, windows=8).result
    assert {*re.findall(r"out\[([^]]*)\]\[y\] = ", str(after))} == {"x"}
    assert UNROLLED in pn.compile(after, threads=1).source
    assert pn.prove(before, after)
    assert pn.equivalent(before, after)
