"""Submissions: whose notebook is about which lab."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.catalogue import lab_name, lab_names
from polynb.labs.copies import read
from polynb.labs.grading.names import number_of, shown_as, student_of
from polynb.labs.moved import now_called
from polynb.labs.variants import one_spelling
from polynb.words import counted

LARGEST: Final = 20_000_000
"""Bytes of a notebook."""
_IN_NAME: Final = re.compile(r"lab_?0*(\d{1,3})(?!\d)", re.IGNORECASE)
_IN_CELL: Final = re.compile(r"labs\.exercise\(\s*[\"']((\w+)\.\w+)")


@dataclass(frozen=True)
class Submission:
    """A student's notebook: its code, or what is wrong with the file. `called` is its folder, or
    the file; `numbers` is the name that draws the numbers, and `mapped` that the teacher has said
    so."""

    student: str
    lab: str
    path: Path
    cells: tuple[str, ...] = field(repr=False, default=())
    trouble: str = ""
    called: str = ""
    numbers: str = ""
    mapped: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Whose it is, and about what: two of one name have numbers of their own at Moodle."""
        return number_of(self.called) or one_spelling(self.student), self.lab


def submissions(
    paths: Iterable[Path],
    lab: int | str | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Submission]:
    """The submissions in files and folders: `ada.ipynb` is Ada's, and so is what stands in a folder
    `ada/`, or in what Moodle and Canvas give; `names` says of others whose they are (`read_names`).
    What a notebook says itself of whose it is does not count.

    The lab is `lab`, or the one whose exercises the cells name, or the one in the file's name
    (`lab_01_sets.ipynb`). Where all are about one lab, a folder without a notebook is one that
    has no answers. Raises PolynbError for what holds no notebook, and, all in one, for notebooks
    whose lab is not to be seen, and for two of one student and lab.
    """
    of = None if lab is None else lab_name(lab)
    found: dict[tuple[str, str], Submission] = {}
    questions, empty = [], []
    for path in paths:
        for called, file in _files(path):
            if file.is_dir():
                empty.append((called, file))
                continue
            made = _submission(called, file, of, names or {})
            other = found.setdefault(made.key, made)
            moved = _moved(made.cells)
            if moved not in ("", made.lab):
                questions.append(f"{file} has exercises of {moved}, by old names: not --lab {lab}")
            elif not made.lab:
                questions.append(f"which lab is {file} about? --lab 1, or --lab and its name")
            elif other is not made:
                pair = f"{other.path} and {file}"
                questions.append(f"{made.student} has two notebooks for {made.lab}: {pair}")
    if questions:
        raise PolynbError(
            f"nothing is graded yet: {counted(len(questions), 'question')}",
            reason="\n".join(questions),
            hint="leave the notebook that counts; whose a folder is, --names says",
        )
    for called, folder in empty if len({s.lab for s in found.values()}) == 1 else ():
        made = _without_notebook(called, folder, next(iter(found.values())).lab, names or {})
        found.setdefault(made.key, made)
    order = lab_names()
    return sorted(
        _told_apart(found.values()), key=lambda s: (one_spelling(s.student), order.index(s.lab))
    )


def _told_apart(found: Collection[Submission]) -> Iterator[Submission]:
    """With their numbers, where two have one name."""
    keys: dict[str, set[str]] = {}
    for s in found:
        keys.setdefault(one_spelling(s.student), set()).add(s.key[0])
    for s in found:
        number = number_of(s.called)
        several = number is not None and len(keys[one_spelling(s.student)]) > 1
        yield replace(s, student=f"{s.student} ({number})") if several else s


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """Notebooks, with what their folders are called, or the files themselves; and the folders in
    which there is none."""
    if path.is_file():
        yield path.stem, path
        return
    if not path.is_dir():
        raise PolynbError(f"there is no {path}", hint="a folder with a folder for each student")
    files = [f for f in sorted(path.rglob("*.ipynb")) if not _left_out(f.relative_to(path))]
    if not files:
        raise PolynbError(f"there is no notebook in {path}", hint="a folder for each student")
    first = {f: f.relative_to(path).parts[0] for f in files}
    for file in files:
        yield (file.stem if first[file] == file.name else first[file]), file
    for folder in sorted(f for f in path.iterdir() if f.is_dir()):
        if folder.name not in first.values() and not _left_out(folder.relative_to(path)):
            yield folder.name, folder


def _left_out(path: Path) -> bool:
    """What Jupyter, macOS and its archives leave beside what somebody made."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)


def _submission(called: str, path: Path, lab: str | None, names: Mapping[str, str]) -> Submission:
    try:
        if path.is_symlink() or path.stat().st_size > LARGEST:
            raise PolynbError("the file is a link, or too large")
        cells = tuple("".join(c["source"]) for c in read(path)["cells"] if c["cell_type"] == "code")
        trouble = ""
    except (PolynbError, OSError, TypeError, KeyError, RecursionError) as error:
        said = error.message if isinstance(error, PolynbError) else type(error).__name__
        cells, trouble = (), f"no notebook that can be read: {said.replace(str(path), path.name)}"
    return _whose(called, path, lab or _lab(path, cells), names, cells, trouble)


def _without_notebook(called: str, path: Path, lab: str, names: Mapping[str, str]) -> Submission:
    return _whose(called, path, lab, names, (), "there is no notebook in it")


def _whose(
    called: str,
    path: Path,
    lab: str,
    names: Mapping[str, str],
    cells: tuple[str, ...],
    trouble: str,
) -> Submission:
    student, numbers = shown_as(called, names), student_of(called, names)
    mapped = one_spelling(called) in names
    return Submission(student, lab, path, cells, trouble, called, numbers, mapped)


def _lab(path: Path, cells: tuple[str, ...]) -> str:
    """The lab that a notebook is about; "" if that is not to be seen. If its exercises have got
    other names, the file's name is an old one, too."""
    if (moved := _moved(cells)) != "":
        return moved
    labs = lab_names()
    asked: set[str] = {lab for _, lab in _IN_CELL.findall("\n".join(cells))}
    if len(asked & {*labs}) == 1:
        return next(iter(asked & {*labs}))
    numbered = _IN_NAME.search(path.name)
    named = {n for n in labs if re.match(rf"{n}(?![^\W_])", path.name)}
    if numbered:  # of `lab1` and an own `lab1_extra`, the longer
        named |= {f"lab{int(numbered[1])}"} & {*labs}
    return max(named, key=len, default="")


def _moved(cells: tuple[str, ...]) -> str:
    """What the lab is called now whose exercises the cells name as they were called before."""
    now = now_called(lab_names())
    asked = {name for name, _ in _IN_CELL.findall("\n".join(cells))}
    found = {now[name].partition(".")[0] for name in asked & now.keys()}
    return next(iter(found)) if len(found) == 1 else ""
