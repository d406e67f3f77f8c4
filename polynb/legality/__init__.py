"""May it run so? Orders checked with witnesses, carried loops, and what is private."""

from polynb.legality.checking import Conflict, Verdict, check, memory_based
from polynb.legality.pair import LiveRange, ViolatedPair
from polynb.legality.private import LoopVerdict
from polynb.legality.violation import Violation, violation

__all__ = [
    "Conflict",
    "LiveRange",
    "LoopVerdict",
    "Verdict",
    "ViolatedPair",
    "Violation",
    "check",
    "memory_based",
    "violation",
]
