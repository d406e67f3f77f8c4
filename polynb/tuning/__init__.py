"""Many variants of a program: made, compiled, compared, timed, counted.

`sweep` runs them; `Trial` is what it usually runs; `counts` are those of Table 1."""

from polynb.tuning.counts import Counts, counts
from polynb.tuning.results import Row, Sweep
from polynb.tuning.subsets import subsets
from polynb.tuning.sweeping import sweep
from polynb.tuning.trial import Trial

__all__ = [
    "Counts",
    "Row",
    "Sweep",
    "Trial",
    "counts",
    "subsets",
    "sweep",
]
