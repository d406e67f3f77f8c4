"""The table of what is recomputed: it has every numbered item of the papers, and what it names is
there."""

import ast
import functools
import json
from pathlib import Path

import pytest

from polynb.errors import PolynbError
from polynb.evaluation.coverage import coverage, papers

TESTS = Path(__file__).parents[1]
NOTEBOOKS = TESTS.parent / "notebooks"
NUMBERED = json.loads(Path(__file__).with_name("numbered_items.json").read_text("utf-8"))
ITEMS = [(paper, row) for paper, rows in papers().items() for row in rows]


def by_item(test):
    return pytest.mark.parametrize(
        ("paper", "row"), ITEMS, ids=[f"{paper} {row.item}" for paper, row in ITEMS]
    )(test)


def test_no_numbered_item_of_a_paper_is_missing():
    """The list was taken from the papers' text: captions, and numbers at the right margin; of
    GRAPHITE captions, and the procedures, formulas and results of section 4."""
    found = {paper: {r.item for r in rows} for paper, rows in papers().items()}
    assert found == {paper: set(items) for paper, items in NUMBERED.items()}


@functools.cache
def functions(file):
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}


@functools.cache
def cells(notebook):
    found = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text("utf-8"))["cells"]
    return {c["id"]: c for c in found}


@by_item
def test_its_tests_are_there(paper, row):
    for place in row.tests:
        file, _, name = place.partition("::")
        assert name.startswith("test_")
        assert name in functions(file), place


@by_item
def test_its_cells_are_there_and_show_something(paper, row):
    for place in row.cells:
        notebook, _, cell = place.partition("#")
        assert cells(notebook)[cell]["cell_type"] == "code", place
        assert cells(notebook)[cell]["outputs"], place


@by_item
def test_it_is_tested_and_shown_or_says_why_not(paper, row):
    assert (row.tests and row.cells) or row.note


@pytest.mark.parametrize("paper", list(papers()))
def test_the_table_has_a_row_for_each(paper):
    table = coverage(paper)
    assert [row[0] for row in table.rows] == [r.item for r in papers()[paper]]


def test_another_paper_is_refused():
    with pytest.raises(PolynbError, match="paper"):
        coverage("PLDI'97")
