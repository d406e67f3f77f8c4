"""`%step proof`."""

from __future__ import annotations

import polynb as pn

from .test_magics import run  # noqa: F401

SUMS = """
void sums(int N, const float B[N], float A[N]) {
  A[0] = B[0];
  for (int i = 1; i < N; i++)
    A[i] = A[i - 1] + B[i];
}
"""


def test_a_proof_is_stepped(shell, run):  # noqa: F811
    program = pn.parse(SUMS)
    shell.user_ns["proof"] = pn.prove(program, program)
    view = run("%step proof N=3 --at 2")
    assert view.step == 2
    assert "1 circle closed: proved for every N" in view.trace["verdict"]
    assert [p["value"] for p in view.trace["parameters"]] == [3]
