"""What copying is worth: how many variants an exercise has, and what a classmate's answer earns.

A variant is what one student is asked: the text, the program, and what judges the answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from polynb.labs.catalogue import exercise, exercises
from polynb.labs.checking import check
from polynb.labs.exercise import Exercise
from polynb.labs.tasks.programs import as_program, same
from polynb.labs.tasks.times import TimeTask
from polynb.scop import parse
from polynb.tuning.tables import Table

STUDENTS: Final = 300
PAIRS: Final = 20


@dataclass(frozen=True)
class Variety:
    """Of one exercise, in a class: its variants, the share of pairs of students who have the same
    one (`alike`), and the share of the points that a classmate's answer earns on average."""

    exercise: str
    variants: int
    alike: Fraction
    copied: Fraction


def varieties(
    names: Iterable[str] | None = None, students: int = STUDENTS, pairs: int = PAIRS
) -> Iterator[Variety]:
    """The variety of these exercises, or of all, in a class of made-up names. Who has the same
    variant is counted; of those who have not, some pairs are drawn and judged. Raises PolynbError
    for an unknown exercise."""
    for name in exercises() if names is None else names:
        yield _variety(name, students, pairs)


def _variety(name: str, students: int, pairs: int) -> Variety:
    class_ = [exercise(name, student=f"student {k}") for k in range(students)]
    asked = [(e.text, e.program, repr(e._task)) for e in class_]
    found = {variant: asked.count(variant) for variant in dict.fromkeys(asked)}
    others = [n * (n - 1) for n in found.values()]
    alike = Fraction(sum(others), students * (students - 1))
    draw = random.Random(name)
    earned: list[Fraction] = []
    while len(found) > 1 and len(earned) < pairs:
        mine, other = draw.sample(range(students), 2)
        if asked[mine] != asked[other]:
            earned.append(_earned(class_[mine], class_[other]._right[0]))
    rest = sum(earned, Fraction(0)) / max(len(earned), 1)
    return Variety(name, len(found), alike, alike + (1 - alike) * rest)


def _earned(of: Exercise, answer: object) -> Fraction:
    """The share of the points that an answer earns. Times are not taken: a program that computes
    the same counts as fast."""
    if isinstance(of._task, TimeTask):
        given = as_program(answer)
        asked = of._task.chosen(given)
        return Fraction(asked is not None and same(parse(asked.program), given)[1] is None)
    return Fraction(check(of, answer).points) / of.points


def copying_table(found: Iterable[Variety]) -> Table:
    """What a classmate's answer earns, by exercise, and on average."""
    rows = list(found)
    mean = sum((v.copied for v in rows), Fraction(0)) / max(len(rows), 1)
    lines = [(v.exercise, f"{float(v.copied):.0%}") for v in rows]
    return Table(
        ("exercise", "a classmate's answer earns"), [*lines, ("all", f"{float(mean):.0%}")]
    )


def variants_table(found: Iterable[Variety]) -> Table:
    """How many variants there are, by exercise, and how often two students have the same one."""
    heads = ("exercise", "variants", "two students have the same")
    return Table(heads, [(v.exercise, v.variants, f"{float(v.alike):.0%}") for v in found])
