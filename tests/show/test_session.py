"""Cells without IPython's shell, as a live page runs them (in a process of its own: the session
puts less of IPython where the rest would be)."""

import json
import subprocess
import sys

import pytest

BLUR = """%%propagate blur
param N;  temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done
"""
# Texts, with a bar where the cursor is.
PLACES = [
    "%%scop x\nparam N;  temp tangent;\nA[0] = tang|;",
    "%%propagate x --rec|\nparam N;",
    "%%transform x --from blur\ninter| i",
    "%play gallery:delicm_l|",
    "y = %reorder bl|",
    "pn|.prove(blur)",
]
SCRIPT = """
import json, sys
for name in ("prompt_toolkit", "jedi", "anywidget", "ipywidgets", "matplotlib"):
    sys.modules[name] = None  # what a page has not
from polynb.show.page_widgets import changed
from polynb.show.session import session
told = []
made = session(lambda number, traits: told.append(traits))
made.user_ns |= {"changed": changed, "told": told}
cells, places = json.load(sys.stdin)
ran = [made.run(cell) for cell in cells]
print(json.dumps([ran, [made.completed(*text.split("|")) for text in places]]))
"""
CELLS = {
    "magic": BLUR,
    "value": "pn.prove(blur)",
    "printed": "print(len(blur.steps) > 3)",
    "silent": "x = 3;",
    "lines": "y = %reorder blur\ny",
    "typo": "%%scop\nparam N; for i = 0 to N do A[i] = 1 done",
    "empty": "%%propagate",
    "error": "def f():\n    1/0\nf()",
    "missing": "from polynb.gallery.photographs import photograph\nphotograph(8, 8)",
    "module": "import matplotlib.pyplot",
    "help": "%propagate --help",
    "unknown": "%%nothing\nparam N;",
    "underscore": "_",
    "stepper": "z = %step blur N=5 --at 2\nz",
    "other": "changed(z.number, {'wanted': {'N': 3}}); print(sorted(told[-1]), z.trace['id'] > '')",
    "play": "p = %play blur\np",
    "move": "changed(p.number, {'asked': {'number': 1, 'action': 'do', 'line': 'reverse i'}})",
    "no end": "%%scop one\nparam N;\nA[N] = 1;",
    "no end either": "\n%%scop two\nparam N;\nA[N] = 1;",
    "class": "pn.Scop",
    "moved": "print(p.script); print(told[-1]['shown']['number'])",
}


@pytest.fixture(scope="module")
def shown():
    command = [sys.executable, "-c", SCRIPT]
    given = json.dumps([list(CELLS.values()), PLACES])
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ran, completed = json.loads(done.stdout)
    return dict(zip(CELLS, ran, strict=True)) | {"completed": completed}


@pytest.mark.long
def test_cells_are_completed_as_in_a_notebook(shown):
    found = [(c["word"], [w["text"] for w in c["words"]]) for c in shown["completed"]]
    assert found == [
        ("tang", ["tangent"]),
        ("--rec", ["--recurrences"]),
        ("inter", ["interchange"]),
        ("delicm_l", [f"delicm_listing{k}" for k in (1, 2, 3, 4, 6)]),
        ("bl", ["blur"]),
        ("pn", []),
    ]


def test_a_magic_shows_its_stepper_and_binds_its_name(shown):
    (output,) = shown["magic"]
    assert "t is removed" in output["text/plain"]
    assert len(output["trace"]["trace"]["steps"]) > 5
    assert "proved for every N" in shown["value"][0]["text/plain"]


def test_python_runs_around_magics(shown):
    assert shown["printed"] == [{"text/plain": "True\n"}]
    assert shown["silent"] == []
    assert shown["no end"], "the last `;` is the program's"
    assert shown["no end either"]
    assert shown["class"][0]["text/plain"] == "<class 'polynb.scop.model.Scop'>"
    assert "trace" in shown["lines"][0]
    assert shown["underscore"] == shown["lines"]


def test_errors_are_polynbs_words_or_the_cells_lines(shown):
    assert "`;` is missing" in shown["typo"][0]["text/plain"]
    assert "the cell has no program" in shown["empty"][0]["text/plain"]
    assert "one of bench" in shown["unknown"][0]["text/plain"]
    error = shown["error"][0]["text/plain"]
    assert "ZeroDivisionError" in error
    assert "session.py" not in error


def test_what_a_page_has_not_is_said_in_a_sentence(shown):
    (photograph,), (module,), (error,) = shown["missing"], shown["module"], shown["error"]
    assert photograph["missing"] == "matplotlib's sample photograph is not on this machine"
    assert module["missing"] == "there is no matplotlib here"
    assert "missing" not in error


def test_help_is_shown(shown):
    assert "Run expression propagation" in shown["help"][0]["text/plain"] or (
        "propagat" in shown["help"][0]["text/plain"]
    )


def test_widgets_are_shown_and_told_of_changes(shown):
    (stepper,) = shown["stepper"][0]["widgets"]
    assert (stepper["front"], stepper["traits"]["step"]) == ("stepper.js", 2)
    assert stepper["traits"]["live"] is True
    assert shown["other"] == [{"text/plain": "['trace'] True\n"}]
    (play,) = shown["play"][0]["widgets"]
    assert play["front"] == "play.js"
    assert play["traits"]["shown"]["offers"]
    assert shown["move"] == []
    assert "reverse i" in shown["moved"][0]["text/plain"]
    assert shown["moved"][0]["text/plain"].endswith("1\n")
