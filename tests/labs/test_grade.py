"""`python -m polynb.labs grade`: a class of twenty has the points that are theirs by right."""

import csv
import json
import os
from collections import defaultdict

import pytest

import polynb as pn
from polynb import labs
from polynb.errors import PolynbError
from polynb.labs.__main__ import main
from polynb.labs.answers import answer_name, decoded, encoded, plain, sizes_for
from polynb.labs.copies import BEGIN, read
from polynb.labs.grading import Grade, GradingLimits, grade
from polynb.labs.grading.judging import judged
from polynb.labs.grading.submissions import submissions
from polynb.labs.grading.tables import as_csv, table
from polynb.labs.tasks import functions
from polynb.labs.tasks.functions import LARGEST, SLOW
from polynb.labs.tasks.times import TimeTask

from .classroom import LAB, NAMES, collected, fits, hand_ins, notebook, rightly

EVERY = [n for n in labs.exercises() if not isinstance(labs.exercise(n)._task, TimeTask)]


def through(data):
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("name", EVERY)
def test_answers_that_travel_are_worth_the_same(name):
    of = labs.exercise(name)
    sizes = through(sizes_for(of))
    for answer in of._right:
        data = through(encoded(answer, [tuple(at) for at in sizes]))
        assert labs.check(of, decoded(data)), name
    m = of.misconceptions[0].answer
    data = through(encoded(m, [tuple(at) for at in sizes]))
    assert labs.check(of, decoded(data)).points == labs.check(of, m).points


def test_every_notebook_binds_its_answers_so():
    for path in sorted(LAB.parent.glob("*.ipynb")):
        cells = ["".join(c["source"]) for c in read(path)["cells"] if c["cell_type"] == "code"]
        (lab,) = {s.lab for s in submissions([path])}
        for name in labs.exercises(lab):
            answer = answer_name(name)
            held = [c for c in cells if BEGIN in c and answer in c.partition("END")[0]]
            assert len(held) == 1, name


@pytest.fixture(scope="module")
def class_(tmp_path_factory):
    folder = collected(tmp_path_factory.mktemp("class"))
    return grade([folder], limits=GradingLimits(cell=2, notebook=25))


@pytest.mark.grading
def test_each_has_the_points_that_are_theirs(class_):
    assert len(class_) == 20 * len(NAMES)
    points = defaultdict(float)
    for g in class_:
        points[g.student] += g.points
    wrong = {s: points[s] for s, (_, wanted) in hand_ins().items() if not fits(points[s], wanted)}
    assert not wrong


@pytest.mark.grading
def test_what_was_odd_is_said(class_):
    troubles = {g.student: " ".join(g.troubles) for g in class_}
    assert troubles["ada"] == ""
    assert "KeyboardInterrupt" in troubles["endless"]
    assert "more than 25 seconds" in troubles["stubborn"]
    assert "no evidence" in troubles["killed"]
    assert "MemoryError" in troubles["large"]
    (said,) = [g.said for g in class_ if g.student == "mistyped" and g.exercise == "lab1.triangle"]
    assert "^" in said


@pytest.mark.long
def test_the_command_writes_a_table(tmp_path, capsys):
    out = tmp_path / "points.csv"
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / LAB.name).write_text(json.dumps(notebook("grace", rightly("grace"))))
    assert main(["grade", str(tmp_path), "--csv", str(out)]) == 0
    told = capsys.readouterr().out
    assert "ada: the notebook says ME = 'grace'" in told
    assert "whose numbers are these? A line of --names says it: ada,grace" in told
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [r["exercise"] for r in rows] == list(NAMES)
    assert {r["points"] for r in rows} == {""}  # a question, not a score
    assert "? of 10" in told

    (tmp_path / "names.csv").write_text("submission,student\nada,ada\n")
    asked = ["grade", str(tmp_path), "--csv", str(out), "--names", str(tmp_path / "names.csv")]
    assert main(asked) == 0
    told = capsys.readouterr().out
    rows = list(csv.DictReader(out.read_text().splitlines()))
    points = sum(float(r["points"]) for r in rows)
    assert points < 10  # another student's answers
    assert f"{points:g} of 10" in told
    assert "ada: the notebook says ME = 'grace'" in told


@pytest.mark.long
def test_a_function_is_called_where_it_was_written(tmp_path):
    of = labs.exercise("lab8.cells", student="ada")
    formula = of._right[0].text
    text = f'labs.exercise("lab8.cells")\ndef cells_answer(N):\n    return {formula}'
    path = tmp_path / "ada.ipynb"
    path.write_text(json.dumps(notebook("ada", {}, last=text)))
    found = {g.exercise: g for g in grade([path], lab=8)}
    assert found["lab8.cells"].points == labs.exercise("lab8.cells").points
    path.write_text(
        json.dumps(
            notebook("ada", {}, last=text.replace(formula, f"min({formula}, {of._task.right(5)})"))
        )
    )
    found = {g.exercise: g for g in grade([path], lab=8)}
    assert 0 < found["lab8.cells"].points < labs.exercise("lab8.cells").points
    assert "right for the smallest sizes" in found["lab8.cells"].said
    assert not any(c.isdigit() for c in found["lab8.cells"].said.partition("points")[2])


def test_a_function_cannot_look_at_who_calls_it():
    """Nor at the teacher's answer, which its callers hold in `labs.check`."""
    stolen = """
import sys
def steals(N):
    frame = sys._getframe()
    while frame:
        task = frame.f_locals.get("self")
        if hasattr(task, "right"):
            return task.right(N)
        frame = frame.f_back
    return -1
"""
    known = {}
    exec(stolen, known)
    of = labs.exercise("lab8.cells")
    assert not labs.check(of, decoded(through(encoded(known["steals"], sizes_for(of)))))


def test_objects_that_lie_are_plain():
    class Yes(str):
        def __eq__(self, other):
            return True

        __hash__ = str.__hash__

    class One(float):
        def __float__(self):
            return self

        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

    assert type(plain(Yes("x"))) is str
    assert type(plain({"a": One(1)})["a"]) is float
    assert not labs.check("lab1.count", {"S": One(1), "T": One(1)})
    assert not labs.check("lab5.noise", Yes("faster"))


@pytest.mark.parametrize(
    "data", [None, {}, [], {"table": [[1]]}, {"values": 3}, {"values": {"S": {}}}, {"refused": "x"},
             {"table": []}, "x" * 30_000, float("nan"), {"values": {}, "table": []}]
)  # fmt: skip
def test_any_data_is_judged(data):
    for name in ("lab1.count", "lab1.triangle", "lab5.noise", "lab8.cells"):
        assert judged(name, "", data).points == 0


@pytest.mark.long
def test_a_check_that_does_not_end_is_worth_nothing(monkeypatch):
    from polynb.labs.grading import judging

    def endless(*arguments):
        while True:
            pass

    monkeypatch.setattr(judging, "check", endless)
    monkeypatch.setattr(judging, "GRACE", -19.0)
    found = judged("lab1.count", "", 1)
    assert found.points == 0
    assert "took too long" in found.said
    monkeypatch.setattr(judging, "check", lambda *a: os._exit(0))
    assert "ended its process" in judged("lab1.count", "", 1).said


def test_files_that_are_no_submissions_are_refused(tmp_path):
    for wrong in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(PolynbError):
            submissions([wrong])
    (tmp_path / "ada.ipynb").write_text("{")
    with pytest.raises(PolynbError, match="which lab"):
        submissions([tmp_path])
    (made,) = submissions([tmp_path], lab=1)
    assert made.trouble
    assert all(g.points == 0 and g.troubles for g in grade([tmp_path], lab=1))
    for name in ("lab_01.ipynb", "lab1_again.ipynb"):
        (tmp_path / "bob").mkdir(exist_ok=True)
        (tmp_path / "bob" / name).write_text(json.dumps(notebook("bob", {})))
    with pytest.raises(PolynbError, match="two notebooks"):
        submissions([tmp_path], lab=1)
    with pytest.raises(PolynbError):
        grade([tmp_path / "bob" / "lab_01.ipynb"], limits=GradingLimits(cell=0))


def test_tables_hold_no_formulas():
    grades = [Grade("=1+1", "lab1.count", 1.0, 1, "\x1b[31mred\n@x", ("-odd",))]
    told = as_csv(grades)
    assert "'=1+1" in told
    assert "\x1b" not in told + table(grades)
    assert len(told.splitlines()) == 2


@pytest.mark.long
def test_memory_has_its_limit(tmp_path):
    path = tmp_path / "ada.ipynb"
    path.write_text(json.dumps(notebook("ada", {}, before="x = bytearray(2 << 30)")))
    within = GradingLimits(memory=3 << 29)
    assert "MemoryError" in grade([path], limits=within)[0].troubles[0]


def test_an_order_that_travels_as_a_program_is_worth_the_same():
    """Of the loops of some students: those of others may not be interchanged."""
    earned = []
    for student in map(str, range(8)):
        of = labs.exercise("lab2.interchange", student=student)
        answer = pn.transform(of.scop).interchange("i", "j")
        data = through(encoded(answer))
        earned.append(labs.check(of, answer).points)
        assert judged("lab2.interchange", student, data).points == earned[-1]
    assert sum(earned) > 0


def test_a_folder_that_is_not_there_is_said_before_anything_is_graded(tmp_path, capsys):
    target = tmp_path / "resluts" / "points.csv"
    assert main(["grade", str(tmp_path), "--wide", str(target)]) == 2
    assert "--wide" in capsys.readouterr().err


def test_being_slow_where_it_may_be_earns_nothing(monkeypatch):
    """A function that is right nowhere, and never ends at the largest sizes."""
    given = lambda _, sizes: [SLOW if max(at) > LARGEST else -1 for at in sizes]  # noqa: E731
    monkeypatch.setattr(functions, "called", given)
    assert any(max(at) > LARGEST for at in sizes_for(labs.exercise("lab8.cells")))
    assert labs.check("lab8.cells", lambda N: 0).points == 0


def write_cell(path, source):
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": source}]}))


def test_an_own_lab_is_told_from_one_whose_name_it_begins_with(tmp_path, monkeypatch):
    own = ("lab1", "lab2", "lab1_extra", "lab2b", "week3_lab2")
    monkeypatch.setattr("polynb.labs.grading.submissions.lab_names", lambda: own)
    monkeypatch.setattr("polynb.labs.grading.submissions.now_called", lambda labs: {})
    for name in own:
        path = tmp_path / f"{name}.ipynb"
        for source in ("x = 1", f'labs.exercise("{name}.x")'):
            write_cell(path, source)
            assert submissions([path])[0].lab == name
    write_cell(tmp_path / "lab1.ipynb", 'labs.exercise("lab2b.x")')  # says more than its name
    assert submissions([tmp_path / "lab1.ipynb"])[0].lab == "lab2b"


@pytest.mark.parametrize(
    "limits",
    [
        GradingLimits(cell=float("inf")),
        GradingLimits(cell=float("nan")),
        GradingLimits(notebook=float("inf")),
        GradingLimits(memory=2**70),
    ],
)
def test_limits_are_numbers_that_a_timer_takes(tmp_path, limits):
    path = tmp_path / "ada.ipynb"
    path.write_text(json.dumps(notebook("ada", {})))
    with pytest.raises(PolynbError, match=r"cell|notebook|memory"):
        grade([path], lab=1, limits=limits)


def test_memory_without_an_end_is_refused_in_words(tmp_path, capsys):
    (tmp_path / "ada.ipynb").write_text(json.dumps(notebook("ada", {})))
    assert main(["grade", str(tmp_path), "--lab", "1", "--memory", "inf"]) != 0
    assert "memory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda N: 3.5, "gives 3.5"),
        (lambda N: None, "gives None: has it a `return`?"),
        (lambda N: 1 // 0, "raises ZeroDivisionError: "),
    ],
)
def test_functions_that_ran_elsewhere_are_told_as_here(function, said):
    of = labs.exercise("lab8.cells", student="ada")
    data = through(encoded(function, sizes_for(of)))
    found = labs.check(of, decoded(data))
    assert f"it {said}" in str(found)
    assert [f.text for f in found.findings] == [f.text for f in labs.check(of, function).findings]
