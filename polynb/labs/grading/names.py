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
_MOODLE: Final = re.compile(r"(?P<name>.+?)_\d+_assignsubmission_(?:file|onlinetext)(?:_.*)?")


def student_of(called: str, names: Mapping[str, str]) -> str:
    """The student of a folder or a file: whom a line of `names` says; of Moodle's folders, `Ada
    Lovelace_123_assignsubmission_file`, the name in front; else what it is called."""
    given = names.get(one_spelling(called))
    if given is not None:
        return given
    moodle = _MOODLE.fullmatch(called)
    return moodle["name"] if moodle else called


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
