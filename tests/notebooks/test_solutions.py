"""The solutions of exercises, put in place of what a reader is to change: the checks agree."""

import os
import re

import nbformat
import pytest

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("anywidget")

from .conftest import read, source  # noqa: E402

pytestmark = pytest.mark.notebook
FENCE = re.compile(r"^```(?:python)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEASURING, PROPAGATION, LIMITS = "05_measuring", "06_propagation", "07_limits_of_propagation"
PIPELINES, FIGURES = "pipelines", "figures_measured"
RANGES, BANDS, SCALARS = "08_live_ranges", "09_bands", "10_scalars"
LEGALITY, PROOF = "04_legality", "proof"
FOLDED, FIVE = "11_folding", "12_which_of_the_five"
LOADED = 'grid = propagated("bilateral_grid"); unsharp = propagated("unsharp_mask")'

INSTANCES, ORDER, DEPENDENCES = "01_instances", "02_order", "03_dependences"
ISL = "from polynb import isl"

# The notebook; what runs before; the exercise's cells, a solution for the first of them; what the
# last one says then, and what it said before.
CASES = [
    *((INSTANCES, ("first", ISL), (f"exercise-{k}", f"exercise-{k}-check"),
       "right: True", "right: False") for k in (1, 2, 3)),
    *((ORDER, ("first", "tiles", "two-orders"), (f"exercise-{k}", f"exercise-{k}-check"),
       "right: True", "right: False") for k in (1, 2, 3)),
    *((DEPENDENCES, ("setup",), (f"exercise-{k}", f"exercise-{k}-check"),
       "right: True", "right: False") for k in (1, 2)),
    (DEPENDENCES, ("setup",), ("exercise-3", "exercise-3-check"), "from: nobody", "from: ['S']"),
    *((MEASURING, (), (f"exercise-{k}", f"exercise-{k}-check"), "right: True", "right: False")
      for k in (1, 2)),
    (PROPAGATION, ("first",), ("exercise-1", "exercise-1-check"), "1 statements; the same", "2 st"),
    (PROPAGATION, ("first", "blocked"), ("exercise-2", "exercise-2-check"),
     "gone: True", "gone: False"),
    (PROPAGATION, ("first",), ("exercise-3", "exercise-3-check"),
     "4 pieces; the same: run for 4 parameter values", "3 pieces"),
    (LIMITS, ("first", "encoded"), ("exercise-1", "exercise-1-check"),
     "right: True", "right: False"),
    (LIMITS, ("first", "literal", "literal-answer"), ("exercise-2", "exercise-2-check"),
     "for all parameter", "for some"),
    (LIMITS, ("first", "fibonacci"), ("exercise-3", "exercise-3-check"),
     "the same: proved for every N", "different"),
    (PIPELINES, ("setup", LOADED), ("exercise-2",), "statements=5, accesses=154", "accesses=60"),
    (PIPELINES, ("setup", LOADED), ("exercise-3",),
     "statements: 2  accesses: 15\nthe same", "statements: 1 "),
    (FIGURES, ("setup",), ("exercise-2",), "11 leaves 3\n12 leaves 0", "15 leaves 0"),
    (RANGES, ("first",), ("exercise-1", "exercise-1-check"), "legal", "illegal"),
    (RANGES, ("first", "shift-checked"), ("exercise-2", "exercise-2-check"),
     "right: True", "right: False"),
    (BANDS, ("first", "exercise-1-program"), ("exercise-1", "exercise-1-check"),
     "legal: every dependence is respected", "illegal"),
    (BANDS, ("first", "setup"), ("exercise-2", "exercise-2-check"), "right: True", "right: False"),
    (SCALARS, ("first", "setup"), ("exercise-1", "exercise-1-check"),
     "left: none | C is right: True", "left: sum"),
    (SCALARS, ("first", "setup"), ("exercise-2", "exercise-2-check"),
     "X(0) overwrites A[0],\nwhich T2(0) reads, before S(0, 0)", "left: none"),
    (LEGALITY, ("first",), ("exercise-1", "exercise-1-check"),
     "legal: True | moves: 2", "legal: False | moves: 1"),
    (LEGALITY, ("first", "proposals"), ("exercise-2", "exercise-2-check"),
     "right: True", "right: False"),
    (PROOF, ("programs",), ("exercise-1", "exercise-1-check"),
     "N = 1: the same | every N: different", "every N: the same"),
    (FOLDED, ("first",), ("exercise-1", "exercise-1-check"), "right: True", "right: False"),
    (FOLDED, ("first",), ("exercise-2", "exercise-2-check"), "parallel: j", "parallel: i"),
    (FIVE, ("first",), ("exercise-1", "exercise-1-check"),
     "CC'18 leaves: t | DeLICM leaves: none", "CC'18 leaves: none"),
    (FIVE, ("first", "permutable-fails"), ("exercise-2", "exercise-2-check"),
     "right: True", "right: False"),
]  # fmt: skip
# What else takes long: the camera pipe, many clauses, many rounds.
if os.environ.get("POLYNB_LARGE"):
    CASES += [
        (PIPELINES, ("setup", 'camera = propagated("camera_pipe")'), ("exercise-1",),
         "8 kept", "2 kept"),
        (LIMITS, ("first", "encoded", "exercise-4"), ("exercise-4-solution",), "27 65", None),
    ]  # fmt: skip


def solution(name, exercise):
    own = exercise if exercise.endswith("-solution") else f"{exercise[:10]}-solution"
    (found,) = FENCE.findall(source(name, own))
    return found.strip("\n")


def said(cells, folder):
    """What the last of these cells prints, in a kernel of its own."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=resources).execute()
    return "".join(o.text for o in notebook.cells[-1].outputs if o.output_type == "stream")


@pytest.mark.parametrize(
    ("name", "before", "cells", "right", "wrong"),
    CASES,
    ids=[f"{c[0][:2]}-{c[2][0]}" for c in CASES],
)
def test_the_solution_is_right_and_the_exercise_is_not(
    name, before, cells, right, wrong, tmp_path, monkeypatch
):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    known = {c.id for c in read(name).cells}
    first = [source(name, c) if c in known else c for c in before]
    exercise, *checks = cells
    checked = [source(name, c) for c in checks]
    found = said([*first, solution(name, exercise), *checked], tmp_path)
    assert right in found
    if wrong is not None:
        stored = "".join(
            o.get("text", "") for c in read(name).cells if c.id == cells[-1] for o in c.outputs
        )
        assert wrong in stored
        assert wrong not in found
