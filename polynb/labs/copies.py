"""Copies of a lab's notebook: for students, with solutions, for slides. One notebook is the source.

A solution is what stands between `### BEGIN SOLUTION` and `### END SOLUTION` in a code cell (as
nbgrader and otter have it); a cell with the tag "solution" is one as a whole. In a student's copy
each name that a solution gives a value is `...` instead, which checkers take for an answer that is
still missing.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from polynb.conveniences import Json
from polynb.errors import PolynbError

BEGIN: Final = "### BEGIN SOLUTION"
END: Final = "### END SOLUTION"
HOLE: Final = "...  # your answer"
_NAMED: Final = re.compile(r"^(?:(\w+)\s*=(?!=)|def (\w+)\()")
_TITLE: Final = re.compile(r"^#{1,2} ", re.MULTILINE)

Notebook = dict[str, Json]
Cell = dict[str, Json]


def student(notebook: Notebook) -> Notebook:
    """Without solutions and outputs; answers are to be written in their places."""
    made = _copied(notebook)
    made["cells"] = [_emptied(c) for c in made["cells"] if "solution" not in _tags(c)]
    for cell in made["cells"]:
        cell["source"] = _with_holes(cell) if cell["cell_type"] == "code" else cell["source"]
    return made


def solution(notebook: Notebook) -> Notebook:
    """With solutions and outputs, without the lines that mark them."""
    made = _copied(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            _parts(cell)  # refuses marks that do not fit
            lines = [line for line in _lines(cell) if line.strip() not in (BEGIN, END)]
            cell["source"] = "\n".join(lines)
    return made


def slides(notebook: Notebook) -> Notebook:
    """For `jupyter nbconvert --to slides`: a heading begins a slide, a picture or a table stays on
    it, and solutions come when they are called. (`polynb.site.slides` makes pages of it.)"""
    made = solution(notebook)
    for before, cell in zip(notebook["cells"], made["cells"], strict=True):
        text = _text(cell)
        if cell["cell_type"] == "markdown" and _TITLE.search(text):
            kind = "slide"
        else:
            kind = "fragment" if "solution" in _tags(before) or BEGIN in _text(before) else "-"
        cell.setdefault("metadata", {})["slideshow"] = {"slide_type": kind}
    return made


COPIES: Final[dict[str, Callable[[Notebook], Notebook]]] = {
    "student": student,
    "solution": solution,
    "slides": slides,
}


def write(make: Callable[[Notebook], Notebook], source: Path, target: Path) -> list[Path]:
    """What is made of a notebook, or of each in a folder, in a folder or a file. Raises PolynbError
    for what is no notebook, for marks that do not fit, and for a copy over its source."""
    if source.is_dir():
        found = sorted(source.glob("*.ipynb"))
    elif source.is_file():
        found = [source]
    else:
        raise PolynbError(f"there is no {source}", hint="a notebook, or a folder of them")
    if not found:
        raise PolynbError(f"there is no notebook in {source}", hint="a folder with .ipynb files")
    whole = source.is_file() and target.suffix == ".ipynb"
    (target.parent if whole else target).mkdir(parents=True, exist_ok=True)
    written = []
    for path in found:
        to = target if whole else target / path.name
        if to.resolve() == path.resolve():
            raise PolynbError(f"{to} would be written over its source", hint="another folder")
        made = make(read(path))
        to.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(to)
    return written


def read(path: Path) -> Notebook:
    """A notebook's file. Raises PolynbError for another one."""
    try:
        found: Notebook = json.loads(path.read_text(encoding="utf-8"))
        assert isinstance(found["cells"], list)
    except (ValueError, KeyError, TypeError, AssertionError):
        raise PolynbError(f"{path} is no notebook", hint="a file that Jupyter has saved") from None
    return found


def _copied(notebook: Notebook) -> Notebook:
    made = copy.deepcopy(notebook)
    made.get("metadata", {}).pop("widgets", None)
    return made


def _emptied(cell: Cell) -> Cell:
    """A cell as if it had never run."""
    if cell["cell_type"] == "code":
        return cell | {"outputs": [], "execution_count": None}
    return cell


def _tags(cell: Cell) -> list[str]:
    return list(cell.get("metadata", {}).get("tags", ()))


def _text(cell: Cell) -> str:
    return "".join(cell["source"])


def _lines(cell: Cell) -> list[str]:
    return _text(cell).split("\n")


def _parts(cell: Cell) -> list[tuple[bool, list[str]]]:
    """The lines between the marks (True) and around them. Raises PolynbError if one is missing."""
    parts: list[tuple[bool, list[str]]] = [(False, [])]
    for number, line in enumerate(_lines(cell), 1):
        mark = line.strip()
        if mark in (BEGIN, END):
            if parts[-1][0] is (mark == BEGIN):
                other = END if mark == BEGIN else BEGIN
                raise PolynbError(
                    f"line {number} of a cell says {mark!r} without {other!r} before it",
                    reason=f"the cell begins {_text(cell)[:60]!r}",
                    hint="one pair of marks around each solution",
                )
            parts.append((mark == BEGIN, []))
        else:
            parts[-1][1].append(line)
    if parts[-1][0]:
        raise PolynbError(
            f"a solution has no end: {_text(cell)[:60]!r}", hint=f"a line {END}, behind it"
        )
    return parts


def _with_holes(cell: Cell) -> str:
    lines: list[str] = []
    for is_solution, part in _parts(cell):
        lines += _holes(part) if is_solution else part
    return "\n".join(lines)


def _holes(lines: list[str]) -> list[str]:
    names = [m[1] or m[2] for m in map(_NAMED.match, lines) if m is not None]
    if not names:
        raise PolynbError(
            "a solution gives no name a value", reason="\n".join(lines), hint="answer = ..."
        )
    return [f"{names[-1]} = {HOLE}"]
