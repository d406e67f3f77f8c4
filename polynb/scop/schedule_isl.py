"""Our schedule trees to isl's and back.

isl's bands know permutable, coincident and unrolled members; how else a loop is to run
("parallel", "collapsed", "vector") travels as a mark above its band, `loops@d:parallel,sequential`,
d being the number of band members above it: isl's syntax trees keep marks, and name a loop after
its depth, so that every generated loop finds its kind again. The mark above a tile band whose full
tiles stand alone (`scop/full_tiles.py`) stays a mark, and isl gets its option too.
"""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.full_tiles import read_full_tiles_mark, with_full_tiles
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence, Tree, walk

_PREFIX = "loops@"
_NODE = isl.schedule_node_type
_LOOP = isl.ast_loop_type


def loops_mark(depth: int, loops: tuple[str, ...]) -> str:
    """The name of the mark above a band whose members run in these ways."""
    return f"{_PREFIX}{depth}:{','.join(loops)}"


def read_loops_mark(name: str) -> tuple[int, tuple[str, ...]] | None:
    """The depth and the loop kinds a mark stands for; None for any other mark."""
    if not name.startswith(_PREFIX):
        return None
    depth, _, loops = name.removeprefix(_PREFIX).partition(":")
    return int(depth), tuple(loops.split(","))


# -- ours -> isl's ------------------------------------------------------------------------


@isl.guarded
def to_isl(tree: Tree, domains: Mapping[str, isl.Set], *, separate: bool = False) -> isl.Schedule:
    """The schedule tree over `{ S[i] : ... }` as isl's; bands must be defined on all of it.

    `separate`: no conditions inside of the innermost loops where several loops do without.
    """
    schedule = _to_isl(tree, dict(domains), 0, separate)
    return with_full_tiles(schedule) if any(map(_wants_full_tiles, walk(tree))) else schedule


def _wants_full_tiles(node: Tree) -> bool:
    return isinstance(node, Mark) and read_full_tiles_mark(node.name) is not None


def _to_isl(tree: Tree, domains: dict[str, isl.Set], depth: int, separate: bool) -> isl.Schedule:
    match tree:
        case Leaf():
            return isl.Schedule.from_domain(isl.union_set(domains.values()))
        case Mark(name=name, child=c):
            return _marked(_to_isl(c, domains, depth, separate), name)
        case Filter(child=c):
            return _to_isl(c, _restricted(tree, domains), depth, separate)
        case Sequence(children=children):
            parts = [
                _to_isl(f.child, inside, depth, separate)
                for f in children
                if (inside := _restricted(f, domains))
            ]
            result = parts[0]
            for p in parts[1:]:
                result = result.sequence(p)
            return result
        case Band():
            return _band(tree, domains, depth, separate)


def _restricted(node: Filter, domains: Mapping[str, isl.Set]) -> dict[str, isl.Set]:
    inside = {}
    for name, part in node.domains.items():
        if name in domains:
            left = domains[name] if part is None else domains[name].intersect(part)
            if not left.is_empty():
                inside[name] = left
    return inside


def _band(band: Band, domains: dict[str, isl.Set], depth: int, separate: bool) -> isl.Schedule:
    schedule = _to_isl(band.child, domains, depth + band.depth, separate)
    innermost = separate and not any(isinstance(t, Band) for t in walk(band.child))
    members = isl.union_map(band.members[name] for name in domains)
    partial = isl.MultiUnionPwAff.from_union_map(members)
    node = schedule.insert_partial_schedule(partial).get_root().child(0)
    node = node.band_set_permutable(int(band.permutable))
    for k, (coincident, loop) in enumerate(zip(band.coincident, band.loops, strict=True)):
        node = node.band_member_set_coincident(k, int(coincident))
        if loop == "unroll":
            node = node.band_member_set_ast_loop_type(k, _LOOP.unroll)
        elif innermost and k == band.depth - 1:
            node = node.band_member_set_ast_loop_type(k, _LOOP.separate)
    schedule = node.get_schedule()
    marked = any(loop in ("parallel", "collapsed", "vector") for loop in band.loops)
    return _marked(schedule, loops_mark(depth, band.loops)) if marked else schedule


def _marked(schedule: isl.Schedule, name: str) -> isl.Schedule:
    return schedule.get_root().child(0).insert_mark(isl.Id(name)).get_schedule()


# -- isl's -> ours ------------------------------------------------------------------------


@isl.guarded
def from_isl(schedule: isl.Schedule) -> Tree:
    """The tree of isl's schedule. Sets become sequences; contexts and guards, which only state
    what is known, are dropped. Raises PolynbError for extensions and expansions."""
    return _from_isl(schedule.get_root().child(0))


def _from_isl(node: isl.ScheduleNode, loops: tuple[str, ...] | None = None) -> Tree:
    kind: object = node.get_type()
    if kind == _NODE.leaf:
        return Leaf()
    if kind == _NODE.band:
        return _from_band(node, loops)
    if kind == _NODE.mark:
        name = node.mark_get_id().get_name()
        mark = read_loops_mark(name)
        if mark is not None:
            return _from_isl(node.child(0), mark[1])
        return Mark(name, _from_isl(node.child(0)))
    if kind in (_NODE.sequence, _NODE.set):
        return _sequence([_from_filter(node.child(k)) for k in range(node.n_children())])
    if kind == _NODE.filter:
        return _from_filter(node)
    if kind in (_NODE.context, _NODE.guard):
        return _from_isl(node.child(0))
    raise PolynbError(
        "a schedule tree with extension or expansion nodes is not supported",
        hint="a tree of bands, sequences, sets, filters and marks",
    )


def _sequence(children: list[Filter]) -> Tree:
    return Sequence(tuple(c for c in children if c.domains))


def _from_filter(node: isl.ScheduleNode) -> Filter:
    """A filter, with None for the statements that it lets through as a whole."""
    outer = {isl.tuple_name(s, isl.SET): s for s in isl.sets(node.get_domain())}
    domains: dict[str, isl.Set | None] = {}
    for part in isl.sets(node.filter_get_filter()):
        name = isl.tuple_name(part, isl.SET)
        if name in outer:
            domains[name] = None if outer[name].is_subset(part) else part
    return Filter(domains, _from_isl(node.child(0)))


def _from_band(node: isl.ScheduleNode, loops: tuple[str, ...] | None) -> Tree:
    count = node.band_get_space().dim(isl.SET)
    child = _from_isl(node.child(0))
    if count == 0:
        return child
    partial = node.band_get_partial_schedule_union_map()
    kinds = list(loops) if loops and len(loops) == count else ["sequential"] * count
    for k in range(count):
        unrolled: object = node.band_member_get_ast_loop_type(k)
        if unrolled == _LOOP.unroll:
            kinds[k] = "unroll"
    return Band(
        {isl.tuple_name(m, isl.IN): m.reset_tuple_id(isl.OUT) for m in isl.maps(partial)},
        child,
        permutable=bool(node.band_get_permutable()),
        coincident=tuple(bool(node.band_member_get_coincident(k)) for k in range(count)),
        loops=tuple(kinds),
    )
