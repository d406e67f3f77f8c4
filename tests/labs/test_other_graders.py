"""nbgrader and otter-grader, from the teacher's notebook to the points of a class of twenty."""

import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import polynb
from polynb.labs.__main__ import main
from polynb.labs.copies import read

from .classroom import LAB, NONE, fits, hand_ins

pytestmark = pytest.mark.grading
TOOLS = Path(sys.executable).parent
ENDLESS = {"endless", "stubborn"}
SOME = ("ada", "large", "niklaus", "nothing", "deleted", "endless", "killed", "renamed", "liar")
FULL = {"ada", "grace", "edsger", "large"}


def runs(*command, cwd, seconds):
    """What a tool of this environment says; None if it does not come to an end."""
    root = str(Path(polynb.__file__).parents[1])
    env = os.environ | {
        "PATH": f"{TOOLS}:{os.environ['PATH']}",
        "PYTHONPATH": root,
        "POLYNB_GRADING": "1",
        "JUPYTER_PATH": str(TOOLS.parent / "share" / "jupyter"),
    }
    with subprocess.Popen(
        [str(TOOLS / command[0]), *command[1:]],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            return process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return None


def released(course, source):
    """The students' copy, in a new course."""
    (course / "source" / "lab1").mkdir(parents=True)
    (course / "source" / "lab1" / LAB.name).write_text(source.read_text())
    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    runs("nbgrader", "generate_assignment", "lab1", cwd=course, seconds=120)
    return course / "release" / "lab1" / LAB.name


def autograded(course, class_, source):
    """The points that nbgrader gives a class, by student, and what it says."""
    released(course, source)
    for student, (made, _) in class_.items():
        handed_in = course / "submitted" / student / "lab1" / LAB.name
        handed_in.parent.mkdir(parents=True)
        handed_in.write_text(json.dumps(made))
    line = ("nbgrader", "autograde", "lab1", "--Execute.timeout=10")
    said = runs(*line, cwd=course, seconds=400) or "did not end"
    runs("nbgrader", "export", cwd=course, seconds=60)
    with (course / "grades.csv").open() as file:
        return {r["student_id"]: float(r["score"] or 0) for r in csv.DictReader(file)}, said


def test_nbgrader(tmp_path):
    pytest.importorskip("nbgrader")
    source = tmp_path / LAB.name
    assert main(["nbgrader", str(LAB), str(source)]) == 0
    class_ = hand_ins(read(released(tmp_path / "first", source)))
    students = list(class_)
    halves = [{s: class_[s] for s in students[k::2]} for k in range(2)]  # two at a time
    with ThreadPoolExecutor(2) as pool:
        courses = [tmp_path / "a", tmp_path / "b"]
        found = list(pool.map(autograded, courses, halves, [source] * 2))
    points = {s: p for half, _ in found for s, p in half.items()}
    said = "\n".join(said for _, said in found)
    wrong = {s: points.get(s) for s, (_, w) in class_.items() if not fits(points.get(s, 0), w)}
    assert not wrong, said[-3000:]


def test_otter(tmp_path):
    pytest.importorskip("otter")
    assert main(["otter", str(LAB), str(tmp_path)]) == 0
    runs("otter", "generate", "-t", "tests", "-o", "autograder.zip", cwd=tmp_path, seconds=120)
    base = read(tmp_path / LAB.name)
    class_ = hand_ins(base)
    if "POLYNB_LARGE" not in os.environ:  # otter starts for each anew
        class_ = {s: class_[s] for s in SOME}

    def points(student):
        folder = tmp_path / "submitted" / student
        folder.mkdir(parents=True)
        (folder / LAB.name).write_text(json.dumps(class_[student][0]))
        line = ("run", "-a", "../../autograder.zip", "-o", ".", "--no-logo", LAB.name)
        results = folder / "results.json"
        # otter asks for ports that are free, and two kernels may be told the same: once again
        for _ in range(1 if student in ENDLESS or class_[student][1] == NONE else 2):
            said[student] = runs(
                "otter", *line, cwd=folder, seconds=25 if student in ENDLESS else 240
            )
            if results.exists():
                return json.loads(results.read_text())
        return {"tests": []}

    said = {}
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(class_, pool.map(points, class_), strict=True))
    scores = {s: sum(t["score"] for t in f["tests"] if "score" in t) for s, f in found.items()}
    short = {s: (scores[s], said[s]) for s in FULL & scores.keys() if scores[s] != 10}
    assert not short
    assert scores.pop("endless") == 0  # otter itself sets a notebook no limit
    assert scores.pop("niklaus") < 10  # whole points only
    wrong = {s: p for s, p in scores.items() if not fits(p, class_[s][1])}
    assert not wrong
    told = json.dumps(found, default=str)
    assert "hidden" in told
