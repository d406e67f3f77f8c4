"""The reproductions: each paper's notebook has a section for each of its numbered items, in the
paper's order, and each section recomputes something and names the errata that it is about."""

import ast
import functools
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from polynb.evaluation.coverage import REPRODUCTIONS, papers
from polynb.evaluation.errata import ENTRIES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NUMBERED = json.loads(Path(__file__).with_name("numbered_items.json").read_text("utf-8"))
ITEMS = [(paper, row) for paper in REPRODUCTIONS for row in papers()[paper]]
LINK = re.compile(r"\[(?:erratum )?(\d+)\]\(\.\./errata\.ipynb#([^)]*)\)")
by_paper = pytest.mark.parametrize("paper", REPRODUCTIONS)


@functools.cache
def cells(paper):
    path = NOTEBOOKS / f"{REPRODUCTIONS[paper]}.ipynb"
    found = json.loads(path.read_text("utf-8"))["cells"]
    return [SimpleNamespace(**{**c, "source": "".join(c["source"])}) for c in found]


@functools.cache
def sections(paper):
    """Heading -> the cells below it, up to the next one."""
    found, below = {}, []
    for cell in cells(paper):
        heading = cell.cell_type == "markdown" and re.match(r"## (.*)", cell.source)
        if heading:
            below = found.setdefault(heading[1], [])
        below.append(cell)
    return found


def shows(cell):
    """Whether a cell ends in a table, a picture or an assertion that held."""
    kinds = {kind for o in cell.outputs for kind in o.get("data", ())}
    return bool(kinds & {"text/html", "image/png"}) or "assert " in cell.source


def test_each_paper_has_a_notebook():
    assert REPRODUCTIONS.keys() == papers().keys() == NUMBERED.keys()
    written = {f"reproductions/{p.stem}" for p in (NOTEBOOKS / "reproductions").glob("*.ipynb")}
    assert written == set(REPRODUCTIONS.values())


@by_paper
def test_items_are_sections_in_the_papers_order(paper):
    assert [row.item for row in papers()[paper]] == NUMBERED[paper]
    assert list(sections(paper)) == [row.heading for row in papers()[paper]]
    headings = [c for c in cells(paper) if re.search(r"^#", c.source, re.M)]
    assert len([c for c in headings if c.cell_type == "markdown"]) == len(sections(paper)) + 1


@pytest.mark.parametrize(
    ("paper", "row"), ITEMS, ids=[f"{paper} {row.item}" for paper, row in ITEMS]
)
def test_a_section_recomputes_its_item(paper, row):
    text, *below = sections(paper)[row.heading]
    code = [c for c in below if c.cell_type == "code"]
    assert len(text.source.split("\n", 2)[2].split()) >= 8  # a sentence says what is claimed
    assert any("assert " in c.source for c in code)
    assert shows(code[-1])
    named = [place.partition("#")[2] for place in row.cells if place.startswith("reproductions/")]
    assert named == [c.id for c in code if c.outputs]
    errata = re.findall(r"errata, ([^)]*)", row.note)
    wanted = {number for numbers in errata for number in re.findall(r"\d+", numbers)}
    linked = {n for c in (text, *below) for n, _ in LINK.findall(c.source)}
    assert wanted <= linked


@by_paper
def test_links_lead_to_entries(paper):
    titles = {str(e.number): f"{e.number}. {e.title}" for e in ENTRIES}
    for cell in cells(paper):
        for number, anchor in LINK.findall(cell.source):
            assert anchor == titles[number].replace(" ", "-")
            assert "## " + titles[number] in errata_headings()


@functools.cache
def errata_headings():
    found = json.loads((NOTEBOOKS / "errata.ipynb").read_text("utf-8"))["cells"]
    return {c["source"][0].strip() for c in found if c["cell_type"] == "markdown"}


@by_paper
def test_cells_define_no_functions(paper):
    for cell in cells(paper):
        if cell.cell_type == "code" and not cell.source.startswith("%%"):
            tree = ast.walk(ast.parse(re.sub(r"^%.*", "pass", cell.source, flags=re.M)))
            assert not [n for n in tree if isinstance(n, ast.FunctionDef)], cell.id


@by_paper
def test_it_begins_with_its_index(paper):
    found = [c.source for c in cells(paper) if "coverage(" in c.source]
    assert found == [f'coverage("{paper}")']
