"""The labs: every exercise in its notebook, solutions that are worth all points, and students'
copies whose holes fail politely."""

import ast
import json
import re
import subprocess
import sys

import pytest

from polynb import labs
from polynb.labs.catalogue import LABS, template
from polynb.labs.checking import Assessment
from polynb.labs.copies import read as read_file, slides, solution, student
from polynb.labs.tasks.times import TimeTask

from .conftest import NOTEBOOKS, PATHS

README = (NOTEBOOKS / "README.md").read_text("utf-8")

NAMES = {
    int(m[1]): name for name in PATHS if (m := re.fullmatch(r"lab_(\d\d)_\w+", name)) is not None
}


def test_every_lab_has_a_notebook():
    assert tuple(sorted(NAMES)) == LABS


def cells(notebook):
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def assessments(notebook, leave_out=()):
    """What the cells of a notebook say of its answers, run one after the other."""
    known, found = {}, []
    for text in cells(notebook):
        if any(name in text for name in leave_out):
            continue
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), known)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), known)
            if isinstance(value, Assessment):
                found.append(value)
    return found


@pytest.mark.parametrize("lab", LABS)
def test_the_notebook_asks_for_every_exercise_in_order(lab):
    text = "\n".join(cells(read_file(PATHS[NAMES[lab]])))
    assert tuple(re.findall(r'labs\.exercise\("([\w.]+)"', text)) == labs.exercises(lab)


@pytest.mark.parametrize("lab", LABS)
def test_solutions_are_worth_all_points(lab, monkeypatch):
    monkeypatch.delenv("POLYNB_STUDENT", raising=False)
    timed = [n.partition(".")[2] for n in labs.exercises(lab)
             if isinstance(labs.exercise(n)._task, TimeTask)]  # fmt: skip
    found = assessments(solution(read_file(PATHS[NAMES[lab]])), [f"{n}_answer" for n in timed])
    assert all(found), [str(a) for a in found if not a]
    assert len(found) == len(labs.exercises(lab)) - len(timed)


@pytest.mark.parametrize("lab", LABS)
@pytest.mark.parametrize("me", ["", "ada"])
def test_a_students_copy_runs_and_says_what_is_missing(lab, me):
    made = student(read_file(PATHS[NAMES[lab]]))
    for cell in made["cells"]:
        text = "".join(cell["source"])
        cell["source"] = text.replace('ME = ""', f'ME = "{me}"')
    found = assessments(made)
    assert len(found) == len(labs.exercises(lab))
    for a in found:
        assert a.points == 0
        assert str(a).splitlines()[1].startswith("  no answer yet. It is to be ")
        assert a.exercise.student == me


@pytest.mark.parametrize("lab", LABS)
def test_a_students_copy_holds_no_solution(lab):
    made = json.dumps(student(read_file(PATHS[NAMES[lab]])), ensure_ascii=False)
    for name in labs.exercises(lab):
        for answer in labs.exercise(name, student="")._right:
            if isinstance(answer, str) and len(answer) > 20:
                assert json.dumps(answer, ensure_ascii=False)[1:-1] not in made
    assert "SOLUTION" not in made


@pytest.mark.notebook
def test_slides_are_made_of_a_lab(tmp_path):
    pytest.importorskip("nbconvert")
    path = tmp_path / "lab.ipynb"
    path.write_text(json.dumps(slides(read_file(PATHS[NAMES[1]]))))
    convert = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "slides", str(path)]
    subprocess.run(convert, check=True, capture_output=True, cwd=tmp_path)
    page = (tmp_path / "lab.slides.html").read_text()
    assert page.count("<section") >= 2 * 6
    assert "fragment" in page


# -- a lab belongs to a lesson -------------------------------------------------------------------


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_has_the_number_of_its_lesson(lab):
    """In its notebook, in its hints, in the lesson's notebook, and in the table; and it has as many
    exercises and points as it says."""
    first = "".join(read_file(PATHS[NAMES[lab]])["cells"][0]["source"])
    assert first.startswith(f"# Lab {lab}: ")
    assert f"**You need** lesson {lab}, " in first
    exercises = labs.exercises(lab)
    of = sum(labs.exercise(n).points for n in exercises)
    assert f" for {len(exercises)} exercises ({of} points)." in first
    assert {template(n)["read"]["lesson"] for n in exercises} == {lab}
    (path,) = PATHS[NAMES[lab]].parents[1].glob(f"lessons/{lab:02}_*.ipynb")
    assert f"labs/{NAMES[lab]}.ipynb" in path.read_text("utf-8")
    assert README.count(f"](labs/{NAMES[lab]}.ipynb)") == 1


def test_every_lesson_has_a_lab():
    lessons = {int(p.name[:2]) for p in PATHS[NAMES[1]].parents[1].glob("lessons/*.ipynb")}
    assert lessons == set(LABS)
