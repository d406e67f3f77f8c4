"""What is decided about a loop, and what belongs to one iteration alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences.model import Edge
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Filter, Mark, Private, Tree, at_one_time, member, walk
from polynb.scop.tree_walk import Above, orders_whole, paths


@dataclass(frozen=True)
class LoopVerdict:
    """Whether a loop runs in parallel, and why.

    `name` is the iterator whose values it takes ("" if it is of several), `depth` how many loops
    are around it, `statements` what runs in it. `trips`: its iterations, None if the parameters
    decide. `parallel`: whether it was chosen; `possible`: whether it could have been.
    """

    name: str
    depth: int
    statements: tuple[str, ...]
    trips: int | None
    possible: bool
    parallel: bool
    why: str

    def __str__(self) -> str:
        count = "as many iterations as the parameters say"
        if self.trips is not None:
            count = f"{self.trips} iteration{'s' * (self.trips != 1)}"
        how = "parallel" if self.parallel else "sequential"
        return f"{'  ' * self.depth}{self.name or 'a loop'} ({count}): {how}, {self.why}"


# -- arrays of one iteration ----------------------------------------------------------------

ON_STACK: Final = 2**18
"""Bytes that a private copy may have on the stack of a thread."""
ALL_ON_STACK: Final = 4 * ON_STACK
"""And all of a program together: of 8 MB, or of 2."""


def most_bytes(array: Array, assumed: isl.Set) -> int | None:
    """The bytes of an array at the largest sizes; None where nothing bounds them."""
    size = array.type.size
    for extent in array.extents:
        bounded = extent is not None and extent.intersect_params(assumed)
        most = isl.Set.from_pw_aff(bounded).dim_max_val(0) if bounded else None
        if most is None or not most.is_int():
            return None
        size *= max(most.to_python(), 0)
    return size


def private_to(node: Tree) -> tuple[str, ...]:
    """The arrays that a mark says are private to what is below; () for any other node."""
    return node.what.arrays if isinstance(node, Mark) and isinstance(node.what, Private) else ()


def marked_private(tree: Tree) -> tuple[str, ...]:
    """The arrays that marks anywhere in a tree say are private."""
    return tuple(dict.fromkeys(name for node in walk(tree) for name in private_to(node)))


Parts = tuple[dict[str, isl.Map], ...]
"""Of each mark `{ S[i] -> [t] }`: the loops above it, which tell one run from the others."""


def private_parts(scop: Scop, flow: Iterable[Edge]) -> dict[str, Parts]:
    """The arrays with private marks that the program shows to be private, each with its marked
    parts: temporaries that only these touch, and in which all flow stays within one run of one of
    them.

    So each run can have a copy of its own, wherever the loops around the marks run. (`flow` is gone
    through only if there are arrays that have the same cells in several runs.)
    """
    marked = _marked(scop)
    told = _told_apart(scop, marked)
    edges = tuple(flow) if marked.keys() - told else ()
    return {n: parts for n, parts in marked.items() if n in told or _stays(n, scop, parts, edges)}


def private_by_cells(scop: Scop) -> set[str]:
    """Those of them of which two runs have no cell in common: no loop around their marks carries
    anything through them, whatever flows below."""
    return _told_apart(scop, _marked(scop))


def _marked(scop: Scop) -> dict[str, Parts]:
    """The temporaries with private marks that only what is below these touches."""
    marked: dict[str, list[dict[str, isl.Map]]] = {}
    for node, above in paths(scop.schedule):
        names = private_to(node)
        below = runs(scop, above) if names else {}
        for n in names:
            marked.setdefault(n, []).append(below)
    return {n: tuple(parts) for n, parts in marked.items() if _is_inside(n, scop, parts)}


def _told_apart(scop: Scop, marked: Mapping[str, Parts]) -> set[str]:
    return {n for n, parts in marked.items() if len(parts) == 1 and _apart(n, scop, parts[0])}


def _is_inside(name: str, scop: Scop, parts: Sequence[dict[str, isl.Map]]) -> bool:
    """Whether it is a temporary that only these parts touch."""
    array = scop.arrays.get(name)
    if array is None or array.role != "temp" or array.live_in:
        return False
    for s in scop.statements:
        used = any(a.array == name for a in s.accesses)
        if used and sum(s.name in runs for runs in parts) != 1:
            return False
    return True


def _apart(name: str, scop: Scop, runs: dict[str, isl.Map]) -> bool:
    """Whether some subscript tells the runs apart, `{ [x_k] -> [t] }` being a function: then no two
    have a cell in common, and so no flow."""
    columns = range(len(scop.arrays[name].extents))
    found = ([*runs_of(name, scop, runs, k)] for k in columns)
    return any(times and isl.united(times).is_single_valued() for times in found)


def runs_of(name: str, scop: Scop, runs: Mapping[str, isl.Map], k: int) -> Iterator[isl.Map]:
    """`{ [x_k] -> [t] }` of each access."""
    for s in (scop.by_name[n] for n in runs):
        for a in s.accesses:
            if a.array == name:
                yield touched_column(scop, s, a, k).reverse().apply_range(runs[s.name])


def touched_column(scop: Scop, s: Statement, a: MemoryAccess, k: int) -> isl.Map:
    """`{ S[i] -> [x_k] }`, of the cells that an access touches, the subscript number k."""
    cells = a.relation.intersect_domain(s.domain.intersect_params(scop.assumed))
    return member(cells, k)


def _stays(name: str, scop: Scop, parts: Parts, flow: Iterable[Edge]) -> bool:
    """Whether all flow through it stays within one run of one of the parts."""
    for e in flow:
        if e.array == name:
            (runs,) = (runs for runs in parts if e.source in runs)
            if e.target not in runs:
                return False
            same = at_one_time(runs, e.source, e.target)
            relation = e.relation.intersect_params(scop.assumed)
            if not relation.is_subset(same):
                return False
    return True


def runs(scop: Scop, above: Above) -> dict[str, isl.Map]:
    """`{ S[i] -> [t1, ..., tk] }` for each statement below a node, `above` which are these: the
    loops, which tell one run of what is below from the others."""
    names: Collection[str] = scop.by_name.keys()
    for node in above:  # a part of a statement proves nothing
        if isinstance(node, Band | Filter):
            ordered = node.members if isinstance(node, Band) else node.domains
            names = {n: None for n in ordered if n in names and orders_whole(node, n)}
    times = {}
    for name in names:
        time = isl.Map.from_domain(isl.Set.universe(scop.by_name[name].domain.get_space()))
        for node in above:
            if isinstance(node, Band):
                time = time.flat_range_product(node.members[name])
        times[name] = time
    return times
