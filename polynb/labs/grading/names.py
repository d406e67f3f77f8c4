"""Whose submission it is: what folders and files are called, and the name that draws numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.variants import one_spelling

HEAD: Final = ["submission", "student"]
_MOODLE: Final = re.compile(
    r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?"
)
_CANVAS: Final = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d+)_\d+_.+")


def student_of(called: str, names: Mapping[str, str]) -> str:
    """The student of a folder or a file: whom a line of `names` says; of Moodle's folders, `Ada
    Lovelace_123_assignsubmission_file`, and of Canvas's files, `lovelaceada_123_4567_lab_01`, the
    name in front; else what it is called."""
    given = names.get(one_spelling(called))
    if given is not None:
        return given
    found = _given_out(called)
    return found["name"] if found else called


def shown_as(called: str, names: Mapping[str, str]) -> str:
    """What a table calls the student: the name that Moodle or Canvas gives, else the one that a
    line of `names` says, if it says one."""
    found = _given_out(called)
    return found["name"] if found else names.get(one_spelling(called)) or called


def number_of(called: str) -> str | None:
    """The number that Moodle or Canvas gives the student of a folder or a file."""
    found = _given_out(called)
    return found["number"] if found else None


def _given_out(called: str) -> re.Match[str] | None:
    return _MOODLE.fullmatch(called) or _CANVAS.fullmatch(called)


def read_names(path: Path) -> dict[str, str]:
    """The lines `submission,student` of a file: a folder's (or file's) name, and the name that its
    student wrote into ME. Raises PolynbError for another file, and for two lines of one folder."""
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, ValueError, csv.Error) as error:
        raise PolynbError(f"{path} cannot be read", reason=str(error), hint=_example()) from None
    rows = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if not rows or rows[0] != HEAD:
        raise PolynbError(f"{path} does not begin with {','.join(HEAD)}", hint=_example())
    found: dict[str, str] = {}
    for row in rows[1:]:
        if len(row) != len(HEAD):
            raise PolynbError(f"{path}: {','.join(row)} is no line of it", hint=_example())
        if found.setdefault(one_spelling(row[0]), row[1]) != row[1]:
            raise PolynbError(f"{path} has two lines for {row[0]}", hint="leave one of them")
    return found


def line_for(called: str, student: str) -> str:
    """A line of such a file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([called, student])
    return out.getvalue()


def _example() -> str:
    return f"{','.join(HEAD)}, and then a line for each: {line_for('folder_17', 'Ada Lovelace')}"
