"""The six ways in which the paper's formulas are unsound, each with a program: the paper answers
otherwise than the sound mode, and enumeration sides with the latter."""

import pytest
from enumeration import TOO_MANY, by_levels, difference

import polynb as pn
from polynb.legality import check
from polynb.violations import violated_ranges

SIZES = range(4)


def answers(text, schedule, parallel=False):
    """(the paper, the sound mode, enumeration): whether each says that something is violated."""
    scop = pn.parse(text)
    printed = violated_ranges(scop, schedule, "paper", parallel)
    sound = violated_ranges(scop, schedule, parallel=parallel)
    assert not printed.flow
    assert not sound.flow
    if not parallel:
        assert bool(check(scop, schedule)) == sound.legal
    before = by_levels(sound.order.parallel)
    wrong = [difference(scop, {"N": n}, sound.order.times, None, before) for n in SIZES]
    assert TOO_MANY not in wrong
    return bool(printed), bool(sound), any(wrong)


ACCUMULATE = "param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done"


def test_1_the_sequential_formula_pairs_a_range_with_itself():
    assert answers(ACCUMULATE, "{ S[i] -> [i,0]; R[i] -> [i,1] }") == (True, False, False)


def test_2_the_parallel_formula_leaves_out_ranges_of_equal_times():
    """All iterations at once: every range is at times 0 to 1."""
    assert answers(ACCUMULATE, "{ S[i] -> [0]; R[i] -> [1] }", True) == (False, True, True)
    assert answers(ACCUMULATE, "{ S[i] -> [i,0]; R[i] -> [i,1] }", [0]) == (False, True, True)


def test_3_dead_writes_overwrite_too():
    text = "param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; D: t = 0; done"
    within = "{ S[i] -> [i,0]; D[i] -> [i,1]; R[i] -> [i,2] }"
    assert answers(text, within, True) == (False, True, True)
    behind = "{ D[i] -> [i,0]; S[i] -> [i,1]; R[i] -> [i,2] }"
    assert answers(text, behind, True) == (False, False, False)


def test_4_the_last_read_may_be_another_one_in_the_new_order():
    """P is not the last to read in the program; in the new order it is, one iteration later."""
    text = "param N; temp t; for i=0 to N do S: t = A[i]; P: B[i] = t; Q: C[i] = t; done"
    late = "{ S[i] -> [i,0]; Q[i] -> [i,1]; P[i] -> [i+1,1] }"
    assert answers(text, late, True) == (False, True, True)


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        (
            "param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done",
            "{ S[i] -> [i,1]; T[i] -> [i,0] }",
        ),
        (
            "param N; output A; for i=0 to N do S: A[0] = B[i]; done",
            "{ S[i] -> [-i] }",
        ),
    ],
    ids=["live-in", "live-out"],
)
def test_5_there_is_something_before_and_after_the_program(text, schedule):
    assert answers(text, schedule, True) == (False, True, True)


def test_6_a_range_may_begin_when_another_ends():
    """S(i + 1) and R(i) at one time, in either order: the parallel formula is strict."""
    assert answers(ACCUMULATE, "{ S[i] -> [i]; R[i] -> [i + 1] }", True) == (False, True, True)
    assert answers(ACCUMULATE, "{ S[i] -> [i,0]; R[i] -> [i,1] }", True) == (False, False, False)
