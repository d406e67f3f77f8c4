"""Exercises that had another name before: labs have got the numbers of their lessons.

The file of such a lab says what it `was`, and which exercises are `new`. The old name draws the
numbers still, so that answers to the exercises stay right; but who asks for `lab7.anti` is told
what it is called now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from polynb.errors import PolynbError
from polynb.labs.folders import LAB, own_folders, table

WHY = "labs have the numbers of their lessons"


def now_called(labs: Iterable[str]) -> Mapping[str, str]:
    """What exercises were called, and what they are called now: `{"lab7.anti": "lab8.anti"}`."""
    sheets = {lab: table(f"{lab}/{LAB}") for lab in labs}
    return {
        f"{was}.{own}": f"{lab}.{own}"
        for lab, found in sheets.items()
        if (was := found.get("was")) is not None
        for own in found.get("exercises", ())
        if own not in (*sheets.get(was, {}).get("exercises", ()), *found.get("new", ()))
    }


def refuse_moved_files(labs: Iterable[str]) -> None:
    """Raises PolynbError for a file of a teacher's own that changes an exercise by the name that it
    had: it would change nothing."""
    for folder in own_folders():
        for before, now in now_called(labs).items():
            if _file(folder, before).is_file():
                raise PolynbError(
                    f"{_file(folder, before)} changes nothing: {before} is {now} now",
                    reason=WHY,
                    hint=f"move it to {_file(folder, now)}",
                )


def _file(folder: Path, exercise: str) -> Path:
    lab, _, own = exercise.partition(".")
    return folder / lab / f"{own}.toml"
