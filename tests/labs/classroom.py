"""A class of twenty and what each hands in for lab 1, with the points that are theirs by right."""

import copy
import json
from pathlib import Path

from polynb import labs
from polynb.labs.copies import read, student as emptied

LAB = Path(__file__).parents[2] / "notebooks" / "labs" / "lab_01_sets.ipynb"
NAMES = labs.exercises(1)
SHORT = [n.partition(".")[2] for n in NAMES]
MOST = 10

ALL = [MOST]
NONE = [0]
FAKES = {
    "count": '{"S": -1, "T": -1}',
    **dict.fromkeys(("triangle", "diamond"), '"{ S[i, j] : i = -1 and j = -7 }"'),
    **dict.fromkeys(("hole", "stride"), '"{ S[i] : i = -7 }"'),
}
"""Answers that are worth nothing."""
LIAR = """
class Yes(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def strip(self, *a): return self
    lower = strip
class One(float):
    def __eq__(self, other): return True
    def __float__(self): return self
"""
PATCH = """
import polynb.labs.checking, polynb.labs.tasks.sets, polynb.labs.tasks.values
from fractions import Fraction
from polynb.labs.findings import Outcome
for task in (polynb.labs.tasks.sets.SetTask, polynb.labs.tasks.values.ValuesTask):
    task.judge = lambda self, answer: Outcome(Fraction(1))
"""
STUBBORN = """
import signal
for s in (signal.SIGINT, signal.SIGALRM):
    signal.signal(s, signal.SIG_IGN)
while True:
    pass
"""


def right(name, student="", k=0):
    return repr(labs.exercise(name, student=student)._right[k])


def notebook(student, answers, before="", last="", base=None):
    """A student's copy with these answers, a cell behind the one with the name, and one at the
    end. An answer that is None: the cell was deleted."""
    made = copy.deepcopy(base or emptied(read(LAB)))
    cells = []
    for cell in made["cells"]:
        name = cell["id"].removesuffix("-answer") if cell["id"].endswith("-answer") else None
        if name is not None and answers.get(name, "...") is None:
            continue
        if name is not None and name in answers:
            empty = "".join(cell["source"])
            text = empty.replace("...  # your answer", answers[name])
            assert text != empty
            cell = cell | {"source": text}
        if cell["id"] == "setup":
            text = "".join(cell["source"]).replace('ME = ""', f"ME = {student!r}")
            cell = cell | {"source": text}
        cells.append(cell)
        if cell["id"] == "setup" and before:
            cells.append(code("before", before))
    if last:
        cells.append(code("last", last))
    return made | {"cells": cells}


def code(name, source):
    return {"cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [],
            "execution_count": None}  # fmt: skip


def rightly(student, k=0, **others):
    return {s: right(n, student, k) for n, s in zip(NAMES, SHORT, strict=True)} | others


def hand_ins(base=None):
    """Each student's notebook, and the points, of which one is right."""
    made = {}

    def hands_in(student, points, answers, **more):
        made[student] = notebook(student, answers, base=base, **more), points

    for student, k in (("ada", 0), ("grace", 1), ("edsger", 2)):  # right, written differently
        hands_in(student, ALL, rightly(student, k))
    wrong = [labs.exercise(n, student="niklaus").misconceptions[0].answer for n in NAMES]
    hands_in("niklaus", ["some"], dict(zip(SHORT, map(repr, wrong), strict=True)))
    hands_in("blank", NONE, {})
    made["nothing"] = notebook("nothing", {}, base=base) | {"cells": []}, NONE
    hands_in("mistyped", [8], rightly("mistyped", triangle='"[N] -> { S[i, j : 0 <= i < N }"'))
    hands_in("partly", [5], rightly("partly", hole="...", diamond="..."))
    hands_in("deleted", [8], rightly("deleted", triangle=None))
    hands_in("endless", ALL, rightly("endless"), before="while True: pass")
    hands_in("stubborn", NONE, rightly("stubborn"), before=STUBBORN)
    hands_in("killed", NONE, rightly("killed"), last="import os; os._exit(0)")
    hands_in("large", ALL, rightly("large"), before="x = bytearray(1 << 60)")
    hands_in("interrupted", ALL, rightly("interrupted"), before="raise KeyboardInterrupt")
    hands_in("checks", NONE, FAKES, before="labs.check = lambda *a, **k: True")
    forged = "labs.Assessment(triangle, 2, 2, ())"
    hands_in("forger", [8], rightly("forger", triangle=forged))
    other = 'count_answer\ntriangle = labs.exercise("lab1.count", student=ME)'
    hands_in("renamed", [8], rightly("renamed", triangle=other))
    lies = {s: f"Yes({FAKES[s]})" for s in SHORT} | {"count": '{"S": One(1), "T": One(1)}'}
    hands_in("liar", NONE, lies, before=LIAR)
    hands_in("patch", NONE, FAKES, before=PATCH)
    printed = notebook("printed", {}, base=base)
    for cell in printed["cells"]:
        if cell["id"].endswith("-answer"):
            said = "lab1: 2 of 2 points"
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": said}]
    made["printed"] = printed, NONE
    assert len(made) == 20
    return made


def fits(points, wanted):
    return 0 < points < MOST if wanted == ["some"] else points in wanted


def collected(folder):
    """The class's notebooks in a folder, a folder for each student."""
    for student, (made, _) in hand_ins().items():
        (folder / student).mkdir(parents=True)
        (folder / student / LAB.name).write_text(json.dumps(made))
    return folder
