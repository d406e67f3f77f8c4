"""Submissions: whose notebook is about which lab."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.catalogue import LABS
from polynb.labs.copies import read
from polynb.labs.grading.names import student_of
from polynb.labs.variants import one_spelling

LARGEST: Final = 20_000_000
"""Bytes of a notebook."""
_IN_NAME: Final = re.compile(r"lab_?0*(\d{1,3})(?!\d)", re.IGNORECASE)
_IN_CELL: Final = re.compile(r"labs\.exercise\(\s*[\"']lab(\d{1,3})\.")


@dataclass(frozen=True)
class Submission:
    """A student's notebook: its code, or what is wrong with the file. `called` is its folder, or
    the file; `mapped`: the teacher has said whose that is."""

    student: str
    lab: int
    path: Path
    cells: tuple[str, ...] = field(repr=False, default=())
    trouble: str = ""
    called: str = ""
    mapped: bool = False


def submissions(
    paths: Iterable[Path], lab: int | None = None, names: Mapping[str, str] | None = None
) -> list[Submission]:
    """The submissions in files and folders: `ada.ipynb` is Ada's, and so is what stands in a folder
    `ada/`, or in one as Moodle calls them; `names` says of others whose they are (`read_names`).
    What a notebook says itself of whose it is does not count.

    The lab is `lab`, or the one in the file's name (`lab_01_sets.ipynb`), or the one whose
    exercises the cells name. Raises PolynbError for what holds no notebook, for a notebook whose
    lab is not to be seen, and for two of one student and lab.
    """
    found: dict[tuple[str, int], Submission] = {}
    for path in paths:
        for called, file in _files(path):
            made = _submission(called, file, lab, names or {})
            other = found.setdefault((one_spelling(made.student), made.lab), made)
            if other is not made:
                raise PolynbError(
                    f"{made.student} has two notebooks for lab {made.lab}",
                    reason=f"{other.path} and {file}",
                    hint="leave the one that counts, or say in --names whose they are",
                )
    return [found[key] for key in sorted(found)]


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """Notebooks, with what their folders are called, or the files themselves."""
    if path.is_file():
        yield path.stem, path
        return
    if not path.is_dir():
        raise PolynbError(f"there is no {path}", hint="a folder with a folder for each student")
    files = [f for f in sorted(path.rglob("*.ipynb")) if ".ipynb_checkpoints" not in f.parts]
    if not files:
        raise PolynbError(f"there is no notebook in {path}", hint="a folder for each student")
    for file in files:
        first = file.relative_to(path).parts[0]
        yield (file.stem if first == file.name else first), file


def _submission(called: str, path: Path, lab: int | None, names: Mapping[str, str]) -> Submission:
    try:
        if path.is_symlink() or path.stat().st_size > LARGEST:
            raise PolynbError("the file is a link, or too large")
        cells = tuple("".join(c["source"]) for c in read(path)["cells"] if c["cell_type"] == "code")
        trouble = ""
    except (PolynbError, OSError, TypeError, KeyError, RecursionError) as error:
        cells, trouble = (), f"no notebook that can be read ({type(error).__name__})"
    student, mapped = student_of(called, names), one_spelling(called) in names
    return Submission(student, lab or _lab(path, cells), path, cells, trouble, called, mapped)


def _lab(path: Path, cells: tuple[str, ...]) -> int:
    named = _IN_NAME.search(path.name)
    numbers = [named[1]] if named else _IN_CELL.findall("\n".join(cells))
    if len(set(numbers)) != 1 or int(numbers[0]) not in LABS:
        raise PolynbError(f"which lab is {path} about?", hint="--lab 1")
    return int(numbers[0])
