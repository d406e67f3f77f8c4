"""Dependences as relations; those with ⊤ coefficients over-approximated (TACO'19, section 4.3).

The paper asks for `c'q <= cq` wherever an output has a ⊤. That is only right if all outer
distances are zero: a value may come from an earlier iteration of an outer loop, and from a later
one of an inner loop there. What always holds is the order of execution, which is lexicographic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.folding import Folded, FoldedPiece
from polynb.tracing.feedback.loops import common_loops, precedes
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction

MOST_PIECES: Final = 300
"""Of a dependence. With more, it is taken as any that the order of execution allows."""
JOINED: Final = 40
"""Pieces that isl is asked to join: what it takes grows with more than their square."""


@dataclass(frozen=True, eq=False)
class FlowDependence:
    """A flow dependence: `relation` is `{ I4[cj, ck] -> I4[cj', ck'] }`, from the producer to the
    consumer. It contains each pair that was seen; if `exact`, no others. `common` is the number of
    loops that both are in. `crossed`: of these, a bit each by their depth, those to another of
    whose iterations it was seen to lead; None where that is not known."""

    source: str
    target: str
    relation: isl.Map
    common: int
    exact: bool
    crossed: int | None = None


def tuple_name(name: str) -> str:
    """An instruction's name as a tuple of isl's: `I3.2` -> `I3_2`."""
    return name.replace(".", "_")


def domain_of(i: Instruction, folded: Folded) -> isl.Set:
    """All vectors of an instruction, `{ I2[cj, ck] : ... }`: a superset where it was given up."""
    name = tuple_name(i.name)
    space = isl.set_space((), name, i.loops)
    return isl.united((piece.domain(i.loops, name) for piece in folded.pieces), space)


def domains(folding: Folding) -> dict[str, isl.Set]:
    """Of every instruction; of very many pieces, the box around them."""
    return {n: around(i, folding.executed[n]) for n, i in folding.instructions.items()}


def around(i: Instruction, folded: Folded) -> isl.Set:
    """A superset of an instruction's vectors, which is all of them where they are in few pieces."""
    if len(folded.pieces) <= MOST_PIECES:
        return domain_of(i, folded)
    columns = list(zip(*(v for p in folded.pieces for v in p.vertices), strict=True))
    bounds = [f"{min(c)} <= {x} <= {max(c)}" for x, c in zip(i.loops, columns, strict=True)]
    text = f"{{ {tuple_name(i.name)}[{', '.join(i.loops)}] : {' and '.join(bounds) or 'true'} }}"
    found: isl.Set = isl.read_set(text)
    return found


@isl.guarded
def flow_dependence(
    folding: Folding, pair: tuple[str, str], folded: Folded, known: Mapping[str, isl.Set]
) -> FlowDependence:
    """A folded dependence as a relation. Outputs without ⊤ are equations; for pieces with others
    the producer's vector is any in its domain that comes before the consumer's; so it is where
    there are very many pieces."""
    source, target = (folding.instructions[name] for name in pair)
    rough = replace(_ordered(folding, (source, target), known), crossed=folding.crossed.get(pair))
    if len(folded.pieces) > MOST_PIECES:
        return rough
    stated = ((p, _stated(p, target, source).reverse()) for p in folded.pieces)
    parts = (m if p.is_affine else m.intersect(rough.relation) for p, m in stated)
    found = isl.united(parts, rough.relation.get_space())
    joined = isl.coalesced(found) if len(folded.pieces) <= JOINED else found
    exact = all(p.is_affine for p in folded.pieces)
    return replace(rough, relation=joined, exact=exact)


def _ordered(
    folding: Folding, pair: tuple[Instruction, Instruction], known: Mapping[str, isl.Set]
) -> FlowDependence:
    """All that the order of execution allows."""
    source, target = pair
    common = common_loops(folding, source, target)
    whole = isl.Map.from_domain_and_range(known[source.name], known[target.name])
    before = _lexicographic(whole, common, strict=precedes(source, target) is False)
    return FlowDependence(source.name, target.name, before, common, False)


def _stated(piece: FoldedPiece, consumer: Instruction, producer: Instruction) -> isl.Map:
    """`{ consumer -> producer }` of a piece, where outputs with a ⊤ are free."""
    outputs = [f"{name}'" for name in producer.loops]
    relation = piece.relation(consumer.loops, outputs, tuple_name(consumer.name))
    named = relation.set_tuple_name(isl.OUT, tuple_name(producer.name))
    found: isl.Map = isl.with_dim_names(named, isl.OUT, producer.loops)
    return found


def _lexicographic(whole: isl.Map, common: int, *, strict: bool) -> isl.Map:
    """The pairs of `{ P[p] -> C[c] }` whose first `common` coordinates come before those of c, or
    are the same (unless `strict`)."""
    same, found = whole, isl.Map.empty(whole.get_space())
    for q in range(common):
        found = found.union(same.order_lt(isl.IN, q, isl.OUT, q))
        same = same.equate(isl.IN, q, isl.OUT, q)
    return found if strict else found.union(same)


def flow_dependences(
    folding: Folding, kept: Mapping[tuple[str, str], Folded], known: Mapping[str, isl.Set]
) -> tuple[FlowDependence, ...]:
    """All dependences that were kept, as relations."""
    return tuple(flow_dependence(folding, pair, f, known) for pair, f in kept.items())


def among(flow: Sequence[FlowDependence], names: set[str]) -> tuple[FlowDependence, ...]:
    """Those between instructions of these names."""
    return tuple(f for f in flow if f.source in names and f.target in names)


# -- calls of functions of which nothing is known: each may read and write whatever is in memory, so
# no other order than that of execution is known to be the same


def unknown_calls(folding: Folding) -> tuple[Instruction, ...]:
    return tuple(i for i in folding.instructions.values() if i.kind == "call")


@isl.guarded
def among_calls(folding: Folding, known: Mapping[str, isl.Set]) -> tuple[FlowDependence, ...]:
    """Each such call with itself, in order: no loop around it is known to be parallel."""
    return tuple(_ordered(folding, (c, c), known) for c in unknown_calls(folding) if c.loops)


@isl.guarded
def with_calls(folding: Folding, known: Mapping[str, isl.Set]) -> tuple[FlowDependence, ...]:
    """All pairs of such a call and an access (or another such call) in a loop around both, in the
    order in which they ran."""
    calls = unknown_calls(folding)
    others = [i for i in folding.instructions.values() if i.kind in ("load", "store", "call")]
    found = [*among_calls(folding, known)]
    for c in calls:
        for o in others:
            if o is c or not common_loops(folding, c, o):
                continue
            found.append(_ordered(folding, (c, o), known))
            if o.kind != "call":
                found.append(_ordered(folding, (o, c), known))
    return tuple(found)
