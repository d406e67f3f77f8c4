"""What a locked cell of nbgrader, or a test of otter-grader, asks: the points of an answer.

Both run in the student's kernel, where anything may have been put in anything's place; so the
answer is judged in a fresh process, which gets it as data. What a kernel says that was made to lie
on purpose is still its own word: the points of record are those of `python -m polynb.labs grade`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from polynb.errors import PolynbError
from polynb.labs.answers import encoded, sizes_for
from polynb.labs.catalogue import exercise
from polynb.labs.folders import VARIABLE, own_folders
from polynb.labs.grading.judging import GRACE, JudgedAnswer
from polynb.labs.grading.running import end_session


def earned(name: str, answer: object, student: object = "") -> JudgedAnswer:
    """What an answer to an exercise is worth, judged in a process of its own. When nbgrader grades,
    the student is the one whose folder the notebook is in, whatever the notebook says. Raises
    PolynbError for an unknown exercise only."""
    of = exercise(name, student=_student(student))
    try:
        data = encoded(answer, sizes_for(of))
    except Exception as error:
        data = {"refused": str(error)[:300]}
    if data is None:
        return JudgedAnswer(0, of.points, f"no answer yet. It is to be {of.form}")
    if isinstance(data, dict) and "refused" in data:
        return JudgedAnswer(0, of.points, data["refused"])
    request = json.dumps({"name": name, "student": of.student, "data": data})
    try:
        points, said = _asked(request, of.seconds + 3 * GRACE)
    except (subprocess.TimeoutExpired, ValueError):
        return JudgedAnswer(0, of.points, "judging the answer did not end")
    return JudgedAnswer(points, of.points, said)


def _student(given: object) -> str:
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return Path.cwd().parent.name
    return given if isinstance(given, str) else ""


@lru_cache
def _asked(request: str, seconds: float) -> tuple[float, str]:
    """Points, and what is said. Raises TimeoutExpired or ValueError if there is no judgement."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "polynb.labs.grading.judge_main"],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, VARIABLE: os.pathsep.join(map(str, own_folders()))},
        )
        try:
            process.communicate(request.encode(), timeout=seconds)
            out.seek(0)
            points, said = json.load(out)
            return points, said
        finally:
            end_session(process)


def points_of(name: str, answer: object, student: object = "") -> float:
    """The points of a locked cell. Raises PolynbError with what is wrong for none at all; of some,
    what is wrong is printed."""
    found = earned(name, answer, student)
    if not found.points > 0:
        raise PolynbError(found.said)
    if found.points < found.of:
        print(found.said)
    return float(found.points)
