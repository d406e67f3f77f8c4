"""Kinds of answers: functions that do not end, times, students who claim too much."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from polynb import labs
from polynb.labs.tasks.functions import FunctionTask, called
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.times import TimeTask

from .walker import walk


@pytest.fixture
def cells():
    return labs.exercise("lab8.cells", student="")


RIGHT = labs.exercise("lab8.cells", student="")._task.right


def endless(N):
    while True:
        pass


def deep(N):
    return deep(N)


def rude(N):
    os._exit(0)


def killed(N):
    os.kill(os.getpid(), 9)


def loud(N):
    print("x" * 100_000)
    return RIGHT(N)


def stubborn(N):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("function", "said"),
    [
        (endless, "took more than 2 seconds"),
        (stubborn, "took more than 2 seconds"),
        (rude, "ended the process"),
        (killed, "ended the process"),
        (deep, "RecursionError"),
        (lambda N: 1 / 0, "it raises ZeroDivisionError"),
        (lambda N: None, "it gives None: has it a `return`?"),
        (lambda N: "many", "many"),
        (lambda N: True, "True"),
        (lambda N: 10**100, "or more"),
        (lambda: 3, "TypeError"),
        (lambda N: N * N + 0.5, "1.5"),
    ],
)
def test_a_function_that_fails_is_worth_nothing(cells, function, said):
    begun = time.monotonic()
    found = labs.check(cells, function)
    assert found.points < cells.points / 2
    assert said in str(found)
    assert time.monotonic() - begun < 4


def test_what_a_function_prints_does_not_disturb(cells, capfd):
    assert labs.check(cells, loud)
    assert capfd.readouterr().out == ""


def test_a_function_does_nothing_here():
    seen = []
    assert called(lambda n: seen.append(n) or n, [(1,), (2,)]) == [1, 2]
    assert seen == []


def test_hidden_sizes_are_the_teachers_and_not_said(cells, monkeypatch):
    known = {n: RIGHT(n) for n in range(1, 6)}
    found = labs.check(cells, lambda N: known.get(N, 0))
    assert not found
    assert found.witness is None
    assert str(found).endswith("right for the smallest sizes, not for a larger one")
    task = cells._task
    before = task._hidden()
    monkeypatch.setenv("POLYNB_GRADING_SEED", "a secret")
    assert task._hidden() != before
    assert isinstance(task, FunctionTask)
    assert all(str(n[0]) not in str(found) for n in before)


def test_the_cells_that_lab_8_asks_for_are_the_values_that_wait(cells):
    for n in range(1, 6):
        events = walk(cells.program, {"N": n}).events
        assert cells._task.right(n) == sum(e.instance[0] == "S1" for e in events)


def test_times_are_compared_only_of_what_is_right():
    beat = labs.exercise("lab5.beat", student="")
    assert isinstance(beat._task, TimeTask)
    found = labs.check(beat, beat.misconceptions[2].answer)
    assert "not the same results" in str(found)
    assert found.points == 0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (3, "the answer must be a text"),
        ("write S(0)", "does not say the role read"),
        ("write S(3), read T(3, 0), other S(4)", "does not say the parameter N"),
        ("write S(0), read Q(0), other S(1), N = 1", "there is no statement Q"),
        ("write S(0), reads T(0), other S(1), N = 1", "there is no role reads"),
        ("write S(3), read T(3, 0), other S(4), M = 1", "there is no parameter M"),
        ("write S(0, 0), read T(0), other S(1), N = 1", "S stands in 1 loop"),
        ("write S(0) or so", "this names no instance and no size"),
        ("write S(0) read T(0), other S(1), N = 1", "has no comma"),
        ("write S(3), read T(3, 0), other S(4), N = 99999999", "a large example"),
        ("write S(3), read T(3, 0), other S(4), N = -4", "S(3) does not run"),
    ],
)
def test_a_claim_that_cannot_be_read_gets_its_place(answer, said):
    found = labs.check("lab4.one_cell", answer)
    assert not found
    assert said in str(found)


@pytest.mark.parametrize("answer", ["garbage", "param N;", "for", 3, "param N; x = y"])
def test_a_program_that_cannot_be_read_is_said(answer):
    found = labs.check("lab6.repair", answer)
    assert found.points == 0
    assert found.findings


def test_a_derivation_is_an_answer():
    import polynb as pn

    by_hand = labs.exercise("lab6.by_hand", student="")
    assert labs.check(by_hand, pn.propagate(by_hand.scop))
    assert not labs.check(by_hand, by_hand.scop)


@pytest.mark.long
def test_moves_are_an_order():
    import polynb as pn

    for student in ("", "ada", "grace", "edsger"):
        exercise = labs.exercise("lab2.interchange", student=student)
        chain = pn.transform(exercise.scop).interchange("i", "j")
        assert bool(labs.check(exercise, chain)) == ("rises" in exercise.text)
        assert not labs.check(exercise, exercise.scop)
    fuse = labs.exercise("lab2.fuse", student="")
    assert labs.check(fuse, pn.transform(fuse.scop).fuse("S.i", "T.i"))


def test_the_sheets_agree_with_the_passes():
    """What students are told is what polynb's passes find."""
    import polynb as pn

    for student in ("", "ada", "grace"):
        for name in ("lab6.intermediate", "lab6.overwritten"):
            exercise = labs.exercise(name, student=student)
            found = pn.analyze(exercise.scop)
            (edge,) = found.flow("tmp").edges
            (operand,) = pn.reload_test(found, edge).operands
            given = operand.piw["S"] if name.endswith("intermediate") else operand.overwritten
            given = given.intersect_params(exercise.scop.assumed)
            assert labs.check(exercise, given), labs.check(exercise, given)
        for name, array in (("lab3.values", "t"), ("lab3.overwritten", "A"), ("lab3.sweep", "A"),
                            ("lab3.carried", "A"), ("lab9.distances", "A")):  # fmt: skip
            exercise = labs.exercise(name, student=student)
            edges = pn.analyze(exercise.scop).flow(array).edges
            asked = [e for e in edges if e.source != "R"]  # what a scalar begins with
            union = asked[0].relation.to_union_map()
            for e in asked[1:]:
                union = union.union(e.relation.to_union_map())
            found = labs.check(exercise, union.intersect_params(exercise.scop.assumed))
            assert found, f"{name}: {found}"
        for name in labs.exercises():
            exercise = labs.exercise(name, student=student)
            kind = getattr(exercise._task, "kind", "")
            if name.startswith("lab4") and isinstance(exercise._task, RefusalTask):
                verdict = pn.check(exercise.scop, exercise._task.schedule)
                assert bool(verdict) == (kind is None), name
                assert kind is None or kind in {c.kind for c in verdict.conflicts}


def test_no_file_is_left(cells, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    labs.check(cells, lambda N: N)
    assert list(Path(tmp_path).iterdir()) == []


def test_values_without_names_are_told_the_form():
    found = labs.check(labs.exercise("lab1.count", student=""), 10)
    assert "must be values by name, not 10" in str(found)
    assert 'try: {"S": ..., "T": ...}' in str(found)


def test_numbers_without_an_end_are_no_instance():
    """Nor do they take long: each can be read in one way."""
    assert not labs.check("lab6.witness", "write S(" + "1" * 60)
