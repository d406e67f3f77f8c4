"""From submissions to points."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from polynb.labs.answers import answer_name, sizes_for
from polynb.labs.catalogue import exercise, exercises
from polynb.labs.grading.judging import JudgedAnswer, judged
from polynb.labs.grading.names import line_for
from polynb.labs.grading.running import GradingLimits, HandedIn, refuse_limits, run
from polynb.labs.grading.submissions import Submission, submissions
from polynb.labs.grading.tables import Grade
from polynb.labs.variants import one_spelling

KEY = "POLYNB_GRADING_SEED"


def grade(
    paths: Iterable[Path],
    *,
    lab: int | str | None = None,
    same: bool = False,
    names: Mapping[str, str] | None = None,
    limits: GradingLimits | None = None,
    told: Callable[[Submission], None] = lambda submission: None,
) -> list[Grade]:
    """The points of all submissions in files and folders, in each exercise of their labs:
    those of `graded`, all at once."""
    return [
        g
        for grades in graded(paths, lab=lab, same=same, names=names, limits=limits, told=told)
        for g in grades
    ]


def graded(
    paths: Iterable[Path],
    *,
    lab: int | str | None = None,
    same: bool = False,
    names: Mapping[str, str] | None = None,
    limits: GradingLimits | None = None,
    told: Callable[[Submission], None] = lambda submission: None,
) -> Iterator[list[Grade]]:
    """The points of each submission in files and folders, one after the other.

    Each notebook is run within `limits`, in a process of its own; its answers come back as data,
    and are judged here. Each student has the numbers of the name that the file or its folder bears,
    or, with `same`, all have those of the notebooks' solutions. Hidden sizes are drawn with the key
    in POLYNB_GRADING_SEED, or with a new one. Where the notebook bears another name, there are no
    points but a question, which a line of `names` answers. Raises PolynbError for what
    `submissions` refuses.
    """
    within = limits or GradingLimits()
    refuse_limits(within)
    paths = list(paths)
    hidden = [p if p.is_dir() else p.parent for p in paths]
    with _key():
        for submission in submissions(paths, lab, names):
            told(submission)
            yield _grades(submission, "" if same else submission.numbers, within, hidden)


@contextmanager
def _key() -> Iterator[None]:
    """A key for hidden sizes, for as long as it takes."""
    if os.environ.get(KEY):
        yield
        return
    os.environ[KEY] = secrets.token_hex(16)
    try:
        yield
    finally:
        del os.environ[KEY]


def _grades(
    submission: Submission, student: str, limits: GradingLimits, hidden: Iterable[Path]
) -> list[Grade]:
    names = exercises(submission.lab)
    wanted = {answer_name(n): sizes_for(exercise(n, student=student)) for n in names}
    if submission.trouble:
        made = HandedIn({}, troubles=(submission.trouble,))
    else:
        made = run(submission, wanted, limits, hidden)
    me, troubles = made.me, made.troubles
    if me is not None and one_spelling(me) != one_spelling(student):
        said = f"the notebook says ME = {me[:40]!r}"
        if not submission.mapped:
            return _asked(submission, me[:40], names, (said, *troubles))
        troubles = (said, *troubles)
    grades = []
    for name in names:
        j: JudgedAnswer = judged(name, student, made.answers.get(answer_name(name)))
        told = (j.points, j.of, j.said, troubles, submission.called)
        grades.append(Grade(submission.student, name, *told))
    return grades


def _asked(
    submission: Submission, me: str, names: Iterable[str], troubles: tuple[str, ...]
) -> list[Grade]:
    """No points, but a question: the numbers of which name are these answers for?"""
    told = "whose numbers are these? A line of --names says it: "
    question = f"{told}{line_for(submission.called, me)}"
    return [
        Grade(
            submission.student,
            name,
            None,
            exercise(name).points,
            question,
            (*troubles, question),
            submission.called,
        )
        for name in names
    ]
