"""%%delicm, %delicm, %compare, as a notebook runs them."""

import pytest

from polynb.derivation import Derivation
from polynb.tuning import Table

from .test_magics import refused, run  # noqa: F401

SUM = """param N, K; temp c;
for i = 0 to N-1 do
  c = 0; // T
  for k = 0 to K-1 do
    c = c + A[i] * B[k]; // S
  done
  C[i] = c; // U
done"""


@pytest.fixture
def texts(texts):
    return {**texts, "sum": SUM}


def test_cells_bind_a_derivation_and_lines_return_one(run, shell):  # noqa: F811
    result = run("%%delicm arrays\n$sum")
    assert isinstance(result, Derivation)
    assert shell.user_ns["arrays"] is result
    assert result.name == "delicm"
    assert "c" not in result.result.arrays
    assert [s.name for s in result.result.statements] == ["T", "S"]
    run("again = %delicm arrays.before")
    assert str(shell.user_ns["again"].result) == str(result.result)


def test_some_of_its_stages(run):  # noqa: F811
    assert "c" in run("%%delicm --only forward\n$sum").result.arrays
    mapped = run("%%delicm --only map\n$sum").result
    assert [s.name for s in mapped.statements] == ["T", "S", "U"]
    assert "c" not in mapped.arrays


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("%delicm sums --only mapp", "mapp", "mapp"),
        ("%delicm sums --only", "--only", "--only"),
        ("%compare", "takes one program, not none", "%compare"),
        ("%compare sums sums", "takes one program, not 2", "sums"),
    ],
)
def test_what_is_refused(run, line, said, at):  # noqa: F811
    run("%%scop sums\n$sum")
    refused(run, line, said, at=at)


def test_each_paper_answers(run):  # noqa: F811
    run("%%scop sums\n$sum")
    table = run("%compare sums")
    assert isinstance(table, Table)
    rows = {row[1]: row for row in table.rows}
    assert {"", "propagate", "delicm", "reorder"} <= rows.keys()
    assert rows[""][-2:] == (1, 1)  # a scalar, and loops that cannot be interchanged
    assert rows["delicm"][-3:] == (2, 0, 2)
    assert "c is removed" in rows["delicm"][2]
