"""GRAPHITE's algorithms as they may be read, to see what comes of it (`notebooks/errata.ipynb`).

As in `readings`, a reading takes the place of what it is a reading of, for one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polynb.violations.dataflow as dataflow_module
from polynb.dependences import Edge
from polynb.derivation import Derivation
from polynb.evaluation.readings import instead
from polynb.scop import Scop


def dataflow_ascending(program: Scop | Derivation) -> tuple[Edge, ...]:
    """`array_dataflow` with the sources S_j of section 4.2.1 tried from the first to the last one,
    while *remove killed sources* looks at S_k, k < j, as printed."""
    sink = dataflow_module._Sink
    certain, removed = sink._certain, sink._remove_killed

    def backwards(search: Any, sources: Sequence[Any]) -> Any:
        return certain(search, sources[::-1])  # the loop over j goes down

    def before(search: Any, delta: Any, sources: Sequence[Any], j: int, level: int) -> None:
        ascending = sources[j:][::-1]
        removed(search, delta, ascending, len(ascending) - 1, level)

    with instead(sink, _certain=backwards, _remove_killed=before):
        return dataflow_module.array_dataflow(program)
