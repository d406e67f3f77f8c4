"""Orders of execution: which loops, in what order, how often they run, what is theirs alone."""

from polynb.schedules.contracting import contract
from polynb.schedules.merging import Merged, NotMerged, merge_writes
from polynb.schedules.permuting import interchange, permutable_bands
from polynb.schedules.privatizing import privatizable, privatize
from polynb.schedules.storage import with_storage
from polynb.schedules.tiling import tile
from polynb.schedules.trip_counts import trip_count

__all__ = [
    "Merged",
    "NotMerged",
    "contract",
    "interchange",
    "merge_writes",
    "permutable_bands",
    "privatizable",
    "privatize",
    "tile",
    "trip_count",
    "with_storage",
]
