"""What is below marks for private arrays, generated for one run.

The loops above a mark are generated for one statement, `Run[t]`, that stands for all that runs at
the times t: of that, isl can take nothing out. What is below the mark comes back as an extension,
`{ [t] -> S[i] }`, which isl meets inside of those loops. (Verdoolaege, Guelton, Grosser, Cohen:
"Schedule trees", IMPACT 2014.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

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


def runs_of(mark: isl.ScheduleNode, name: str) -> isl.UnionMap:
    """`{ S[i] -> Run[t] }` of what is below a mark, at all loops above; named RUN and `name`."""
    times = isl.maps(_times(mark))
    return isl.union_map(m.set_tuple_name(isl.OUT, f"{RUN}{name}") for m in times)


def _times(node: isl.ScheduleNode) -> isl.UnionMap:
    return node.get_prefix_schedule_union_map().intersect_domain(node.get_domain())


def _is_private(node: isl.ScheduleNode) -> bool:
    kind: object = node.get_type()
    return kind == _NODE.mark and isinstance(read_mark(node.mark_get_id()), Private)


def run_by_run(schedule: isl.Schedule) -> isl.Schedule:
    """The schedule in which an extension is below each private mark. (Calls of runs, in the loops
    generated for it, do nothing.)"""
    node = schedule.get_root().child(0)
    copy = _Copy(node, count())
    place = isl.Schedule.from_domain(node.get_domain().apply(copy.standing)).get_root().child(0)
    return copy.of(node, place).get_schedule()


class _Copy:
    """A copy of the tree below a node, over what stands for instances: `standing` is
    `{ S[i] -> Run[t] }` below the outermost private marks, `{ S[i] -> S[i] }` elsewhere."""

    def __init__(self, node: isl.ScheduleNode, numbers: Iterator[int]) -> None:
        alone, runs = node.get_domain(), []
        for around, mark in private_marks(node):
            if around == 0:
                alone = alone.subtract(mark.get_domain())
                runs.append(runs_of(mark, str(next(numbers))))
        self.standing = isl.union_map([alone.identity(), *runs])
        self.numbers = numbers

    def of(self, node: isl.ScheduleNode, place: isl.ScheduleNode) -> isl.ScheduleNode:
        """The place, a leaf, with what is at the node and below."""
        depth = place.get_tree_depth()
        kind: object = node.get_type()
        if _is_private(node):
            place = place.insert_mark(node.mark_get_id()).child(0)
            place = place.graft_before(self.extension(node))
        elif kind == _NODE.mark:
            place = place.insert_mark(node.mark_get_id()).child(0)
            place = self.of(node.child(0), place)
        elif kind == _NODE.band:
            place = place.insert_partial_schedule(self.members(node))
            place = place.band_set_ast_build_options(node.band_get_ast_build_options())
            place = self.of(node.child(0), place.child(0))
        elif kind == _NODE.sequence:
            parts = [node.child(k).child(0) for k in range(node.n_children())]
            place = place.insert_sequence(_listed([self.instances(p) for p in parts]))
            for k, part in enumerate(parts):
                place = self.of(part, place.child(k).child(0)).parent().parent()
        return place.ancestor(place.get_tree_depth() - depth)

    def instances(self, node: isl.ScheduleNode) -> isl.UnionSet:
        return node.get_domain().apply(self.standing)

    def members(self, band: isl.ScheduleNode) -> isl.MultiUnionPwAff:
        times = band.band_get_partial_schedule_union_map().intersect_domain(band.get_domain())
        return isl.MultiUnionPwAff.from_union_map(times.apply_domain(self.standing))

    def extension(self, mark: isl.ScheduleNode) -> isl.ScheduleNode:
        """`{ [t] -> S[i] }` of what is below a mark, above its tree."""
        copy = _Copy(mark.child(0), self.numbers)
        instances = _times(mark).reverse().apply_range(copy.standing)
        leaf = isl.ScheduleNode.from_extension(instances).child(0)
        return copy.of(mark.child(0), leaf).parent()


def _listed(parts: list[isl.UnionSet]) -> isl.UnionSetList:
    found = parts[0].to_list()
    for p in parts[1:]:
        found = found.add(p)
    return found
