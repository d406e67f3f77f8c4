"""The dependences of tiled programs, without asking isl for what floors do to them.

Loops over tiles say nothing of instances that the loops over points do not say; and which write a
read gets its value from is the same before and after tiling, as long as what is said to be
permutable is. So dependences are found in the order without tiles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from polynb import isl
from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.model import Edge
from polynb.schedules.bands import with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Mark, Sequence, Tree, member, transform


def untiled(scop: Scop) -> Scop:
    """The program without loops over tiles; the same object if it has none (or tiles whose point
    loops begin at 0, which say less without them, or others than those of the loops inside that
    are not seen to change nothing)."""
    changed = False

    def change(node: Tree) -> Tree:
        nonlocal changed
        if isinstance(node, Band) and (points := _points(node)) is not None:
            changed = True
            return points
        return node

    tree = transform(scop.schedule, change)
    return _out_of_waves(with_schedule(scop, tree) if changed else scop)


def _out_of_waves(scop: Scop) -> Scop:
    """The program in the order inside of the outermost tiles of its nests, if that is one of all
    instances and the tiles do not change what is read: as of tiles of other loops than the
    program's own, which run in waves. Else the same object."""
    tree = _inside_of_tiles(scop.schedule)
    if tree is scop.schedule:
        return scop
    inside = with_schedule(scop, tree)
    alone = isl.union_map(s.schedule.intersect_domain(s.domain) for s in inside.statements)
    return inside if alone.is_injective() and _respected(analyze(inside), scop) else scop


def _inside_of_tiles(tree: Tree) -> Tree:
    if isinstance(tree, Band) and any(loop.width > 1 for loop in tree.loops):
        return tree.child
    if not isinstance(tree, Sequence):
        return tree
    new = [replace(f, child=_inside_of_tiles(f.child)) for f in tree.children]
    same = all(a.child is b.child for a, b in zip(tree.children, new, strict=True))
    return tree if same else Sequence(tuple(new))


def _respected(found: Dependences, scop: Scop) -> bool:
    """Whether a program runs the two ends of each dependence in their order."""
    times = {s.name: s.schedule for s in scop.statements}
    return all(
        e.relation.intersect_params(scop.assumed).is_disjoint(
            times[e.source].lex_gt_map(times[e.target])
        )
        for e in found.edges
    )


def _points(tiles: Band) -> Band | None:
    """The point loops of a band of loops over tiles; None if it is another band."""
    points = tiles.child
    while isinstance(points, Mark):
        points = points.child
    if not isinstance(points, Band):
        return None
    if tiles.depth > 1 and not (tiles.permutable and points.permutable):
        return None
    if points.depth != tiles.depth or points.members.keys() != tiles.members.keys():
        return None
    whole = all(_starts(tiles.members[n], points.members[n]) for n in tiles.members)
    return points if whole else None


def _starts(tiles: isl.Map, points: isl.Map) -> bool:
    """Whether each loop of the first band, `{ S[i] -> [t] }`, is at the largest multiple of some
    number that is not above a loop of the second band (of another one each, in any order)."""
    left = [member(points, k) for k in range(points.dim(isl.OUT))]
    for k in range(tiles.dim(isl.OUT)):
        size = tiles.range().get_stride(k).to_python()
        start = isl.Map(f"{{ [t] -> [{size}*floor(t/{size})] }}")
        own = member(tiles, k)
        same = next((p for p in left if p.apply_range(start).is_equal(own)), None)
        if same is None:
            return False
        left.remove(same)
    return True


@dataclass(frozen=True, eq=False)
class AllPairs:
    """Value-based flow, and all other pairs of accesses to one cell of which one writes.

    Whether a loop carries something is the same for all pairs and for each access and the next in
    the order that is looked at (see `schedules/parallel.py`); all pairs do not depend on an order.
    """

    edges: tuple[Edge, ...]

    def edges_through(self, arrays: Collection[str]) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.array in arrays)


def dependences(scop: Scop) -> Dependences | AllPairs:
    """What loops of a program may carry: value-based dependences, or, of a tiled program, what is
    known without looking at its tiles. Which of a pair comes first is said of the order without
    tiles: in the tiled one live ranges may have changed places."""
    plain = untiled(scop)
    if plain is scop:
        return analyze(scop)
    return all_pairs(analyze(plain), scop.temporaries)


def all_pairs(found: Dependences, temporaries: Iterable[str]) -> AllPairs:
    """Those of a program, of which through `temporaries` only flow of values counts as flow: they
    may be private."""
    private = tuple(temporaries)  # in their order, which says which obstacle is named first
    with isl.wrapped():
        reads = (replace(e, kind="war") for e in found.memory("raw") if e.array in private)
        flow = (e for e in found.memory("raw") if e.array not in private)
        own = _flow(found, private)
        return AllPairs((*own, *flow, *reads, *found.memory("war"), *found.memory("waw")))


def _flow(found: Dependences, arrays: Iterable[str]) -> Iterable[Edge]:
    return (e for a in arrays for e in found.flow(a).edges)
