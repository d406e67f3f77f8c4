"""How notebooks are written: short cells, tables that are tables, exercises with solutions that
work."""

import base64
import io
import re

import pytest
from PIL import Image

from .conftest import NOTEBOOKS, PATHS, code_cells, read

LINES = 25
OTHERS = ("pipelines", "figures_measured", "proof")
LESSONS = tuple(n for n in PATHS if re.match(r"\d\d_", n) or n in OTHERS)
REPRODUCTIONS = tuple(n for n, path in PATHS.items() if path.parent.name == "reproductions")


@pytest.mark.parametrize("name", [*LESSONS, *REPRODUCTIONS, "evaluation"])
def test_no_cell_is_long(name):
    sizes = {c.id: len(c.source.splitlines()) for c in code_cells(name)}
    assert not {cell: lines for cell, lines in sizes.items() if lines > LINES}


@pytest.mark.parametrize("name", [*LESSONS, *REPRODUCTIONS, "evaluation"])
def test_tables_are_no_text(name):
    """No stored output is printed in columns."""
    for cell in code_cells(name):
        for output in cell.outputs:
            if output.output_type == "stream":
                assert not is_table(output.text), cell.id


def is_table(text):
    """Whether lines have columns: two or more gaps of several spaces inside, in three lines one
    after the other that do not begin with spaces."""
    run = 0
    for line in text.splitlines():
        columns = line[:1].strip() and len(re.findall(r"\S {2,}(?=\S)", line)) >= 2
        run = run + 1 if columns else 0
        if run >= 3:
            return True
    return False


def test_a_table_is_recognised():
    assert is_table("a     1     2\nb     3     4\nc     5     6\n")
    assert not is_table("for i = 0 to N do\n  A[i] = 1;\ndone\n")


@pytest.mark.parametrize("name", LESSONS)
def test_every_exercise_has_a_solution(name):
    texts = "\n".join(c.source for c in read(name).cells if c.cell_type == "markdown")
    asked = re.findall(r"^\*\*Exercise (\d+)", texts, re.MULTILINE)
    solved = re.findall(r"<summary>Solution of exercise (\d+)</summary>", texts)
    assert asked == solved == [str(k + 1) for k in range(len(asked))]
    assert asked
    assert texts.count("<details>") == texts.count("</details>") >= len(solved)


README = (NOTEBOOKS / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", [n for n in LESSONS if n not in OTHERS])
def test_a_lesson_says_how_long_it_takes(name):
    """By the rule that the notebooks' README states."""
    lesson = read(name)
    text = "\n".join(c.source for c in lesson.cells if c.cell_type == "markdown")
    words = len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
    exercises = len(re.findall(r"^\*\*Exercise \d", text, re.MULTILINE))
    minutes = words / 200 + 2 * len(list(code_cells(name))) + 5 * exercises
    said = f"{5 * round(minutes / 5)} minutes"
    assert f"**Time**: {said}" in lesson.cells[0].source
    (row,) = (line for line in README.splitlines() if f"(lessons/{name}.ipynb)" in line)
    assert row.endswith(f"| {said} |")
    assert "200 words a minute, two minutes for each cell with code" in README


@pytest.mark.parametrize("name", PATHS)
def test_stored_drawings_show_what_their_texts_say(name):
    """nbval compares these texts, which have a digest of the marks, and no pixels."""
    for cell in code_cells(name):
        for data in (o.data for o in cell.get("outputs", ()) if "image/png" in o.get("data", {})):
            if "; marks " in data["text/plain"]:
                picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
                assert picture.text.get("Description") == data["text/plain"]
