"""A lab's notebook as nbgrader and as otter-grader want it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.answers import answer_name
from polynb.labs.catalogue import exercise
from polynb.labs.copies import Notebook, student

_EXERCISE: Final = re.compile(r"labs\.exercise\(\s*[\"'](\w+\.\w+)[\"']")


def nbgrader(notebook: Notebook) -> Notebook:
    """A student's copy with a locked cell behind each answer, worth the exercise's points: what it
    shows is how many of them there are (nbgrader's partial credit), and an error if there are none.

    Answers stand in cells that are nbgrader's business no further: their holes are made here.
    """
    made = student(notebook)
    waiting = list(_names(made))
    cells = []
    for cell in made["cells"]:
        cells.append(cell)
        text = "".join(cell["source"])
        if cell["cell_type"] == "code" and waiting and f"{answer_name(waiting[0])} =" in text:
            cells.append(_locked(waiting.pop(0)))
    if waiting:
        raise PolynbError(
            f"no cell is for the answer to {waiting[0]}", hint="its_name_answer = ..."
        )
    return made | {"cells": cells, "nbformat": 4, "nbformat_minor": 5}


def _names(notebook: Notebook) -> Iterator[str]:
    """The exercises of a notebook, in order."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield from _EXERCISE.findall("".join(cell["source"]))


def _asks(name: str) -> str:
    return f'"{name}", globals().get("{answer_name(name)}"), globals().get("ME")'


def _locked(name: str) -> dict[str, Json]:
    identity = f"{name.partition('.')[2]}-points".replace("_", "-")
    lines = (
        f"# The points for {name}: run by your teacher. You see the same by labs.check above.",
        "from polynb.labs.grading.cells import points_of",
        f"points_of({_asks(name)})",
    )
    about = {
        "grade": True,
        "grade_id": identity,
        "locked": True,
        "points": exercise(name, student="").points,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return {
        "cell_type": "code",
        "id": identity,
        "metadata": {"nbgrader": about, "editable": False, "deletable": False},
        "source": "\n".join(lines),
        "outputs": [],
        "execution_count": None,
    }


def otter_tests(notebook: Notebook) -> dict[str, str]:
    """The files `tests/NAME.py` that otter-grader reads: a doctest for each point of an exercise,
    since a doctest is passed or not. What is between two whole points is not counted."""
    return {f"{n.partition('.')[2]}.py": _test(n) for n in _names(notebook)}


def _test(name: str) -> str:
    of = exercise(name, student="").points
    cases = "\n".join(_case(name, k) for k in range(1, of + 1))
    return f'''OK_FORMAT = True

test = {{
    "name": "{name.partition(".")[2]}",
    "points": None,
    "suites": [
        {{
            "cases": [
{cases}
            ],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }}
    ],
}}
'''


def _case(name: str, points: int) -> str:
    lines = (
        ">>> from polynb.labs.grading.cells import earned",
        f">>> earned({_asks(name)}).points >= {points}",
        "True",
    )
    text = "\\n".join(line.replace('"', '\\"') for line in lines)
    return f'                {{"code": "{text}", "hidden": True, "locked": False, "points": 1}},'


def write_tests(notebook: Notebook, folder: Path) -> list[Path]:
    """Those files, in a folder. Raises PolynbError where a test of another lab has such a name."""
    made = {folder / file: text for file, text in otter_tests(notebook).items()}
    for path, text in made.items():
        if path.exists() and _asked(path.read_text(encoding="utf-8")) != _asked(text):
            raise PolynbError(
                f"{path} is a test of another lab", hint="a folder of its own for each notebook"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return list(made)


def _asked(test: str) -> list[str]:
    """The exercises that a test asks about."""
    return sorted({*re.findall(r"earned\((.*?)\)", test)})
