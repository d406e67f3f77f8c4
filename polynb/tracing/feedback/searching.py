"""Permutable bands of another schedule than the program's (TACO'19, section 6, "Optim")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from polynb import isl
from polynb.errors import PolynbError
from polynb.reordering.constraints import Constraint, ScheduleConstraints
from polynb.reordering.isl_scheduler import isl_schedule
from polynb.scop.schedule import Band, Tree, walk
from polynb.tracing.feedback.bands import NewSchedule
from polynb.tracing.feedback.overapproximation import FlowDependence, tuple_name
from polynb.tracing.model import Folding

SECONDS = 5.0
"""What the search for another schedule of one nest may take."""


def searched_bands(
    folding: Folding,
    names: Sequence[str],
    known: Mapping[str, isl.Set],
    flow: Sequence[FlowDependence],
) -> tuple[NewSchedule, ...]:
    """The bands that isl's scheduler finds for these instructions, with skewing and shifting
    (Pluto's criterion); none where it does not come to an end in its time.

    The instructions of one statement stay together.
    """
    groups: dict[object, list[str]] = {}
    for n in names:
        i = folding.instructions[n]
        groups.setdefault((i.place, i.statement, i.loops), []).append(n)
    first = {n: tuple_name(group[0]) for group in groups.values() for n in group}
    sets = [_together(group, known) for group in groups.values()]
    relations = []
    for f in flow:
        source, target = first[f.source], first[f.target]
        relation = isl.rename(isl.rename(f.relation, isl.IN, source), isl.OUT, target)
        if source == target:  # within one instance the order of the text stays
            relation = relation.subtract(isl.Map.identity(relation.get_space()))
        if not relation.is_empty():
            kinds = ("validity", "proximity", "coincidence")
            relations += [Constraint(kind, source, target, relation) for kind in kinds]
    constraints = ScheduleConstraints(tuple(sets), tuple(relations), isl.read_set("{ : }"))
    try:
        with isl.budget(seconds=SECONDS, doing="the search for another schedule"):
            tree = isl_schedule(constraints)
    except (PolynbError, isl.BudgetExhausted):
        return ()
    members = {tuple_name(group[0]): group for group in groups.values()}
    return tuple(_bands(tree, members))


def _together(group: Sequence[str], known: Mapping[str, isl.Set]) -> isl.Set:
    name = tuple_name(group[0])
    others: list[isl.Set] = [isl.rename(known[n], isl.SET, name) for n in group[1:]]
    return isl.coalesced(isl.united([known[group[0]], *others]))


def _bands(tree: Tree, groups: Mapping[str, Sequence[str]]) -> Iterator[NewSchedule]:
    for node in walk(tree):
        if isinstance(node, Band) and (node.permutable or node.depth == 1):
            some = str(next(iter(node.members.values())))
            names = frozenset(n for m in node.members for n in groups[m])
            yield NewSchedule(node.depth, sum(node.coincident), some, names)
