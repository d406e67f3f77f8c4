"""Whether a new order of execution respects the dependences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.arguments import instance, named, objects, one_of
from polynb.dependences.model import Edge
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
    edges = objects("edges", edges, _is_edge, "edges", "pn.analyze(scop).edges")
    for e in edges:
        for end in (e.source, e.target):
            one_of("times", end, times, "time for statement")
    return next(violations(edges, times, assumed), None)


def violations(
    edges: Iterable[Edge], times: Mapping[str, isl.Map], assumed: isl.Set
) -> Iterator[Violation]:
    """One for each of these dependences that the new times turn around."""
    for e in edges:
        witness = pair_witness(violated_pairs(e, times, assumed))
        if witness is not None:
            yield Violation(e, witness)


def _is_edge(x: object) -> bool:
    return isinstance(x, Edge)


def violated_pairs(e: Edge, times: Mapping[str, isl.Map], assumed: isl.Set) -> isl.Map:
    """`{ S[i] -> T[j] }`, the dependent pairs of which the target does not run after the source."""
    pairs = times[e.source].lex_ge_map(times[e.target]).intersect(e.relation)
    if e.kind == "war" and e.source == e.target:
        pairs = pairs.subtract(isl.Map.identity(pairs.get_space()))
    return pairs.intersect_params(assumed)
