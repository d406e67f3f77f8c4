"""Many variants of a program: made, compiled, compared, timed, counted; and CC'18's evaluation.

`sweep` runs them; `Trial` is what it usually runs; `counts` are those of Table 1. The evaluation
of section 6 is commands: `python -m polynb.tuning.table1`, `figure11`, `figure12`, `figure13` and
`scalars`; each tells its options with `--help`.
"""

from polynb.tuning.counts import Counts, counts
from polynb.tuning.results import Row, Sweep
from polynb.tuning.subsets import subsets
from polynb.tuning.sweeping import sweep
from polynb.tuning.trial import Trial

__all__ = ["Counts", "Row", "Sweep", "Trial", "counts", "subsets", "sweep"]
