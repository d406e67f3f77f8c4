"""Orders of execution: which loops, in what order, how often they run, what is theirs alone."""

from polynb.schedules.legality import Violation, violation
from polynb.schedules.loops import LoopVerdict
from polynb.schedules.merging import Merged, NotMerged, merge_writes
from polynb.schedules.trip_counts import trip_count

__all__ = [
    "LoopVerdict",
    "Merged",
    "NotMerged",
    "Violation",
    "merge_writes",
    "trip_count",
    "violation",
]
