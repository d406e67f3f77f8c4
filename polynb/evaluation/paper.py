"""What the paper reports (CC'18, Tables 1, 3 and 4), to stand beside what is measured here.

Times are those of its Xeon E3-1225 v3 with 4 threads, in milliseconds.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from polynb.tuning.counts import Counts


@dataclass(frozen=True)
class Reported:
    """One benchmark: the counts of Table 1, naive and propagated (EP), and the times of Tables 3
    and 4 (best and worst are those of random subsets; local Laplacian has none). PolyMage's is
    that of clang, the compiler of all the others; of gcc and icc there are times besides."""

    naive: Counts
    propagated: Counts
    naive_ms: float
    propagated_ms: float
    best_ms: float | None = None
    worst_ms: float | None = None
    polly_ms: float | None = None
    polymage_ms: float | None = None
    halide_ms: float | None = None
    forked_polly_ms: float | None = None
    polymage_gcc_ms: float | None = None
    polymage_icc_ms: float | None = None


def _reported(naive: list[int], propagated: list[int], **times: float) -> Reported:
    return Reported(Counts(*naive), Counts(*propagated), **times)


def _paper() -> dict[str, Reported]:
    text = files("polynb.evaluation").joinpath("paper.toml").read_text("utf-8")
    return {name: _reported(**row) for name, row in tomllib.loads(text).items()}


PAPER: Final = _paper()
"""In the order of Table 1, by the gallery's names."""
