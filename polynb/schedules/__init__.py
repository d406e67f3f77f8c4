"""Orders of execution: which loops, in what order, how often they run, what is theirs alone."""

from polynb.schedules.contracting import contract
from polynb.schedules.interchange import interchange
from polynb.schedules.kinds import with_loops
from polynb.schedules.legality import Violation, violation
from polynb.schedules.loops import LoopVerdict
from polynb.schedules.merging import Merged, NotMerged, merge_writes
from polynb.schedules.permuting import permutable_bands
from polynb.schedules.privatizing import privatizable, privatize
from polynb.schedules.tiling import tile
from polynb.schedules.trip_counts import trip_count
from polynb.schedules.verdict import Conflict, Verdict, check

__all__ = [
    "Conflict",
    "LoopVerdict",
    "Merged",
    "NotMerged",
    "Verdict",
    "Violation",
    "check",
    "contract",
    "interchange",
    "merge_writes",
    "permutable_bands",
    "privatizable",
    "privatize",
    "tile",
    "trip_count",
    "violation",
    "with_loops",
]
