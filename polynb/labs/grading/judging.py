"""What an answer that came as data is worth, found out in a copy of the teacher's process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.answers import decoded
from polynb.labs.apart import apart
from polynb.labs.catalogue import exercise
from polynb.labs.checking import check
from polynb.labs.tasks.schedules import ScheduleTask

GRACE: Final = 10.0
"""Seconds that a check has, beside those that its exercise allows, to say that they are over."""
MEMORY: Final = 4 * 2**30


@dataclass(frozen=True)
class JudgedAnswer:
    """Points for an answer, of how many, and what the checker says of it."""

    points: float
    of: int
    said: str


def judged(name: str, student: str, data: Json, memory: int = MEMORY) -> JudgedAnswer:
    """What an answer (JSON, see `polynb.labs.answers`) of a student is worth. A check that ends
    its process, or does not end in the exercise's time, is worth nothing."""
    of = exercise(name, student=student)
    if isinstance(data, dict) and set(data) == {"refused"}:
        return JudgedAnswer(0, of.points, str(data["refused"]))

    def found() -> bytes:
        try:
            made = check(of, decoded(data, order=isinstance(of._task, ScheduleTask)))
            return json.dumps([made.points, str(made)]).encode()
        except PolynbError as error:
            return json.dumps([0, str(error)]).encode()

    text = apart(found, of.seconds + GRACE, memory)
    if not text:
        why = "took too long" if text is None else "ended its process"
        return JudgedAnswer(0, of.points, f"judging the answer {why}")
    points, said = json.loads(text)
    return JudgedAnswer(points, of.points, said)
