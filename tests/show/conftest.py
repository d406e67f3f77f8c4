"""Programs to show."""

import pytest

from polynb.scop import Scop, parse

BLUR = """param N; assume N >= 2; temp t;
for i = 0 to N do
  t[i] = in[i] / 2; // halve
done
for i = 1 to N-1 do
  out[i] = t[i-1] + t[i+1]; // add
done
"""
# The same with t live-out: nothing can be removed.
KEPT = BLUR.replace(" temp t;", "")
# t is overwritten in between: S1 cannot evaluate S0 itself.
BLOCKED = """param N; assume N >= 2; temp t;
for i = 0 to N do
  S0: t[i] = A[i] + 1;
  S1: A[i] = 0;
done
for i = 0 to N do
  S2: B[i] = t[i];
done
"""
MATRIX = """param N; assume N >= 1;
for i = 0 to N do for j = 0 to N do
  C[i][j] = 0; // clear
  for k = 0 to N do
    C[i][j] = C[i][j] + A[i][k] * B[k][j]; // add
  done
done done
"""


@pytest.fixture
def blur() -> Scop:
    return parse(BLUR, name="blur")


@pytest.fixture
def matrix() -> Scop:
    return parse(MATRIX, name="matrix")


@pytest.fixture(scope="session")
def texts() -> dict[str, str]:
    return {"blur": BLUR, "kept": KEPT, "blocked": BLOCKED, "matrix": MATRIX}
