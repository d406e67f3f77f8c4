"""What students have: points, as a table to look at, and as a file for a spreadsheet."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from polynb.tuning.tables import aligned


@dataclass(frozen=True)
class Grade:
    """What one student has of one exercise; no `points` are a question. `said` is the checker's
    word on the answer; `troubles` are those of the whole notebook (a cell that was stopped, another
    student's name in it). `called` is the folder, or the file, that it was in."""

    student: str
    exercise: str
    points: float | None
    of: int
    said: str
    troubles: tuple[str, ...] = ()
    called: str = ""

    @property
    def lab(self) -> str:
        return self.exercise.partition(".")[0]


def table(grades: Sequence[Grade]) -> str:
    """A line for each student and lab, a column for each exercise, and what was odd."""
    blocks = []
    for lab in dict.fromkeys(g.lab for g in grades):
        of_lab = [g for g in grades if g.lab == lab]
        names = list(dict.fromkeys(g.exercise for g in of_lab))
        rows = [["student", *(n.partition(".")[2] for n in names), "points"]]
        odd = []
        for student in dict.fromkeys(g.student for g in of_lab):
            own = {g.exercise: g for g in of_lab if g.student == student}
            most = sum(g.of for g in own.values())
            known = [g.points for g in own.values() if g.points is not None]
            total = f"{sum(known):g}" if known else "?"
            points = [points_text(own[n]) or "?" for n in names]
            rows.append([_clean(student), *points, f"{total} of {most}"])
            odd += [f"{_clean(student)}: {_clean(t)}" for t in next(iter(own.values())).troubles]
        blocks.append("\n".join([lab, aligned(rows[0], rows[1:]), *odd]))
    return "\n\n".join(blocks)


HEAD: Final = ("student", "exercise", "points", "of", "said", "odd")


def as_csv(grades: Sequence[Grade], head: bool = True) -> str:
    """A line for each student and exercise: student, exercise, points, of, what was said of it."""
    out = io.StringIO()
    to = csv.writer(out, lineterminator="\n")
    if head:
        to.writerow(HEAD)
    for g in grades:
        texts = (g.student, g.exercise), (g.said, "; ".join(g.troubles))
        first, last = ([cell_text(t) for t in part] for part in texts)
        to.writerow([*first, points_text(g), g.of, *last])
    return out.getvalue()


def points_text(grade: Grade) -> str:
    return "" if grade.points is None else f"{grade.points:g}"


def cell_text(text: str) -> str:
    """A line of text that no spreadsheet takes for a formula."""
    return no_formula(_clean(text))


def no_formula(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _clean(text: str) -> str:
    """On one line, without what would steer a terminal, an accent with its letter."""
    text = unicodedata.normalize("NFC", text)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
