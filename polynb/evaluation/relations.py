"""Dependences as the papers print them, and how many pairs of instances they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from polynb import isl
from polynb.dependences import Edge, analyze
from polynb.derivation import Derivation, as_scop
from polynb.scop.model import Scop
from polynb.tuning.tables import Table

KINDS: Final = {"raw": "flow", "war": "anti", "waw": "output", "rar": "input"}


def relations(program: Scop | Derivation, edges: Iterable[Edge]) -> Table:
    """A row for each dependence: its kind, the array it goes through, and its relation
    `{ S[i] -> T[j] }` *modulo domain constraints* (IMPACT'16, section 2.3): what is said already by
    which instances there are is left out."""
    scop = as_scop(program)
    rows = [(KINDS[e.kind], e.array, str(modulo_domains(scop, e))) for e in edges]
    return Table(("kind", "through", "relation"), rows, left=("through", "relation"))


def modulo_domains(scop: Scop, edge: Edge) -> isl.Map:
    """The relation of a dependence, `{ S[i] -> T[j] }`, without what the domains of its two
    statements and the program's assumptions say."""
    source, target = scop.by_name[edge.source].domain, scop.by_name[edge.target].domain
    inside = isl.Map.from_domain_and_range(source, target)
    return edge.relation.gist(inside).gist_params(scop.assumed)


def through_temporaries(
    programs: Mapping[str, Scop | Derivation], values: Mapping[str, int]
) -> Table:
    """How many pairs of different instances depend on each other through a temporary, at these
    parameter values: truly, as one reads what the other one writes, or falsely, as both use one
    cell."""
    rows = []
    for name, program in programs.items():
        scop = as_scop(program)
        edges = [e for e in analyze(scop).edges if e.array in scop.temporaries]
        true = [e for e in edges if e.kind == "raw"]
        false = [e for e in edges if e.kind in ("war", "waw")]
        rows.append((name, *(sum(pairs(e, values) for e in part) for part in (true, false))))
    head = ("program", "true, through a scalar", "false, through a scalar")
    return Table(head, rows)


def pairs(edge: Edge, values: Mapping[str, int]) -> int:
    """How many pairs of different instances a dependence has at these parameter values."""
    found = isl.pairs(edge.relation, values)
    return sum((edge.source, i) != (edge.target, j) for i, j in found)
