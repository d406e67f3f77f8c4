"""Many variants of a program: made, compiled, compared, timed, counted.

`sweep` runs them; `Trial` is what it usually runs; `counts` are those of Table 1; a `Table` is what
a notebook shows as one; `roofline` says what limits kernels."""

from polynb.tuning.counts import Counts, counts
from polynb.tuning.results import Row, Sweep
from polynb.tuning.roofs import Roofline, roofline
from polynb.tuning.searching import Search, search, tune
from polynb.tuning.space import SearchSpace
from polynb.tuning.subsets import subsets
from polynb.tuning.sweeping import sweep
from polynb.tuning.tables import Table
from polynb.tuning.trial import Trial

__all__ = [
    "Counts",
    "Roofline",
    "Row",
    "Search",
    "SearchSpace",
    "Sweep",
    "Table",
    "Trial",
    "counts",
    "roofline",
    "search",
    "subsets",
    "sweep",
    "tune",
]
