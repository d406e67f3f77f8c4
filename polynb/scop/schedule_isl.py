"""Our schedule trees to isl's and back.

isl's bands know permutable, coincident and unrolled members; how else a loop is to run
("parallel", "collapsed", "vector") travels as a mark above its band, with the number of band
members above it: isl's syntax trees keep marks, and name a loop after its depth, so that every
generated loop finds its kind again. The mark above a tile band whose full tiles stand alone
(`scop/full_tiles.py`) stays a mark, and isl gets its option too. How wide loops are isl does not
know: those that come from it have the width 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.full_tiles import with_full_tiles
from polynb.scop.isl_marks import BandKinds, mark_name, read_mark
from polynb.scop.schedule import (
    Band,
    Filter,
    FullTiles,
    Leaf,
    Loop,
    LoopKind,
    Mark,
    Sequence,
    Tree,
    restricted,
    walk,
)

_NODE = isl.schedule_node_type
_LOOP = isl.ast_loop_type


# -- ours -> isl's ------------------------------------------------------------------------


@isl.guarded
def to_isl(tree: Tree, domains: Mapping[str, isl.Set], *, separate: bool = False) -> isl.Schedule:
    """The schedule tree over `{ S[i] : ... }` as isl's; bands must be defined on all of it.

    `separate`: no conditions inside of the innermost loops where several loops do without.
    """
    schedule = _to_isl(tree, dict(domains), 0, separate)
    said = (t.what for t in walk(tree) if isinstance(t, Mark))
    return with_full_tiles(schedule) if any(isinstance(w, FullTiles) for w in said) else schedule


def _to_isl(tree: Tree, domains: dict[str, isl.Set], depth: int, separate: bool) -> isl.Schedule:
    match tree:
        case Leaf():
            return isl.Schedule.from_domain(isl.union_set(domains.values()))
        case Mark(what=what, child=c):
            return _marked(_to_isl(c, domains, depth, separate), mark_name(what))
        case Filter(child=c):
            return _to_isl(c, restricted(tree, domains), depth, separate)
        case Sequence(children=children):
            parts = [
                _to_isl(f.child, inside, depth, separate)
                for f in children
                if (inside := restricted(f, domains))
            ]
            result = parts[0]
            for p in parts[1:]:
                result = result.sequence(p)
            return result
        case Band():
            return _band(tree, domains, depth, separate)


def _band(band: Band, domains: dict[str, isl.Set], depth: int, separate: bool) -> isl.Schedule:
    schedule = _to_isl(band.child, domains, depth + band.depth, separate)
    innermost = separate and not any(isinstance(t, Band) for t in walk(band.child))
    members = isl.union_map(band.members[name] for name in domains)
    partial = isl.MultiUnionPwAff.from_union_map(members)
    node = schedule.insert_partial_schedule(partial).get_root().child(0)
    node = node.band_set_permutable(int(band.permutable))
    for k, loop in enumerate(band.loops):
        node = node.band_member_set_coincident(k, int(loop.coincident))
        if loop.kind == "unroll":
            node = node.band_member_set_ast_loop_type(k, _LOOP.unroll)
        elif innermost and k == band.depth - 1:
            node = node.band_member_set_ast_loop_type(k, _LOOP.separate)
    schedule = node.get_schedule()
    marked = any(kind in ("parallel", "collapsed", "vector") for kind in band.kinds)
    return _marked(schedule, mark_name(BandKinds(depth, band.kinds))) if marked else schedule


def _marked(schedule: isl.Schedule, name: str) -> isl.Schedule:
    return schedule.get_root().child(0).insert_mark(isl.Id(name)).get_schedule()


# -- isl's -> ours ------------------------------------------------------------------------


@isl.guarded
def from_isl(schedule: isl.Schedule) -> Tree:
    """The tree of isl's schedule. Sets become sequences; contexts and guards, which only state
    what is known, are dropped. Raises PolynbError for extensions and expansions."""
    return _from_isl(schedule.get_root().child(0))


def _from_isl(node: isl.ScheduleNode, kinds: tuple[LoopKind, ...] = ()) -> Tree:
    kind: object = node.get_type()
    if kind == _NODE.leaf:
        return Leaf()
    if kind == _NODE.band:
        return _from_band(node, kinds)
    if kind == _NODE.mark:
        what = read_mark(node.mark_get_id())
        if isinstance(what, BandKinds):
            return _from_isl(node.child(0), what.kinds)
        return Mark(what, _from_isl(node.child(0)))
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


def _from_band(node: isl.ScheduleNode, kinds: tuple[LoopKind, ...]) -> Tree:
    count = node.band_get_space().dim(isl.SET)
    child = _from_isl(node.child(0))
    if count == 0:
        return child
    partial = node.band_get_partial_schedule_union_map()
    loops = []
    for k in range(count):
        coincident = bool(node.band_member_get_coincident(k))
        unrolled: object = node.band_member_get_ast_loop_type(k)
        given: LoopKind = kinds[k] if len(kinds) == count else "sequential"
        loops.append(Loop("unroll" if unrolled == _LOOP.unroll else given, coincident))
    return Band(
        {isl.tuple_name(m, isl.IN): m.reset_tuple_id(isl.OUT) for m in isl.maps(partial)},
        child,
        permutable=bool(node.band_get_permutable()),
        loops=tuple(loops),
    )
