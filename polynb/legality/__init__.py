"""May it run so? Orders checked with witnesses, carried loops, and what is private."""

from polynb.legality.checking import Conflict, Verdict, check
from polynb.legality.private import LoopVerdict
from polynb.legality.violation import Violation, violation

__all__ = [
    "Conflict",
    "LoopVerdict",
    "Verdict",
    "Violation",
    "check",
    "violation",
]
