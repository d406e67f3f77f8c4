"""Locked cells and doctests: what they ask, and what a tampered kernel cannot change of it."""

import doctest
import subprocess
import sys

import pytest

from polynb import labs
from polynb.errors import PolynbError
from polynb.labs.copies import read
from polynb.labs.grading.cells import earned, points_of
from polynb.labs.grading.formats import nbgrader, otter_tests, write_tests

from .classroom import LAB, NAMES, PATCH

PATHS = sorted(LAB.parent.glob("*.ipynb"))


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_each_answer_has_a_locked_cell_behind_it(path):
    cells = nbgrader(read(path))["cells"]
    about = [(k, c["metadata"]["nbgrader"]) for k, c in enumerate(cells)
             if "nbgrader" in c["metadata"]]  # fmt: skip
    names = labs.exercises(int(path.stem[4:6]))
    assert [a["points"] for _, a in about] == [labs.exercise(n).points for n in names]
    for (k, a), name in zip(about, names, strict=True):
        assert (a["grade"], a["locked"], a["solution"]) == (True, True, False)
        assert f"{name.partition('.')[2]}_answer = ..." in "".join(cells[k - 1]["source"])
    assert len({c["id"] for c in cells}) == len(cells)
    assert not any("SOLUTION" in "".join(c["source"]) for c in cells)


def test_a_notebook_without_a_place_for_an_answer_is_refused():
    notebook = read(LAB)
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "hole-answer"]
    with pytest.raises(PolynbError, match=r"lab1\.hole"):
        nbgrader(notebook)


def passed(files, known):
    """How many doctests of otter's files pass."""
    count = 0
    for text in files.values():
        found = {}
        exec(text, found)
        (suite,) = found["test"]["suites"]
        for case in suite["cases"]:
            test = doctest.DocTestParser().get_doctest(case["code"], known, "t", None, None)
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, out=lambda said: None, clear_globs=False)
            count += not runner.failures
    return count


@pytest.mark.long
def test_doctests_are_worth_whole_points():
    files = otter_tests(read(LAB))
    assert set(files) == {f"{n.partition('.')[2]}.py" for n in NAMES}
    known = {"ME": "ada"}
    known["count_answer"] = labs.exercise("lab1.count", student="ada")._right[0]
    known["hole_answer"] = labs.exercise("lab1.hole", student="ada").misconceptions[0].answer
    part = labs.check("lab1.hole", known["hole_answer"], student="ada").points
    assert 0 < part < 2
    assert passed(files, known) == 1 + int(part)


@pytest.mark.long
def test_a_locked_cell_shows_points_or_why_there_are_none(monkeypatch, tmp_path, capsys):
    of = labs.exercise("lab1.hole", student="ada")
    assert points_of("lab1.hole", of._right[1], "ada") == 2.0
    part = points_of("lab1.hole", of.misconceptions[0].answer, "ada")
    assert 0 < part < 2
    assert "points" in capsys.readouterr().out
    for wrong in (None, ..., object(), labs.check(of, of._right[0]), "nonsense"):
        with pytest.raises(PolynbError):
            points_of("lab1.hole", wrong, "ada")
    folder = tmp_path / "grace" / "lab1"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    right = labs.exercise("lab1.diamond", student="grace")._right[0]
    assert earned("lab1.diamond", right, "whoever").points == 3


@pytest.mark.long
def test_a_patched_library_earns_nothing():
    text = f"""
from polynb import labs
{PATCH}
labs.check = lambda *a, **k: True
from polynb.labs.grading.cells import earned
print(labs.checking.check("lab1.hole", "{{ S[i] : i = -7 }}").points if hasattr(labs, "checking")
      else "no", earned("lab1.hole", "{{ S[i] : i = -7 }}").points)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "0.0"]


def test_tests_of_another_lab_are_not_overwritten(tmp_path):
    """`overwritten` is an exercise of two labs: a student would be judged by the other one's."""
    third, sixth = (next(p for p in PATHS if p.stem.startswith(f"lab_{n}")) for n in ("03", "06"))
    first = write_tests(read(third), tmp_path)
    assert write_tests(read(third), tmp_path) == first
    held = {p: p.read_text() for p in first}
    with pytest.raises(PolynbError, match="another lab"):
        write_tests(read(sixth), tmp_path)
    assert {p: p.read_text() for p in tmp_path.iterdir()} == held
