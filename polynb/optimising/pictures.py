"""Pipelines of pictures, each stage computed from earlier ones: they run in strips of rows of their
results, in which a stage keeps the rows that are still needed (`windows`).

No model chooses this form: what its code costs is not seen by one that counts loops. Of random
pipelines none was slower in it than as written (`tests/benchmarks/pipelines.py`).
"""

from __future__ import annotations

from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.propagation.steps import BudgetSpent
from polynb.scop.model import Scop
from polynb.windows import InStrips

ROWS: Final = 32
OPERATIONS: Final = 25_000_000
SECONDS: Final = 15.0


def is_pipeline(scop: Scop) -> bool:
    """Whether it has temporary pictures, and computes none from itself."""
    pictures = any(a.role == "temp" and a.dimensions > 1 for a in scop.arrays.values())
    return pictures and not any(r.array == s.write.array for s in scop.statements for r in s.reads)


def in_rows(scop: Scop) -> Scop | None:
    """The pipeline propagated, and in strips of ROWS rows; None where nothing goes into these.

    Raises PolynbError where that is not found at once.
    """
    with isl.budget(OPERATIONS, SECONDS):
        made = propagate(scop, windows=ROWS)
        steps, result = made.steps, made.result
    if any(isinstance(s, InStrips) for s in steps):
        return result
    for s in steps:
        if isinstance(s, BudgetSpent):
            raise PolynbError(str(s).rstrip("."))
    return None
