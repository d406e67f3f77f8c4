"""Copies of notebooks: what is left out, what is kept, and marks that do not fit."""

import copy
import json

import pytest

from polynb.errors import PolynbError
from polynb.labs.__main__ import main
from polynb.labs.copies import BEGIN, END, slides, solution, student


def code(source, *tags, outputs=()):
    return {"cell_type": "code", "id": "x", "metadata": {"tags": list(tags)}, "source": source,
            "outputs": list(outputs), "execution_count": 3}  # fmt: skip


def text(source, *tags):
    return {"cell_type": "markdown", "id": "y", "metadata": {"tags": list(tags)}, "source": source}


def notebook(*cells):
    return {"cells": list(cells), "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 5}


WHOLE = notebook(
    text("# A title"),
    code(["import polynb as pn\n", "x = 1"], outputs=[{"output_type": "stream"}]),
    text("## One"),
    code(f"{BEGIN}\nhelp_ = 3\nanswer = help_ + 1\n{END}\nprint(answer)"),
    code(f"{BEGIN}\ndef cells(N):\n    return N * N\n{END}\nprint(cells)"),
    text("Because it is so.", "solution"),
)


def sources(made):
    return ["".join(c["source"]) for c in made["cells"]]


def test_a_student_gets_holes_and_no_outputs():
    before = copy.deepcopy(WHOLE)
    made = student(WHOLE)
    assert before == WHOLE
    assert sources(made) == [
        "# A title",
        "import polynb as pn\nx = 1",
        "## One",
        "answer = ...  # your answer\nprint(answer)",
        "cells = ...  # your answer\nprint(cells)",
    ]
    assert all(not c["outputs"] for c in made["cells"] if c["cell_type"] == "code")
    assert "widgets" not in made["metadata"]
    for hidden in ("help_", "N * N", "Because", "SOLUTION"):
        assert hidden not in json.dumps(made)


def test_a_solution_has_everything_but_the_marks():
    made = solution(WHOLE)
    assert len(made["cells"]) == len(WHOLE["cells"])
    assert "SOLUTION" not in json.dumps(made)
    assert sources(made)[3] == "help_ = 3\nanswer = help_ + 1\nprint(answer)"
    assert made["cells"][1]["outputs"]


def test_slides_begin_with_headings_and_show_solutions_later():
    kinds = [c["metadata"]["slideshow"]["slide_type"] for c in slides(WHOLE)["cells"]]
    assert kinds == ["slide", "-", "slide", "fragment", "fragment", "fragment"]


@pytest.mark.parametrize(
    "wrong",
    [f"{BEGIN}\nx = 1", f"x = 1\n{END}", f"{BEGIN}\n{BEGIN}\nx = 1\n{END}",
     f"{BEGIN}\nx = 1\n{END}\n{END}", f"{BEGIN}\nprint(1)\n{END}"],
)  # fmt: skip
def test_marks_that_do_not_fit_are_refused(wrong):
    with pytest.raises(PolynbError):
        student(notebook(code(wrong)))


def test_the_command_writes_copies(tmp_path, capsys):
    source = tmp_path / "labs"
    source.mkdir()
    for name in ("a", "b"):
        (source / f"{name}.ipynb").write_text(json.dumps(WHOLE))
    assert main(["student", str(source), str(tmp_path / "out")]) == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a.ipynb", "b.ipynb"]
    one = tmp_path / "deep" / "c.ipynb"
    assert main(["solution", str(source / "a.ipynb"), str(one)]) == 0
    assert json.loads(one.read_text()) == solution(WHOLE)
    capsys.readouterr()
    assert main(["student", str(source), str(source)]) == 2
    assert "over its source" in capsys.readouterr().err
    (source / "a.ipynb").write_text("{}")
    for wrong in (source / "a.ipynb", tmp_path / "nowhere"):
        assert main(["student", str(wrong), str(tmp_path / "out")]) == 2
        assert "try:" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["teacher", str(source), str(tmp_path)])
