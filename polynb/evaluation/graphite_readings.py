"""GRAPHITE's algorithms as they may be read, to see what comes of it (`notebooks/errata.ipynb`)."""

from __future__ import annotations

from collections.abc import Sequence

from polynb.dependences import Edge
from polynb.derivation import Derivation
from polynb.scop.model import Scop
from polynb.violations.dataflow import (
    ArraySink,
    ArraySource,
    DataflowReadings,
    Pairs,
    array_dataflow,
)


class AscendingSink(ArraySink):
    """The sources S_j of section 4.2.1 are tried from the first to the last one, while *remove
    killed sources* looks at S_k, k < j, as printed."""

    def certain(self, sources: Sequence[ArraySource]) -> Pairs:
        return super().certain(sources[::-1])  # the loop over j goes down

    def remove_killed(
        self, delta: Pairs, sources: Sequence[ArraySource], j: int, sink_level: int
    ) -> None:
        ascending = sources[j:][::-1]
        super().remove_killed(delta, ascending, len(ascending) - 1, sink_level)


class OutermostFirstSink(ArraySink):
    """ "Starting from the outermost level to the innermost", as the text of section 4.2.1 says."""

    def levels(self) -> Sequence[int]:
        return super().levels()[::-1]


def dataflow_ascending(program: Scop | Derivation) -> tuple[Edge, ...]:
    """`array_dataflow` with the first reading."""
    return array_dataflow(program, readings=DataflowReadings(AscendingSink))


def dataflow_outermost_first(program: Scop | Derivation) -> tuple[Edge, ...]:
    """`array_dataflow` with the second one."""
    return array_dataflow(program, readings=DataflowReadings(OutermostFirstSink))
