"""What a teacher wants to know of the exercises: what many believe, and what to ask then."""

from __future__ import annotations

from polynb.labs.catalogue import exercise, exercises
from polynb.tuning.tables import Table


def misconceptions(lab: int | None = None) -> Table:
    """Of the exercises of one lab, or of all: what many believe, and a question that helps. The
    wrong answer that comes of it, with the numbers of the notebooks' solutions, is
    `labs.exercise(name).misconceptions[k].answer`. Raises PolynbError for a lab that there is not.
    """
    rows = [
        (name, m.name, m.ask)
        for name in exercises(lab)
        for m in exercise(name, student="").misconceptions
    ]
    heads = ("exercise", "what many believe", "what to ask then")
    return Table(heads, rows, left=heads)
