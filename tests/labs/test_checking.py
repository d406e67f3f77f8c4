"""Limits, failures and forms of answers: no evidence, no points."""

import doctest
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

import polynb as pn
from polynb import isl, labs
from polynb.errors import PolynbError
from polynb.labs.apart import apart

SQUARE = "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }"


@pytest.fixture
def triangle():
    return labs.exercise("lab1.triangle", student="")


@pytest.mark.parametrize("answer", [None, ..., "", "  ", "..."])
def test_no_answer_is_no_error_and_no_points(triangle, answer):
    found = labs.check(triangle, answer)
    assert found.points == 0
    assert str(found).splitlines()[1].startswith("  no answer yet. It is to be isl text")


class Strange:
    def __getattr__(self, name):
        raise RuntimeError("I am strange")


@pytest.mark.parametrize(
    "made", [lambda: 3, object, Strange, bytes, list, dict, lambda: "{", lambda: "x" * 30_000]
)
def test_what_is_no_answer_is_worth_nothing_and_said(triangle, made):
    found = labs.check(triangle, made())
    assert found.points == 0
    assert len(found.findings) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("[N] -> { S[i, j] : 0 <= i < N and j =< i }", "isl has no sign `=<`"),
        ("{ S[i, j] : 0 <= i < N }", "N is no parameter"),
        ("[N] -> { T[i, j] : 0 <= i < N }", "an unknown statement T"),
        ("[N] -> { S[i] : 0 <= i < N }", "has 1 dimension for S, which has 2"),
        ("[N, M] -> { S[i, j] : 0 <= i < M }", "M is no parameter of this exercise"),
        ("[N] -> { S[i, j] -> S[j, i] }", "this is no set"),
        ("[N] -> { S[i, j] : 0 <= i < 2(N - 1) }", "a `*` is missing"),
        ("[N] -> { S[i, j] : abs(i) < N }", "isl has no abs"),
        ("[N] -> { S[i, j] : 0 ≤ i }", "isl has no sign `≤`"),
        ("[N] -> { S[i, j] : 0 <= i < N } }", "where the end is expected"),
    ],
)
def test_a_mistyped_set_gets_its_place(triangle, answer, said):
    found = str(labs.check(triangle, answer))
    assert said in found
    assert "syntax error" not in found
    assert "is no parameter of" in said or "^" in found


def test_one_instance_at_the_smallest_size_of_what_is_missing_and_wrong():
    k = labs.exercise("lab1.hole", student="")
    found = labs.check(k, "[N] -> { S[i] : 0 <= i < N }")
    least = int(k.program.partition("N >= ")[2].partition(";")[0])
    assert [f.text.split()[0] for f in found.findings] == ["missing", "wrong"]
    assert found.witness is found.findings[0].witness
    assert found.witness.parameters == {"N": least}


def test_a_comma_between_conditions_is_told(triangle):
    verdict = labs.check(triangle, "[N] -> { S[i, j] : 0 <= i < N, 0 <= j <= i }")
    assert verdict.points == 0
    assert "`and` stands between conditions" in str(verdict)


def test_objects_of_islpy_are_answers(triangle):
    right = isl.Set(triangle._right[0])
    assert labs.check(triangle, right)
    assert labs.check(triangle, right.to_union_set())
    assert not labs.check(triangle, right.complement())


def test_points_are_for_the_instances_that_are_right(triangle):
    right = triangle._right[0].rstrip("} ")
    none = labs.check(triangle, "[N] -> { S[i, j] : i = 7 and j = -3 }")
    few = labs.check(triangle, f"{right} and i = j }}")
    most = labs.check(triangle, f"{right} and i < N }}")
    assert none.points == 0 < few.points < triangle.points
    assert 0 < most.points < triangle.points
    everything = labs.check(triangle, "{ S[i, j] }")
    assert everything.points < few.points


@pytest.mark.long
def test_a_huge_answer_is_over_in_time(triangle):
    cases = " or ".join(
        f"(i mod {p} = {p // 2} and j mod {q} = 1)" for p in range(5, 60, 2) for q in range(3, 20)
    )
    short = replace(triangle, seconds=2.0)
    begun = time.monotonic()
    found = labs.check(short, f"[N] -> {{ S[i, j] : {cases} }}")
    assert not found
    assert time.monotonic() - begun < 6


def test_the_time_of_an_exercise_is_its_own():
    short = replace(labs.exercise("lab1.triangle", student=""), seconds=1e-6)
    found = labs.check(short, SQUARE)
    assert found.points == 0
    assert "judging the answer took more than" in str(found)


def test_an_interrupt_is_no_answer(triangle, monkeypatch):
    def interrupted(self, answer):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(triangle._task), "judge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        labs.check(triangle, SQUARE)


def test_a_failure_of_the_checker_gives_no_points(triangle, monkeypatch):
    def failing(self, answer):
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(type(triangle._task), "judge", failing)
    found = labs.check(triangle, triangle._right[0])
    assert found.points == 0
    assert "ZeroDivisionError: a mistake" in str(found)


# -- exercises, hints ----------------------------------------------------------------------


def test_the_example_of_the_room_is_true():
    assert doctest.testmod(labs).attempted == 3
    assert doctest.testmod(labs).failed == 0


def test_an_unknown_exercise_is_an_error_with_a_way_out():
    with pytest.raises(PolynbError, match=r"lab1\.triangle"):
        labs.exercise("lab1.triangel")
    for wrong in (3, None, [], object()):
        with pytest.raises(PolynbError):
            labs.check(wrong, SQUARE)
        with pytest.raises(PolynbError):
            labs.hint(wrong)
    with pytest.raises(PolynbError):
        labs.exercise("lab1.triangle", student=3)
    with pytest.raises(PolynbError):
        labs.exercises(99)
    with pytest.raises(PolynbError):
        labs.hint("lab1.triangle", 4)


def test_hints_say_more_each_time():
    given = [labs.hint("lab1.stride", student="hints") for _ in range(4)]
    assert [h[:9] for h in given] == ["hint 1 of", "hint 2 of", "hint 3 of", "hint 3 of"]
    assert "read lesson 1" in given[2]
    assert labs.hint("lab1.stride", 1, student="hints") == given[0]


@pytest.mark.long
def test_numbers_are_the_same_everywhere():
    """In another process, whose hashes are others."""
    line = "from polynb import labs; print(labs.exercise('lab1.stride', student='ada'))"
    env = {"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)}
    other = subprocess.run([sys.executable, "-c", line], env=env, capture_output=True, text=True)
    assert other.stdout == f"{labs.exercise('lab1.stride', student='ada')}\n"


def test_the_student_may_be_in_the_environment(monkeypatch):
    monkeypatch.setenv("POLYNB_STUDENT", "ada")
    assert labs.exercise("lab1.stride").student == "ada"
    assert labs.exercise("lab1.stride", student="").student == ""


@pytest.mark.long
def test_what_is_said_ends_with_the_next_line_to_type(triangle):
    from polynb.show import mimebundle

    wrong = mimebundle(labs.check(triangle, SQUARE))
    right = mimebundle(labs.check(triangle, triangle._right[0]))
    assert wrong["text/plain"].endswith('next: labs.hint("lab1.triangle")')
    assert right["text/plain"].endswith('next: labs.exercise("lab1.hole")')
    assert "labs.hint(&quot;lab1.triangle&quot;)" in wrong["text/html"]
    last = labs.exercise(labs.exercises()[-1], student="")
    assert mimebundle(labs.check(last, last._right[0]))["text/plain"].endswith("labs.exercises()")


def test_the_display_of_an_exercise_does_not_tell(triangle):
    from polynb.show import mimebundle

    shown = mimebundle(triangle)
    for answer in triangle._right:
        assert answer not in shown["text/plain"] + repr(triangle)
    assert 'labs.check("lab1.triangle", triangle_answer)' in shown["text/plain"]


def test_what_many_believe_is_a_table():
    rows = labs.misconceptions(1).rows
    assert {r[0] for r in rows} == set(labs.exercises(1))
    assert len(labs.misconceptions().rows) > 5 * len(labs.exercises())
    assert all(r[2].endswith("?") for r in rows)
    with pytest.raises(PolynbError):
        labs.misconceptions(77)


def test_a_wrong_set_has_at_most_half_of_the_points(triangle):
    almost = f"{triangle._right[0]} ".replace("}", "and i != 3 }")
    found = labs.check(triangle, almost)
    assert 0 < found.points <= triangle.points / 2


def test_a_name_is_the_same_in_capitals():
    for name in ("lab1.triangle", "lab1.stride"):
        ada, other = (labs.exercise(name, student=s) for s in ("ada", "Ada "))
        assert (ada.program, ada.text) == (other.program, other.text)


def test_an_exercise_is_drawn_by_its_program(triangle):
    with pytest.raises(PolynbError, match=r"its program, \.scop"):
        pn.draw(triangle)
    assert pn.draw(triangle.scop)


@pytest.mark.long
def test_an_interrupt_is_one_where_nobody_says_that_a_copy_has_ended(monkeypatch):
    """macOS has no `waitid` before Python 3.13."""
    monkeypatch.delattr(os, "waitid")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # pytest-xdist ignores it

    def interrupts():
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(20)
        return b""

    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            apart(interrupts, 30.0)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 10
