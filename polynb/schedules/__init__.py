"""Orders of execution: which loops, in what order, how often they run, what is theirs alone."""

from polynb.schedules.loops import LoopVerdict
from polynb.schedules.trip_counts import trip_count

__all__ = ["LoopVerdict", "trip_count"]
