"""What is below marks for private arrays, generated for one run.

The loops above marks are generated for one statement, `Run[t]`, that stands for all that runs at
the times t: of that, isl can take nothing out. What is below a mark comes back as an extension,
`{ [t] -> S[i] }`, which isl meets inside of those loops. (Verdoolaege, Guelton, Grosser, Cohen:
"Schedule trees", IMPACT 2014.) Nothing of isl's goes below an extension but its syntax trees: so
marks inside of others wait for their turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polynb import isl
from polynb.codegen.isl_nodes import RUN
from polynb.scop.isl_marks import read_mark
from polynb.scop.schedule import Private

_NODE = isl.schedule_node_type


def private_marks(
    node: isl.ScheduleNode, around: int = 0
) -> Iterator[tuple[int, isl.ScheduleNode]]:
    """The private marks at or below a node, with the number of those around each."""
    if _is_private(node):
        yield around, node
        around += 1
    for k in range(node.n_children()):
        yield from private_marks(node.child(k), around)


def runs_of(schedule: isl.Schedule, around: int) -> isl.UnionMap:
    """`{ S[i] -> Run[t] }` of what is below private marks that have so many around, at all loops
    above. Each mark's have a name of their own."""
    runs = []
    for k, (others, mark) in enumerate(private_marks(schedule.get_root())):
        if others == around:
            times = isl.maps(_times(mark))
            runs += [m.set_tuple_name(isl.OUT, f"{RUN}{k}") for m in times]
    return isl.union_map(runs)


def _times(node: isl.ScheduleNode) -> isl.UnionMap:
    return node.get_prefix_schedule_union_map().intersect_domain(node.get_domain())


def _is_private(node: isl.ScheduleNode) -> bool:
    kind: object = node.get_type()
    return kind == _NODE.mark and isinstance(read_mark(node.mark_get_id()), Private)


def run_by_run(schedule: isl.Schedule, around: int) -> isl.Schedule:
    """The schedule in which an extension is below each private mark that has so many around. (Calls
    of runs, in the loops generated for it, do nothing.)"""
    node, runs = schedule.get_root().child(0), runs_of(schedule, around)
    alone = node.get_domain().subtract(runs.domain())
    copy = _Copy(isl.union_map([alone.identity(), runs]))
    start = isl.Schedule.from_domain(copy.over(node)).get_root()
    return copy.of(node, start.child(0), around).get_schedule()


@dataclass(frozen=True, eq=False)
class _Copy:
    """Copies of trees, over what stands for instances: `{ S[i] -> Run[t] }`, if those runs are
    extensions, `{ S[i] -> S[i] }`."""

    standing: isl.UnionMap

    def of(self, node: isl.ScheduleNode, place: isl.ScheduleNode, around: int) -> isl.ScheduleNode:
        """The place, a leaf, with what is at a node and below. Extensions are at the marks with so
        many `around` that are at or below it, too."""
        depth = place.get_tree_depth()
        kind: object = node.get_type()
        if kind == _NODE.mark:
            place = place.insert_mark(node.mark_get_id()).child(0)
            below = node.child(0)
            if _is_private(node) and around == 0:
                place = place.graft_before(_extension(below))
            else:
                place = self.of(below, place, around - _is_private(node))
        elif kind == _NODE.band:
            place = place.insert_partial_schedule(self.members(node))
            place = place.band_set_ast_build_options(node.band_get_ast_build_options())
            place = self.of(node.child(0), place.child(0), around)
        elif kind == _NODE.sequence:
            parts = [node.child(k).child(0) for k in range(node.n_children())]
            place = place.insert_sequence(_listed([self.over(p) for p in parts]))
            for k, part in enumerate(parts):
                place = self.of(part, place.child(k).child(0), around).parent().parent()
        return place.ancestor(place.get_tree_depth() - depth)

    def over(self, node: isl.ScheduleNode) -> isl.UnionSet:
        return node.get_domain().apply(self.standing)

    def members(self, band: isl.ScheduleNode) -> isl.MultiUnionPwAff:
        times = band.band_get_partial_schedule_union_map().intersect_domain(band.get_domain())
        return isl.MultiUnionPwAff.from_union_map(times.apply_domain(self.standing))


def _extension(node: isl.ScheduleNode) -> isl.ScheduleNode:
    """`{ [t] -> S[i] }` of a node, above its tree."""
    leaf = isl.ScheduleNode.from_extension(_times(node).reverse()).child(0)
    return _Copy(node.get_domain().identity()).of(node, leaf, -1).parent()


def _listed(parts: list[isl.UnionSet]) -> isl.UnionSetList:
    found = parts[0].to_list()
    for p in parts[1:]:
        found = found.add(p)
    return found
