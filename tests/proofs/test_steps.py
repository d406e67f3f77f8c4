"""How a proof goes: its steps, and that they are played."""

import json
from importlib.resources import files

import jsonschema
import pytest

import polynb as pn
from polynb import isl
from polynb.proofs.proving import SECONDS
from polynb.proofs.steps import Compared, Guess, Pair, Widened

SUMS = """
void sums(int N, const float B[N], float A[N]) {
  A[0] = B[0];
  for (int i = 1; i < N; i++)
    A[i] = A[i - 1] + B[i];
}
"""
REVERSED = """
void sums(int N, const float B[N], float A[N]) {
  float R[N];
  R[N - 1] = B[0];
  for (int i = 1; i < N; i++)
    R[N - 1 - i] = R[N - i] + B[i];
  for (int i = 0; i < N; i++)
    A[i] = R[N - 1 - i];
}
"""
LAST = """
void last(int N, const float B[N], float X[1]) {
  float A[N];
  A[0] = B[0];
  for (int i = 1; i < N; i++)
    A[i] = A[i - 1] + B[i];
  X[0] = A[N - 1];
}
"""
LAST_REVERSED = """
void last(int N, const float B[N], float X[1]) {
  float R[N];
  R[N - 1] = B[0];
  for (int i = 1; i < N; i++)
    R[N - 1 - i] = R[N - i] + B[i];
  X[0] = R[0];
}
"""
WRONG = SUMS.replace("A[i - 1] + B[i]", "A[i - 1] + B[i - 1]")
PAIRS = {
    "itself": (SUMS, SUMS),
    "reversed": (SUMS, REVERSED),
    "back": (REVERSED, SUMS),
    "last": (LAST, LAST_REVERSED),
}


@pytest.fixture(params=PAIRS)
def proof(request):
    return pn.prove(*map(pn.parse, PAIRS[request.param]))


def last_attempt(steps):
    begins = max(k for k, s in enumerate(steps) if isinstance(s, Guess))
    return steps[begins + 1 :]


def test_a_recurrence_is_proved_as_the_circle_closes(proof):
    assert proof
    closed = [
        s for s in last_attempt(proof.steps) if isinstance(s, Compared) and s.done == "closed"
    ]
    assert closed
    assert all(s.relation.is_subset(s.assumed) for s in closed)
    assert "the circle is closed" in str(closed[0])


def test_what_is_assumed_in_the_end_asks_for_nothing_else(proof):
    """It is a post-fixpoint: all that follows from it is within it."""
    taken = [s for s in last_attempt(proof.steps) if isinstance(s, Pair)]
    assumed = {s.number: s.assumed for s in taken}  # the last one of each pair
    shown = {}
    for s in taken:
        if isinstance(s, Compared) and s.done not in ("closed", "assumed"):
            shown[s.number] = shown[s.number].union(s.relation) if s.number in shown else s.relation
        for number, relation in getattr(s, "follows", ()):
            assert relation.is_subset(assumed[number])
    assert all(relation.is_equal(shown[number]) for number, relation in assumed.items())


def test_a_recurrence_is_widened_to_more_than_it_asked_for():
    proof = pn.prove(pn.parse(LAST), pn.parse(LAST_REVERSED))
    assert proof
    widened = [s for s in last_attempt(proof.steps) if isinstance(s, Widened)]
    assert widened
    assert any(not s.assumed.is_subset(s.relation) for s in widened)


def test_expressions_are_in_words():
    said = "\n".join(map(str, pn.prove(pn.parse(SUMS), pn.parse(REVERSED)).steps))
    assert "(A[-1 + i] + B[i])" in said
    assert "B[0]" in said


def test_a_mismatch_is_the_last_step():
    proof = pn.prove(pn.parse(SUMS), pn.parse(WRONG))
    assert proof.answer == "different"
    step, answer = proof.steps[-2:]
    assert "different" in str(answer)
    assert step.done == "unequal"
    assert "B[i] at first of S1 and B[-1 + i] at first of S1" in str(step)


def test_the_answer_is_the_last_step():
    wide = SUMS.replace("float A[N]", "double A[N]")
    steps = pn.prove(pn.parse(SUMS), pn.parse(wide)).steps
    assert [str(s) for s in steps] == [
        "In the end: different: A is an array of 1 dimension of float before, "
        "and an array of 1 dimension of double after."
    ]


def test_the_steps_are_those_within_the_budget_of_the_proof(monkeypatch):
    given = []
    used = isl.budget
    monkeypatch.setattr(isl, "budget", lambda *a, **k: given.append(a) or used(*a, **k))
    for options in ({"seconds": 77}, {"seconds": None}, {"max_operations": 123_456}):
        given.clear()
        first = pn.prove(*map(pn.parse, PAIRS["itself"]), **options)
        asked = given[:1]
        given.clear()
        assert str(first.explained().steps[-1]) == "In the end: the same: proved for every N."
        assert given[:1] == asked
        assert asked[0] == (options.get("max_operations"), options.get("seconds", SECONDS))
    refused = pn.prove(*map(pn.parse, PAIRS["itself"]), max_operations=20)
    assert "used up its operation budget" in str(refused.steps[-1])


def test_the_steps_are_played(proof, tmp_path):
    from polynb.show.trace.builder import trace

    found = trace(proof.explained())
    text = files("polynb.show.trace").joinpath("trace.schema.json").read_text()
    jsonschema.validate(found, json.loads(text))
    kinds = [frame["kind"] for frame in found["steps"]]
    assert ("Widened" in kinds) == any(isinstance(s, Widened) for s in proof.steps)
    frames = [f for f in found["steps"] if f["kind"] == "Compared"]
    assert all(len(f["sets"]) == 2 for f in frames)
    for step, frame in zip(proof.steps, found["steps"][1:], strict=False):
        if isinstance(step, Compared) and "other" in frame:
            marked = frame.get("marks", []), frame["otherMarks"]
            for scop, (name, _), ids in zip(proof.programs, step.accesses, marked, strict=True):
                assert [i.split(":")[1] for i in ids] == [name] * (name in scop.by_name)
    assert any(f.get("marks") for f in frames)
    assert len(json.dumps(found)) < 200_000
    assert "the circle is closed" in proof.to_html(tmp_path / "p.html").read_text()
    assert proof.step().trace["id"] == found["id"]


def test_a_step_says_what_was_done_and_what_it_follows_from():
    text = "param N; temp t; for i = 0 to N do t[i] = A[i]; B[i] = t[i] * 2; done"
    proof = pn.prove(pn.parse(text), pn.parse(text))
    compared = [s for s in proof.steps if isinstance(s, Compared)]
    assert {s.done for s in compared} == {"looked through", "operands", "inputs"}
    followed = next(s for s in compared if s.follows)
    assert f"({followed.follows[0][0]})." in str(followed)


FIBONACCI = """param N; assume N >= 9; output double B[6]; temp double a[N+1];
a[0] = A[0]; a[1] = A[1]; for i = 2 to N do a[i] = a[i-1] + a[i-2]; done
for j = 0 to 5 do B[j] = a[N-j]; done"""


def test_what_was_compared_is_not_compared_again():
    """Of the last numbers, and of those two before, some are the same."""
    scop = pn.parse(FIBONACCI)
    shown = {}
    for s in last_attempt(pn.prove(scop, scop).steps):
        if isinstance(s, Compared) and s.done not in ("closed", "assumed"):
            before = shown.get(s.number)
            assert before is None or before.is_disjoint(s.relation)
            shown[s.number] = s.relation if before is None else before.union(s.relation)
    assert shown


def test_cells_that_an_array_does_not_have_are_not_compared():
    table = """param N; assume N >= 1; input int32 K[N]; output double B[N]; temp double t[256];
    for v = 0 to 255 do t[v] = 2 * v; done
    for i = 0 to N-1 do B[i] = t[K[i]]; done"""
    steps = pn.prove(pn.parse(table), pn.parse(table)).steps
    (looked_up,) = (s for s in steps if "t[i1] of S1_reads_t" in str(s))
    cells = looked_up.relation.domain().project_out(isl.SET, 0, 1)
    assert (cells.dim_min_val(0).to_python(), cells.dim_max_val(0).to_python()) == (0, 255)
