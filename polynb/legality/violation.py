"""Whether a new order of execution respects the dependences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.arguments import instance, named, objects, one_of
from polynb.dependences.model import Edge
from polynb.legality.order import Order
from polynb.scop.witness import Witness, pair_witness


@dataclass(frozen=True, eq=False)
class Violation:
    """A dependence that a new order turns around: the "target" of the witness would no longer run
    after its "source"."""

    edge: Edge
    witness: Witness

    def __str__(self) -> str:
        w = self.witness
        return w.at_values(f"{w['target']} depends on {w['source']} through {self.edge.array}")


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
    edges = objects("edges", edges, Edge, "edges", "pn.analyze(scop).edges")
    for e in edges:
        for end in (e.source, e.target):
            one_of("times", end, times, "time for statement")
    return next(violations(edges, Order(times), assumed), None)


def violations(edges: Iterable[Edge], new: Order, assumed: isl.Set) -> Iterator[Violation]:
    """One for each of these dependences that a new order turns around."""
    for e in edges:
        witness = pair_witness(new.turned(e).intersect_params(assumed))
        if witness is not None:
            yield Violation(e, witness)
