"""Every exercise: right answers, differently written, and wrong ones, among them what is often
believed; all judged rightly, for several students, and every witness is replayed."""

import contextlib
import os
import re

import pytest

from polynb import isl, labs
from polynb.errors import PolynbError
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.times import TimeTask
from polynb.labs.tasks.values import ValuesTask

from .replays import replay, replay_claim

STUDENTS = ("", "ada", "grace", "edsger")
LARGE = "POLYNB_LARGE" in os.environ


def named(exercise):
    return f"{exercise.name}-{exercise.student or 'notebook'}"


def asked(name, student):
    """What measures times, and most students' numbers, are among the long tests."""
    exercise = labs.exercise(name, student=student)
    long = student not in STUDENTS[:2] or isinstance(exercise._task, TimeTask)
    return pytest.param(exercise, id=named(exercise), marks=[pytest.mark.long] * long)


EVERY = [
    asked(name, s)
    for name in labs.exercises()
    for s in STUDENTS
    if not (s and isinstance(labs.exercise(name)._task, TimeTask))
]


@pytest.mark.parametrize("exercise", EVERY)
def test_right_answers_are_right(exercise):
    assert len(set(map(str, exercise._right))) >= 3
    for answer in exercise._right:
        found = labs.check(exercise, answer)
        assert found, str(found)
        assert found.points == exercise.points
        assert not found.findings
        assert not found.shown.endswith("."), "a clause, of which the display makes a sentence"
        if isinstance(exercise._task, RefusalTask) and exercise._task.kind:
            replay_claim(exercise._task, answer)


@pytest.mark.parametrize("exercise", EVERY)
def test_wrong_answers_are_wrong_and_their_witnesses_true(exercise):
    assert len({str(m.answer) for m in exercise.misconceptions}) >= 5
    for m in exercise.misconceptions:
        found = labs.check(exercise, m.answer)
        assert not found, m.name
        assert found.points < exercise.points
        assert found.findings
        assert "syntax error" not in str(found)
        for finding in found.findings:
            if finding.witness is not None and not isinstance(exercise._task, RefusalTask):
                replay(exercise._task, m.answer, finding)
        if isinstance(exercise._task, RefusalTask) and found.witness is not None:
            with pytest.raises((AssertionError, KeyError)):
                replay_claim(exercise._task, m.answer)
        if isinstance(exercise._task, SetTask):
            assert found.witness is not None or "^" in str(found), f"{m.name}: {found}"


@pytest.mark.parametrize("name", labs.exercises())
def test_students_have_numbers_of_their_own(name):
    """Or an exercise has none to draw, and says the same to all."""
    texts = {str(labs.exercise(name, student=f"student {k}")) for k in range(30)}
    assert len(texts) == 1 or len(texts) >= 2
    first = labs.exercise(name, student="ada")
    again = labs.exercise(name, student="ada")
    assert str(first) == str(again)
    assert [r for r in first._right if not callable(r)] == [
        r for r in again._right if not callable(r)
    ]


@pytest.mark.parametrize("name", labs.exercises())
def test_the_program_and_the_hints_do_not_hold_the_answer(name):
    exercise = labs.exercise(name)
    assert len(exercise.hints) == 3
    assert exercise.hints[-1].startswith("read lesson")
    if isinstance(exercise._task, ValuesTask):
        return  # its words are what can be chosen
    for answer in exercise._right:
        if isinstance(answer, str) and len(answer) > 8:
            told = "\n".join((str(exercise), *exercise.hints, repr(exercise)))
            assert answer not in told


@pytest.mark.parametrize("name", labs.exercises())
def test_a_hint_names_instances_that_run(name):
    """A hint about S(2) is no help where the loop begins at 3."""
    for student in ("", *(f"student{n}" for n in range(12 if LARGE else 4))):
        exercise = labs.exercise(name, student=student)
        try:
            statements = exercise.scop.by_name
        except PolynbError:
            return  # there is no program
        for hint in exercise.hints:
            for of, numbers in re.findall(r"\b([A-Z]\w?)\((\d+(?:, ?\d+)*)\)", hint):
                if of not in statements:
                    continue
                ran = statements[of].domain.intersect_params(exercise.scop.assumed)
                for at, number in enumerate(numbers.split(",")):
                    ran = ran.fix_val(isl.SET, at, isl.Val(int(number)))
                assert not ran.is_empty(), f"{of}({numbers}) does not run for {student!r}"


@pytest.mark.parametrize("name", labs.exercises())
def test_what_completion_shows_does_not_hold_the_answer(name):
    exercise = labs.exercise(name)
    shown = {}
    for attribute in [a for a in dir(exercise) if not a.startswith("_")]:
        with contextlib.suppress(PolynbError):  # there is no program, or no order
            shown[attribute] = getattr(exercise, attribute)
    assert not {"right", "task"} & shown.keys()
    if isinstance(exercise._task, ValuesTask):
        return  # its words are what can be chosen
    told = "\n".join(str(value) for a, value in shown.items() if a != "misconceptions")
    for answer in exercise._right:
        if isinstance(answer, str) and len(answer) > 8:
            assert answer not in told
        assert not any(value is answer or value == answer for value in shown.values())
