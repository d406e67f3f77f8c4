"""Points as a gradebook takes them: a student a line, and the worksheets of Moodle and Canvas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.catalogue import exercise, exercises
from polynb.labs.grading.names import number_of
from polynb.labs.grading.tables import Grade, cell_text, no_formula, points_text
from polynb.labs.variants import one_spelling
from polynb.words import counted

GRADE: Final = "Grade"
MOST: Final = "Maximum Grade"
FEEDBACK: Final = "Feedback comments"
CANVAS: Final = "ID"
POSSIBLE: Final = "Points Possible"
"""What Moodle and Canvas call their columns; the last one begins a line."""


def wide(grades: Sequence[Grade]) -> str:
    """A line for each student: the points of each exercise, of each lab, and what was odd."""
    heads = ["student"]
    labs = list(dict.fromkeys(g.lab for g in grades))
    names = {lab: list(dict.fromkeys(g.exercise for g in grades if g.lab == lab)) for lab in labs}
    for lab in labs:
        heads += [*names[lab], lab, f"{lab} of"]
    out = io.StringIO()
    to = csv.writer(out, lineterminator="\n")
    to.writerow([*heads, "odd"])
    for student in dict.fromkeys(g.student for g in grades):
        own = {g.exercise: g for g in grades if g.student == student}
        row = [cell_text(student)]
        for lab in labs:
            mine = [own[n] for n in names[lab] if n in own]
            row += [points_text(own[n]) if n in own else "" for n in names[lab]]
            row += [_sum(mine), str(sum(g.of for g in mine) or "")]
        troubles = dict.fromkeys(t for g in own.values() for t in g.troubles)
        to.writerow([*row, cell_text("; ".join(troubles))])
    return out.getvalue()


def _sum(grades: Iterable[Grade]) -> str:
    """The points of a lab; nothing where there is a question, or no notebook."""
    points = [g.points for g in grades]
    known = [p for p in points if p is not None]
    return f"{round(sum(known), 1):g}" if known and len(known) == len(points) else ""


@dataclass(frozen=True)
class Worksheet:
    """A file that Moodle (*Download grading worksheet*) or Canvas (*Export*) gives: its lines, and
    the numbers of the columns that hold whose a line is, and the grade."""

    path: Path
    rows: tuple[tuple[str, ...], ...]
    delimiter: str
    key: int
    grade: int

    @property
    def target(self) -> Path:
        """Where the one with grades goes: beside it."""
        return self.path.with_name(f"{self.path.stem}.graded{self.path.suffix}")


def read_worksheet(path: Path, column: str | None = None) -> Worksheet:
    """The worksheet in a file. Its grades are in the column `column` (or in the only one that
    begins so), or in `Grade`. Raises PolynbError for another file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)]
    except (OSError, ValueError, csv.Error) as error:
        raise PolynbError(f"{path} cannot be read", reason=str(error)) from None
    heads = rows[0] if rows else []
    found = [k for k, h in enumerate(heads) if h == (column or GRADE)]
    found = found or [k for k, h in enumerate(heads) if column and h.startswith(column)]
    if len(found) != 1:
        known = ", ".join(h for h in heads if h) or "nothing"
        raise PolynbError(
            f"{path}: which of its columns is for the grade?",
            reason=f"it has {known}",
            hint="--column and its name",
        )
    key = heads.index(CANVAS) if CANVAS in heads else 0
    whole = tuple(tuple(row + [""] * (len(heads) - len(row))) for row in rows)
    return Worksheet(path, whole, delimiter, key, found[0])


def filled(worksheet: Worksheet, grades: Sequence[Grade]) -> tuple[str, list[str]]:
    """The worksheet with the grades of one lab in it, as text; and whom it has no line for, or no
    grade yet. A line belongs to the student whose number the folder (or file) has, else to the one
    whose name (or account, or address) it names."""
    rows, left = [list(r) for r in worksheet.rows], []
    for student in dict.fromkeys(g.student for g in grades):
        mine = [g for g in grades if g.student == student]
        lines = _lines(worksheet, mine[0])
        points = _sum(mine)
        if len(lines) != 1:
            left.append(f"{cell_text(student)}: {counted(len(lines), 'line')} in {worksheet.path}")
        elif not points:
            left.append(f"{cell_text(student)}: no grade yet, for there is a question")
        else:
            _fill(rows[lines[0]], worksheet, points, mine)
    out = io.StringIO()
    csv.writer(out, delimiter=worksheet.delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue(), left


def _fill(row: list[str], worksheet: Worksheet, points: str, grades: Sequence[Grade]) -> None:
    heads = worksheet.rows[0]
    row[worksheet.grade] = points
    if FEEDBACK in heads:  # Moodle shows it as a page
        said = "\n".join([*grades[0].troubles, *(g.said for g in grades)])
        row[heads.index(FEEDBACK)] = no_formula(escape(said, quote=False).replace("\n", "<br>"))


def _lines(worksheet: Worksheet, grade: Grade) -> list[int]:
    """The numbers of a student's lines."""
    number = number_of(grade.called)
    lines = list(enumerate(worksheet.rows))[1:]
    if number is not None:
        numbered = [k for k, row in lines if _number(row[worksheet.key]) == number]
        if numbered:
            return numbered
    wanted = {one_spelling(n) for n in (grade.student, grade.called) if n}
    return [k for k, row in lines if wanted & set(_called(row))]


def _number(text: str) -> str | None:
    """`123`, of `Participant 123`."""
    found = re.search(r"(\d+)\s*$", text)
    return found[1] if found else None


def _called(row: Sequence[str]) -> Iterator[str]:
    """What a line may call its student, also Ada Lovelace for `Lovelace, Ada`, ada for `ada@x`."""
    for cell in row:
        yield one_spelling(cell)
        last, comma, first = cell.partition(", ")
        if comma:
            yield one_spelling(f"{first} {last}")
        account, at, _ = cell.partition("@")
        if at:
            yield one_spelling(account)


def refuse_unfit(worksheet: Worksheet, labs: Collection[str]) -> None:
    """Raises PolynbError for several labs, and for a worksheet that is for another number of points
    than the lab has."""
    if len(labs) != 1:
        raise PolynbError(
            f"{worksheet.path} is for one lab, and these are {', '.join(sorted(labs))}",
            hint="a folder, and a worksheet, for each",
        )
    of = sum(exercise(n, student="").points for lab in labs for n in exercises(lab))
    heads = worksheet.rows[0]
    lines = worksheet.rows[1:]
    most = [r[heads.index(MOST)] for r in lines] if MOST in heads else []
    most += [r[worksheet.grade] for r in lines if r[0].strip() == POSSIBLE]
    for text in most:
        if re.fullmatch(r"\s*\d+([.,]\d+)?\s*", text) and float(text.replace(",", ".")) != of:
            raise PolynbError(
                f"{worksheet.path} is for {text.strip()} points, and the lab has {of}",
                hint=f"set the assignment's maximum to {of}, and download it again",
            )
