"""%%delicm, %delicm, %compare, as a notebook runs them."""

import base64
import json
import zlib

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
    said = run("%%delicm --only map\n$sum")._repr_mimebundle_()["text/plain"]
    assert said.startswith("c is removed: still 3 statements.")


def test_a_scalar_that_may_be_used_later_has_a_next_line_that_removes_it(run, shell):  # noqa: F811
    shell.user_ns["sums"] = run("%%delicm\n" + SUM.replace("temp c;", ""))
    said = shell.user_ns["sums"]._repr_mimebundle_()["text/plain"]
    assert 'Add "temp c;" or "--temp c" if it is not.' in said
    following = said.splitlines()[-1].removeprefix("next: ")
    assert following == "%delicm sums.before --temp c"
    assert "c" not in run(following).result.arrays


def test_a_stepper_begins_where_it_is_told(run):  # noqa: F811
    run("%%delicm sums\n$sum")
    assert run("%step sums").step == 0
    view = run("%step sums N=2 K=3 --at 6 --predict")
    assert view.step == 6
    assert view.predict
    assert "question" in view.trace["steps"][6]


def test_several_derivations_are_on_tabs(run, shell):  # noqa: F811
    """Each has the values of its own parameters, and where there is no kernel all are shown."""
    run("%%delicm sums\n$sum")
    run("%%delicm rows\nparam M;  temp r;\nfor i = 0 to M do r = A[i]; B[i] = r; done")
    tabs = run("%step sums rows N=2 K=3 M=4 --at 2")
    assert tabs.titles == ("sums", "rows")
    assert [view.step for view in tabs.children] == [2, 2]
    values = [view.trace["parameters"] for view in tabs.children]
    assert [{p["name"]: p["value"] for p in v} for v in values] == [{"N": 2, "K": 3}, {"M": 4}]
    assert tabs["rows"].program is shell.user_ns["rows"]
    saved = tabs._repr_mimebundle_()
    assert saved.keys() >= {
        "application/vnd.jupyter.widget-view+json",
        "application/vnd.polynb.trace+json",
    }
    for kind in ("text/plain", "text/html"):
        assert "c is removed" in saved[kind]
        assert "r is removed" in saved[kind]
    packed = saved["application/vnd.polynb.trace+json"].split(" ")[-1]
    content = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert content["trace"]["id"] == tabs["sums"].trace["id"]
    assert [(m["trace"]["id"], m["traits"]["step"]) for m in content["more"]] == [
        (tabs["rows"].trace["id"], 2)
    ]


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("%step", "takes a derivation, not none", "%step"),
        ("%step sums sums", "sums is there twice", "sums"),
        ("%step sums sums.before", "sums.before is a program: it has no steps", "sums.before"),
        ("%step sums Q=3", "Q", "Q=3"),
        ("%delicm sums --only mapp", "mapp", "mapp"),
        ("%delicm sums --only", "--only", "--only"),
        ("%step sums --at 11", "a step from 0 to 10, not 11", "11"),
        ("%step sums --at -1", "a step from 0 to 10, not -1", "-1"),
        ("%step sums --at c", "a step from 0 to 10, not c", "c"),
        ("%compare", "takes one program, not none", "%compare"),
        ("%compare sums sums", "takes one program, not 2", "sums"),
        ("%compare sums Z=4", "no parameter or array 'Z'", "Z=4"),
    ],
)
def test_what_is_refused(run, line, said, at):  # noqa: F811
    run("%%delicm sums\n$sum" if line.startswith("%step") else "%%scop sums\n$sum")
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


@pytest.mark.long
def test_each_answer_is_timed_where_sizes_are_given(run):  # noqa: F811
    run("%%scop sums\n$sum")
    sizes = " ".join(f"{p}=20" for p in run("%scop sums").parameters)
    table = run(f"%compare sums {sizes}")
    assert isinstance(table, Table)
    assert table.head[-1] == "times as fast"
    speeds = {row[1]: row[-1] for row in table.rows}
    assert speeds[""] == "1"
    assert float(str(speeds["delicm"]).split()[0]) > 0  # it changes the program
    assert speeds["propagate"] == ""  # and this leaves it as it is
    run("%%scop reorder\n$sum")  # a program may have the name of a pass
    named = run(f"%compare reorder {sizes}")
    assert {row[1]: bool(row[-1]) for row in named.rows} == {k: bool(v) for k, v in speeds.items()}
