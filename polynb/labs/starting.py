"""A lab of a teacher's own, to begin with: a folder with an exercise that works, and a notebook."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.answers import answer_name
from polynb.labs.catalogue import built
from polynb.labs.copies import BEGIN, END, Notebook
from polynb.labs.folders import LAB, refuse_name

FOLDER: Final = "exercises"
"""Of the files of exercises, beside the notebook."""
EXAMPLE: Final = "even"
NAME: Final = "your name, as your teacher knows it"
TOLD: Final = (
    "Each exercise has a cell that shows it, and one for your answer: run that one as often as you "
    "like. `labs.hint(...)` with the exercise gives a hint, then a larger one, then where to read. "
    "Your name draws your numbers."
)


def start(folder: Path) -> list[Path]:
    """A new folder `loops`, with `loops.ipynb`, and in `exercises/loops` the lab's files. Raises
    PolynbError for a folder that is there, and for a name that a lab cannot have."""
    name = folder.name
    refuse_name(name)
    if folder.exists():
        raise PolynbError(f"{folder} is there already", hint="another name")
    lab = folder / FOLDER / name
    lab.mkdir(parents=True)
    example = files("polynb.labs").joinpath("example", f"{EXAMPLE}.toml").read_text("utf-8")
    right = built(f"{name}.{EXAMPLE}", tomllib.loads(example), {}, "")._right[0]
    notebook = json.dumps(_notebook(name, right), indent=1, ensure_ascii=False)
    made = {
        lab / LAB: f'title = "{name}"\nexercises = ["{EXAMPLE}"]\n',
        lab / f"{EXAMPLE}.toml": example,
        folder / f"{name}.ipynb": f"{notebook}\n",
    }
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return list(made)


def _notebook(lab: str, right: object) -> Notebook:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": list(_cells(lab, right)),
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(lab: str, right: object) -> Iterator[dict[str, Json]]:
    """Of each exercise a cell that shows it, and one for the answer, with the solution."""
    yield _cell("markdown", "title", f"# {lab}\n\n{TOLD}")
    setup = f'from polynb import labs\n\nlabs.use("{FOLDER}")\nME = ""  # {NAME}'
    yield _cell("code", "setup", setup)
    name = f"{lab}.{EXAMPLE}"
    yield _cell("code", EXAMPLE, f'{EXAMPLE} = labs.exercise("{name}", student=ME)\n{EXAMPLE}')
    answer = answer_name(name)
    lines = [BEGIN, f"{answer} = {right!r}", END, f"labs.check({EXAMPLE}, {answer})"]
    yield _cell("code", f"{EXAMPLE}-answer", "\n".join(lines))


def _cell(kind: str, name: str, text: str) -> dict[str, Json]:
    cell: dict[str, Json] = {"cell_type": kind, "id": name, "metadata": {}, "source": text}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})
