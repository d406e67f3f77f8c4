"""Whether a new order of execution respects the dependences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from polynb import isl
from polynb.arguments import instance, named, objects, one_of
from polynb.dependences.model import Edge


@dataclass(frozen=True, eq=False)
class Violation:
    """A dependence that a new order turns around: at `parameters`, the `target` instance would no
    longer run after the `source` instance."""

    edge: Edge
    parameters: Mapping[str, int]
    source: tuple[int, ...]
    target: tuple[int, ...]

    def __str__(self) -> str:
        values = "".join(f", {k} = {v}" for k, v in self.parameters.items())
        return (
            f"{self.edge.target}{list(self.target)} depends on "
            f"{self.edge.source}{list(self.source)} through {self.edge.array}{values}"
        )


@isl.guarded
def violation(
    edges: Iterable[Edge], times: Mapping[str, isl.Map], assumed: isl.Set
) -> Violation | None:
    """The first dependence `{ S[i] -> T[j] }` whose target does not run after its source at the
    new times `{ S[i] -> [t] }`; None if there is none.

    Value-based flow, anti and output dependences together are enough: every pair of accesses to
    a cell, one of which writes, is linked by a chain of them. Of an anti dependence source and
    target may be one instance.
    """
    named("times", times, what="statement")
    instance("assumed", assumed, isl.Set, "scop.assumed")
    for e in objects("edges", edges, _is_edge, "edges", "pn.analyze(scop).edges"):
        for end in (e.source, e.target):
            one_of("times", end, times, "time for statement")
        found = isl.witness_pair(turned(e, times, assumed))
        if found is not None:
            return Violation(e, *found)
    return None


def _is_edge(x: Any) -> bool:
    return isinstance(x, Edge)


def turned(e: Edge, times: Mapping[str, isl.Map], assumed: isl.Set) -> isl.Map:
    """`{ S[i] -> T[j] }`, the dependent pairs of which the target does not run after the source."""
    pairs = times[e.source].lex_ge_map(times[e.target]).intersect(e.relation)
    if e.kind == "war" and e.source == e.target:
        pairs = pairs.subtract(isl.Map.identity(pairs.get_space()))
    return pairs.intersect_params(assumed)
