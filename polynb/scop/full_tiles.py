"""Full tiles apart from partial ones: isl's option "isolate" for a band of tile loops.

The wish for it is a mark right above the tile band, `FullTiles`, which our trees and isl's carry
alike. `with_full_tiles` gives isl the option itself, which says for which tiles: isl then
generates loops for those on their own, in which no bound needs a minimum or a maximum.
"""

from __future__ import annotations

from polynb import isl
from polynb.scop.isl_marks import read_mark
from polynb.scop.schedule import FullTiles


def with_full_tiles(schedule: isl.Schedule) -> isl.Schedule:
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
    points = node.child(0)
    while _is(points, "mark"):
        points = points.child(0)
    count = len(shape.sizes)
    if not all(_is(b, "band") and b.band_get_space().dim(isl.SET) == count for b in (node, points)):
        return mark
    full = _full(points, shape)
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


def _full(points: isl.ScheduleNode, shape: FullTiles) -> isl.Set | None:
    """`{ [outer, tile] }`: the tiles in which the statements have all their points; None without
    statements. Statements with fewer loops may have none; so may all if no tile has all of all.

    (isl isolates what is convex, so that "all or none" of each statement would be too much.)
    """
    outer = points.get_prefix_schedule_union_map().intersect_domain(points.get_domain())
    together = outer.flat_range_product(points.band_get_partial_schedule_union_map())
    used = [_cells(m.range().reset_tuple_id(), shape) for m in isl.maps(together)]
    if not used:
        return None
    count = len(shape.sizes)
    first = used[0].dim(isl.SET) - count
    present = [u.project_out(isl.SET, first, count) for u in used]
    tiles = isl.united(present, present[0].get_space())
    boxes = _with_points(tiles, shape)
    partial = [
        boxes.intersect(isl.Set.from_basic_set(u.affine_hull()))
        .subtract(u)
        .project_out(isl.SET, first, count)
        for u in used
    ]
    fewest = min(_equalities(u) for u in used)
    whole = [_equalities(u) == fewest for u in used]
    full = either = tiles
    for p, some, needed in zip(partial, present, whole, strict=True):
        either = either.subtract(p.intersect(some))
        full = full.intersect(some).subtract(p) if needed else full.subtract(p.intersect(some))
    return isl.coalesced(either if full.is_empty() else full)


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
