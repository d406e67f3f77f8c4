"""Whether a model has the dependences that were seen: the check of a Scop made from a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from polynb import isl
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.model import Folding
from polynb.tracing.to_scop.parts import TracedStatement

Edges = dict[tuple[str, str], isl.Map]


def check_flow(
    scop: Scop,
    traced: Iterable[TracedStatement],
    flow: Mapping[tuple[str, str], FlowDependence],
    folding: Folding,
) -> None:
    """Raises PolynbError where the flow dependences of the model are not those of the run: all that
    were seen must be there, and no others where all accesses are exact."""
    seen, rough = seen_edges(traced, flow)
    model: Edges = {}
    for e in analyze(scop).flow_edges:
        _add(model, (e.source, e.target), e.relation)
    for key in {*seen, *model}:
        a, b = (scop.by_name[n] for n in key)
        have = model.get(key) or isl.Map.empty(_space(a.domain, b.domain))
        want = seen.get(key) or isl.Map.empty(_space(a.domain, b.domain))
        exact = key not in rough and all(s.affine for s in scop.statements)
        wrong = want.subtract(have) if key not in rough else isl.Map.empty(want.get_space())
        extra = have.subtract(want) if exact else isl.Map.empty(have.get_space())
        if not wrong.is_empty() or not extra.is_empty():
            what = "was seen" if extra.is_empty() else "was not seen"
            pair = wrong if extra.is_empty() else extra
            ends = " and ".join(f"{n} (line {_line(n, folding)})" for n in key)
            raise PolynbError(
                f"what ran cannot be modelled: between {ends} a dependence {what}, unlike in the "
                "model",
                reason=f"for example {isl.basic_maps(pair)[0].sample()}",
                hint="a smaller part of the program, marked by `#pragma scop`",
            )


def seen_edges(
    traced: Iterable[TracedStatement], flow: Mapping[tuple[str, str], FlowDependence]
) -> tuple[Edges, set[tuple[str, str]]]:
    """The dependences between statements that were seen, and those pairs of statements of which
    only a superset is known."""
    statements = list(traced)
    edges: Edges = {}
    rough = set()
    for f in flow.values():
        for a in statements:
            if a.sink.name != f.source:
                continue
            for b in statements:
                if not _takes(b, f):
                    continue
                relation = isl.rename(f.relation, isl.IN, a.name)
                relation = isl.rename(relation, isl.OUT, b.name)
                _add(edges, (a.name, b.name), relation)
                if not f.exact:
                    rough.add((a.name, b.name))
    return edges, rough


def _takes(s: TracedStatement, f: FlowDependence) -> bool:
    """Whether a dependence brings a value into a statement: to a load of it, or as a register."""
    members = {i.name for i in s.members}
    if f.target not in members:
        return False
    loaded = f.target in {i.name for i in s.loads}
    return loaded or f.source not in members or f.source in {r.name for r in s.registers}


def _add(edges: Edges, key: tuple[str, str], relation: isl.Map) -> None:
    edges[key] = relation if key not in edges else edges[key].union(relation)


def _space(a: isl.Set, b: isl.Set) -> isl.Space:
    return isl.Map.from_domain_and_range(a, b).get_space()


def _line(name: str, folding: Folding) -> int:
    i = next(i for n, i in folding.instructions.items() if n.replace(".", "_") == name)
    return i.line
