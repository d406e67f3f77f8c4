"""Heuristics decide whether what is legal is done (CC'18, sections 4.1 and 4.3)."""

from dataclasses import dataclass

import pytest

import polynb as pn
from polynb.propagation import CodeComplexity, Heuristic, Judgement, NonLiveOut, propagate
from polynb.propagation.steps import Judged
from polynb.run.oracle import equivalent

# In T, the middle loop is the one whose first iteration reads another value.
MIDDLE = """param N; assume N >= 4; temp t;
for i = 0 to N do for k = 0 to N do t[i][0][k] = A[i][k]; done done
for i = 0 to N do for j = 1 to N do for k = 0 to N do t[i][j][k] = 2 * A[i][k]; done done done
for i = 0 to N do for j = 0 to N do for k = 0 to N do T: B[i][j][k] = t[i][j][k]; done done done"""
OUTER = """param N; assume N >= 4; temp t;
for j = 0 to N do for k = 0 to N do t[0][j][k] = A[j][k]; done done
for i = 1 to N do for j = 0 to N do for k = 0 to N do t[i][j][k] = 2 * A[j][k]; done done done
for i = 0 to N do for j = 0 to N do for k = 0 to N do T: B[i][j][k] = t[i][j][k]; done done done"""


def test_one_iteration_between_loops_is_refused():
    d = propagate(pn.parse(MIDDLE))
    assert d.result is d.before
    assert "its piece T_1 would be a single iteration of j" in d.why("t")
    (verdict,) = [s.verdict for s in d.steps if isinstance(s, Judged) and not s.verdict.beneficial]
    assert verdict.pieces == ("T_1",)


def test_one_iteration_of_the_outermost_loop_is_not():
    d = propagate(pn.parse(OUTER))
    assert d.result.temporaries == ()
    assert equivalent(d, N=[4, 6])


def test_without_heuristics_whatever_is_legal_is_done():
    d = propagate(pn.parse(MIDDLE), heuristics=())
    assert d.result.temporaries == ()
    assert equivalent(d, N=[4, 6])


def test_a_loop_that_iterated_only_once_before_is_no_reason():
    text = """param N; assume N >= 4; temp t;
    for i = 0 to N do for k = 0 to N do t[i][k] = A[i][k]; done done
    for i = 0 to N do for j = 2 to 2 do for k = 1 to N do
      B[i][j][k] = t[i][k] + t[i - 1][k];
    done done done"""
    text = text.replace("t[i - 1][k]", "t[i][k - 1]")
    assert propagate(pn.parse(text)).result.temporaries == ()


def test_the_number_of_pieces_is_limited():
    writes = "".join(f"t[{k}] = A[{k}]; " for k in range(6))
    scop = pn.parse(f"temp t; {writes} for i = 0 to 5 do B[i] = t[i] * 2; done")
    kept = propagate(scop, heuristics=[CodeComplexity(pieces=4)])
    assert "6 pieces, 4 are allowed" in kept.why("t")
    assert propagate(scop, heuristics=[CodeComplexity(pieces=6)]).result.temporaries == ()


def test_the_number_of_operations_is_limited():
    scop = pn.parse("param N; temp t; for i = 0 to N do t[i] = A[i] + 1; B[i] = t[i] * 2; done")
    kept = propagate(scop, heuristics=[CodeComplexity(operations=3)])
    assert "3 are allowed" in kept.why("t")


def test_live_out_arrays_are_left_unless_they_are_asked_for():
    scop = pn.parse("param N; for i = 0 to N do A[i] = X[i]; B[i] = A[i] + 1; done")
    kept = propagate(scop)
    assert "it may be used later" in kept.why("A")
    assert any(isinstance(s, Judged) and s.heuristic == NonLiveOut.name for s in kept.steps)
    d = propagate(scop, live_out=True)
    assert [r.array for r in d.result.by_name["S1"].reads] == ["X"]
    assert "final writes stay" in d.why("A")
    assert "B" not in {a for s in d.steps for a in s.about}, "nothing reads B"


def test_a_heuristic_of_ones_own():
    @dataclass(frozen=True)
    class NoScalars(Heuristic):
        name = "No scalars"

        def worth_trying(self, dependences, array):
            scalar = not dependences.scop.arrays[array].extents
            return Judgement(False, "scalars stay") if scalar else None

    scop = pn.gallery.load("fig1")
    d = propagate(scop, heuristics=[NoScalars()])
    assert "s" in d.result.temporaries
    assert d.why("s") == "s is kept: scalars stay."


@pytest.mark.parametrize("name", ["fig1", "unsharp_mask", "harris"])
def test_the_default_removes_all_temporaries_of_the_small_programs(name):
    assert propagate(pn.gallery.load(name)).result.temporaries == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s = 0; q = 0; for i = 0 to N do s = s + A[i]; q = q + A[i] * A[i]; done",
         "it is a result: nothing else is computed from it"),
        ("for i = 0 to N do s[i] = A[i]; done for i = 0 to N do q[i] = s[i] + 1; done",
         "it may be used later"),
    ],
)  # fmt: skip
def test_a_result_is_not_called_a_temporary(text, reason):
    assert reason in pn.propagate(pn.parse(f"param N; {text}", "scop")).why("s")
