"""What a lesson asks is not told on the same screen, and no solutions are taken for a lab."""

import itertools
import json
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted((NOTEBOOKS / "lessons").glob("*.ipynb"))
LABS = sorted((NOTEBOOKS / "labs").glob("*.ipynb"))


def cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_what_is_to_be_predicted_is_folded_until_it_is_run(path):
    found = cells(path)
    asked = [
        after
        for before, after in itertools.pairwise(found)
        if "**Predict" in "".join(before["source"]) and after.get("outputs")
    ]
    assert asked
    assert all(c["metadata"].get("jupyter", {}).get("outputs_hidden") for c in asked)


@pytest.mark.parametrize("path", LABS, ids=lambda p: p.stem)
def test_a_lab_with_solutions_says_how_to_make_ones_own(path):
    note = cells(path)[1]
    assert note["metadata"]["tags"] == ["solution"]
    assert f"python -m polynb.labs student notebooks/labs/{path.name} mine/" in note["source"][0]
