"""`%step proof`."""

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
    assert "1 circle closed: the same: proved for every N" in view.trace["verdict"]
    assert [p["value"] for p in view.trace["parameters"]] == [3]


def test_a_proof_of_a_program_with_more_parameters_is_stepped(shell, run):  # noqa: F811
    """There is nothing to prove, and both programs are there to be seen, each at small sizes."""
    more = SUMS.replace("int N", "int N, int M").replace("i < N", "i < M")
    shell.user_ns["proof"] = pn.prove(pn.parse(SUMS), pn.parse(more))
    view = run("%step proof")
    assert "the program after has a parameter M of its own" in view.trace["verdict"]
    assert [p["name"] for p in view.trace["parameters"]] == ["N"]  # the others cannot be moved
    assert len(view.trace["programs"]) == 2


def test_what_differs_is_told_in_one_line(shell, run):  # noqa: F811
    shell.user_ns["proof"] = pn.prove(pn.parse(SUMS), pn.parse(SUMS.replace("] + B", "] - B")))
    verdict = run("%step proof").trace["verdict"]
    assert "differs; before: (" in verdict
    assert "; after: (" in verdict
