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


def dataflow_ascending(program: Scop | Derivation) -> tuple[Edge, ...]:
    """`array_dataflow` with that reading."""
    return array_dataflow(program, readings=DataflowReadings(AscendingSink))
