"""In which loops data, or counters alone, say where a store goes, as its text says."""

from __future__ import annotations

from collections.abc import Container, Sequence

from polynb.tracing.programs.counted import goes_by_counters
from polynb.tracing.programs.keeping import changed_by_data, placed_by_data
from polynb.tracing.programs.texts import Text
from polynb.tracing.records import LoopOf

Own = Sequence[tuple[LoopOf, int]]
"""The loops of a store's function around it, each with the how manyth of its line it is."""


def by_data(lines: Text, line: int, own: Own) -> tuple[str, ...] | None:
    """Those whose iterations may take it from the data; None where nothing is."""
    if not (names := placed_by_data(lines, line)):
        return None
    return tuple(x.name for x, which in own if changed_by_data(lines, x.line, which, names))


def by_counters(
    lines: Text, at: tuple[int, int], own: Own, inside: Container[str]
) -> tuple[str, ...]:
    """Those in whose iterations counters alone say which element it is of a variable, `inside`
    which it was seen."""
    looks = ((x.name, goes_by_counters(lines, at, x.line, which)) for x, which in own)
    return tuple(name for name, variable in looks if variable and variable in inside)
