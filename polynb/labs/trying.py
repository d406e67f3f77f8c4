"""A try of exercises, as a teacher would: every right answer is right, every wrong one is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.catalogue import exercise
from polynb.labs.checking import check
from polynb.labs.tasks.times import TimeTask
from polynb.words import counted

STUDENTS: Final = ("", *(f"student {k}" for k in range(1, 21)))
"""The numbers of the solutions, and those of twenty."""


def tried(name: str) -> tuple[str, list[str]]:
    """What was tried of an exercise, in a sentence, and what is not as it should be. Raises
    PolynbError for an exercise that cannot be read."""
    asked = [exercise(name, student=s) for s in STUDENTS]
    variants = len({(e.text, e.program, repr(e._task)) for e in asked})
    right, wrong = len(asked[0]._right), len(asked[0].misconceptions)
    said = f"{counted(right, 'right answer')}, {counted(wrong, 'wrong one')}, "
    said += f"{counted(variants, 'variant')} among {len(STUDENTS)} students"
    return f"{name}: {said}", list(_complaints(name))


def _complaints(name: str) -> Iterator[str]:
    """Each thing that is wrong, of the first student where it is."""
    told: set[str] = set()
    for student in STUDENTS:
        of = exercise(name, student=student)
        if isinstance(of._task, TimeTask):
            return  # it is worth what it measures
        for k, answer in enumerate(of._right, 1):
            found = check(of, answer)
            if not found and f"right {k}" not in told:
                told.add(f"right {k}")
                yield f"student {student!r}: right answer {k}, {answer!r}: {found}"
        for m in of.misconceptions:
            if check(of, m.answer) and m.name not in told:
                told.add(m.name)
                yield f"student {student!r}: right, though {m.name!r}: {m.answer!r}"


def try_all(names: Iterable[str]) -> Iterator[str]:
    """A line for each exercise, and one for each thing that is wrong. Raises PolynbError in the
    end if there was one."""
    wrong = 0
    for name in names:
        said, complaints = tried(name)
        wrong += len(complaints)
        yield "\n  ".join([said, *complaints])
    if wrong:
        raise PolynbError(f"{counted(wrong, 'thing')} to mend", hint="right, wrong, [task]")
