"""What `propagate` asks unless it is told otherwise."""

from __future__ import annotations

from typing import Final

from polynb.arguments import count
from polynb.propagation.heuristics import CacheLines, CodeComplexity, Heuristic
from polynb.propagation.recomputation import Recomputation

LIMIT: Final = 32
"""Cache lines per iteration, the default of the paper's implementation."""


def paper_heuristics(cache_lines: int | None = LIMIT) -> tuple[Heuristic, ...]:
    """The heuristics of sections 4.2 and 4.3 (4.1, `NonLiveOut`, is added unless
    `live_out=True`); None: any number of cache lines."""
    limit = () if cache_lines is None else (CacheLines(count("cache_lines", cache_lines)),)
    return (CodeComplexity(), *limit)


def default_heuristics(cache_lines: int | None = LIMIT) -> tuple[Heuristic, ...]:
    """The paper's, and a limit on what is computed again, which is not the paper's: with its
    own, the camera pipe keeps fewer arrays and becomes slower than it was."""
    return (*paper_heuristics(cache_lines), Recomputation())
