"""Our schedule trees to isl's and back.

isl's bands know permutable, coincident and unrolled members; how else a loop is to run
("parallel", "collapsed", "vector") travels as a mark above its band, with the number of band
members above it: isl's syntax trees keep marks, and name a loop after its depth, so that every
generated loop finds its kind again. The mark above a tile band whose full tiles stand alone
(below) stays a mark, and isl gets its option too. How wide loops are isl does not
know: those that come from it have the width 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polynb import isl
from polynb.errors import PolynbError
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
    return _with_full_tiles(schedule) if any(isinstance(w, FullTiles) for w in said) else schedule


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
    loops_inside = (t for t in walk(band.child) if isinstance(t, Band) and not _written_out(t))
    innermost = separate and not any(loops_inside)
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


def _written_out(band: Band) -> bool:
    return all(kind == "unroll" for kind in band.kinds)


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


# Full tiles apart from partial ones: isl's option "isolate" for a band of tile loops.
#
# The wish for it is a mark right above the tile band, `FullTiles`, which our trees and isl's carry
# alike. `_with_full_tiles` gives isl the option itself, which says for which tiles: isl then
# generates loops for those on their own, in which no bound needs a minimum or a maximum.


def _with_full_tiles(schedule: isl.Schedule) -> isl.Schedule:
    """The schedule with isl's option at each tile band below such a mark.

    A mark whose band is no tile band of that many loops above one of as many says nothing.
    """
    return _visit(schedule.get_root()).get_schedule()


def _visit(node: isl.ScheduleNode) -> isl.ScheduleNode:
    for k in range(node.n_children()):
        node = _visit(node.child(k)).parent()
    if _is(node, "mark"):
        shape = read_mark(node.mark_get_id())
        if isinstance(shape, FullTiles):
            return _isolated(node, shape)
    return node


def _isolated(mark: isl.ScheduleNode, shape: FullTiles) -> isl.ScheduleNode:
    """The marked tile band with the option `{ isolate[[outer] -> [tile]] : tile is full }`."""
    node, deep = mark.child(0), 1
    while _is(node, "mark"):
        node, deep = node.child(0), deep + 1
    count = len(shape.sizes)
    if not _has_loops(node, count):
        return mark
    full = _full(node, shape)
    if full is not None:
        node = node.band_set_ast_build_options(_option(full, count).to_union_set())
    for _ in range(deep):
        node = node.parent()
    return node


def _option(full: isl.Set, count: int) -> isl.Set:
    """`{ isolate[[outer] -> [tile]] }` of `{ [outer, tile] }` with so many tile loops."""
    names = [f"t{k}" for k in range(full.dim(isl.SET))]
    outer, tile = names[: len(names) - count], names[len(names) - count :]
    nested = f"isolate[[{', '.join(outer)}] -> [{', '.join(tile)}]]"
    return full.apply(isl.Map(f"{{ [{', '.join(names)}] -> {nested} }}"))


def _has_loops(node: isl.ScheduleNode, count: int) -> bool:
    return _is(node, "band") and bool(node.band_get_space().dim(isl.SET) == count)


def _points(tiles: isl.ScheduleNode, count: int) -> Iterator[isl.ScheduleNode]:
    """The bands over the points of tiles: that right below, or all those below that are written
    out (of strips that are jammed)."""
    below = tiles.child(0)
    while _is(below, "mark"):
        below = below.child(0)
    if _has_loops(below, count):
        yield below
    elif count == 1:
        yield from _unrolled(below)


def _unrolled(node: isl.ScheduleNode) -> Iterator[isl.ScheduleNode]:
    if _is_unrolled(node):
        yield node
    for k in range(node.n_children()):
        yield from _unrolled(node.child(k))


def _is_unrolled(node: isl.ScheduleNode) -> bool:
    """Whether a node is a loop that is written out."""
    how: object = node.band_member_get_ast_loop_type(0) if _has_loops(node, 1) else None
    return bool(how == _LOOP.unroll)


def _full(node: isl.ScheduleNode, shape: FullTiles) -> isl.Set | None:
    """`{ [outer, tile] }`: the tiles in which the statements have all their points; None without
    statements. Statements with fewer loops may have none; so may all if no tile has all of all.

    (isl isolates what is convex, so that "all or none" of each statement would be too much.)
    """
    outer = node.child(0).get_prefix_schedule_union_map()
    count = len(shape.sizes)
    used, lattices = [], []
    for points in _points(node, count):
        inside = points.band_get_partial_schedule_union_map().intersect_domain(points.get_domain())
        for m in isl.maps(outer.flat_range_product(inside)):
            times = m.range().reset_tuple_id()
            used.append(_cells(times, shape))
            lattices.append(_lattice(times) if _is_unrolled(points) else None)
    if not used:
        return None
    first = used[0].dim(isl.SET) - count
    present = [u.project_out(isl.SET, first, count) for u in used]
    tiles = isl.united(present, present[0].get_space())
    boxes = _with_points(tiles, shape)
    partial = [
        boxes.intersect(isl.Set.from_basic_set(u.affine_hull()))
        .intersect(lattice or isl.Set.universe(u.get_space()))
        .subtract(u)
        .project_out(isl.SET, first, count)
        for u, lattice in zip(used, lattices, strict=True)
    ]
    fewest = min(_equalities(u) for u in used)
    whole = [_equalities(u) == fewest for u in used]
    full = either = tiles
    for p, some, needed in zip(partial, present, whole, strict=True):
        either = either.subtract(p.intersect(some))
        full = full.intersect(some).subtract(p) if needed else full.subtract(p.intersect(some))
    return isl.coalesced(either if full.is_empty() else full)


def _lattice(times: isl.Set) -> isl.Set:
    """`{ [outer, tile, point] }`, with the points that a loop with a stride may have. (Where they
    are written out, these are all there need be; a loop over them has a bound beyond the last.)"""
    last = times.dim(isl.SET) - 1
    stride = max(int(times.get_stride(last).to_python()), 1)
    names = [f"t{k}" for k in range(last + 1)]
    remainder = isl.Map(f"{{ [{', '.join(names)}] -> [t{last} mod {stride}] }}")
    return times.apply(remainder).apply(remainder.reverse())


def _equalities(used: isl.Set) -> int:
    return sum(c.is_equality() for c in isl.constraints(used.affine_hull()))


def _cells(used: isl.Set, shape: FullTiles) -> isl.Set:
    """`{ [outer, tile, point] }` with the points where the loops of their own begin at the tile's,
    and, so that loops with strides need no minima either, all the points between them."""
    if not shape.shifted:
        return isl.coalesced(used).remove_divs()
    # Here isl does not see that the divisions say nothing but how long a tile is.
    count = len(shape.sizes)
    names = [f"t{k}" for k in range(used.dim(isl.SET))]
    tile, point = names[-2 * count : -count], names[-count:]
    moved = [*names[:-count], *(f"{p} + {t}" for p, t in zip(point, tile, strict=True))]
    return isl.coalesced(used.apply(isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(moved)}] }}")))


def _with_points(tiles: isl.Set, shape: FullTiles) -> isl.Set:
    """`{ [outer, tile, point] }`: all points of the tiles."""
    count = len(shape.sizes)
    names = [f"t{k}" for k in range(tiles.dim(isl.SET))]
    tile = names[len(names) - count :]
    point = [f"p{k}" for k in range(count)]
    bounds = [f"{t} <= {p} < {t} + {s}" for t, p, s in zip(tile, point, shape.sizes, strict=True)]
    body = f"[{', '.join(names)}] -> [{', '.join([*names, *point])}] : {' and '.join(bounds)}"
    return tiles.apply(isl.Map(f"{{ {body} }}"))


def _is(node: isl.ScheduleNode, kind: str) -> bool:
    found: object = node.get_type()
    return bool(found == getattr(isl.schedule_node_type, kind))
