"""The lessons that hints send to, by the question that each asks."""

from __future__ import annotations

from typing import Final

LESSONS: Final = {
    1: "Instances: which executions are there?",
    2: "Order: when does each run?",
    3: "Dependences: who uses whose value?",
    4: "Legality: may I exchange them?",
    5: "Measuring: what is a fair time?",
    6: "Propagation: must it be stored?",
    7: "Its limits: order, heuristics, NP-hardness",
    8: "Live ranges: must reuse serialise?",
    9: "Bands: how is an order found?",
    10: "DeLICM: where can a scalar live?",
    11: "Folding: no source, only a run?",
    12: "Which of the five?",
}


def read(lesson: int, what: str) -> str:
    """The last hint: where to read."""
    return f"read lesson {lesson}, “{LESSONS[lesson]}”: {what}."
