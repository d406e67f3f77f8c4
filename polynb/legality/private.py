"""What is decided about a loop, and what belongs to one iteration alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences.model import Edge
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Mark, Sequence, Tree, walk

_PRIVATE: Final = "private@"


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


def private_mark(arrays: tuple[str, ...], child: Tree) -> Mark:
    """A mark: the content of these temporaries is used only within one run of what is below."""
    return Mark(_PRIVATE + ",".join(arrays), child)


def private_to(node: Tree) -> tuple[str, ...]:
    """The arrays that a mark says are private to what is below; () for any other node."""
    return read_private_mark(node.name) if isinstance(node, Mark) else ()


def read_private_mark(name: str) -> tuple[str, ...]:
    """The arrays in the name of a private mark; () for any other mark."""
    if not name.startswith(_PRIVATE):
        return ()
    return tuple(n for n in name.removeprefix(_PRIVATE).split(",") if n)


def private_arrays(scop: Scop, flow: list[Edge]) -> frozenset[str]:
    """The arrays with private marks that the program shows to be private: temporaries that only
    the marked parts touch, and in which all flow stays within one run of one of those parts.

    So each thread can have a copy of its own, wherever the loops around the marks run.
    """
    marked: dict[str, list[dict[str, isl.Map]]] = {}
    for node in walk(scop.schedule):
        names = private_to(node)
        below = runs(scop, node) if names else {}
        for n in names:
            marked.setdefault(n, []).append(below)
    return frozenset(n for n, parts in marked.items() if _is_private(n, scop, parts, flow))


def _is_private(name: str, scop: Scop, parts: list[dict[str, isl.Map]], flow: list[Edge]) -> bool:
    array = scop.arrays.get(name)
    if array is None or array.role != "temp" or array.live_in:
        return False
    for s in scop.statements:
        used = any(a.array == name for a in (*s.reads, s.write))
        if used and sum(s.name in runs for runs in parts) != 1:
            return False
    for e in flow:
        if e.array == name:
            (runs,) = (runs for runs in parts if e.source in runs)
            if e.target not in runs:
                return False
            same = runs[e.source].apply_range(runs[e.target].reverse())
            relation = e.relation.intersect_params(scop.assumed)
            if not relation.is_subset(same):
                return False
    return True


def runs(scop: Scop, mark: Tree) -> dict[str, isl.Map]:
    """`{ S[i] -> [t1, ..., tk] }` for each statement below a mark: the loops above it, which tell
    one run of what is below from the others."""
    found: dict[str, isl.Map] = {}
    for s in scop.statements:
        start = isl.Map.from_domain(isl.Set.universe(s.domain.get_space()))
        time = _above(scop.schedule, mark, s.name, start)
        if time is not None:
            found[s.name] = time
    return found


def _above(tree: Tree, mark: Tree, name: str, time: isl.Map) -> isl.Map | None:
    if tree is mark:
        return time
    match tree:
        case Band(members=m, child=c):
            if name not in m:
                return None
            return _above(c, mark, name, time.flat_range_product(m[name]))
        case Filter(domains=d, child=c):
            whole = name in d and d[name] is None  # a part of a statement proves nothing
            return _above(c, mark, name, time) if whole else None
        case Sequence(children=children):
            parts = (_above(f, mark, name, time) for f in children)
            return next((p for p in parts if p is not None), None)
        case Mark(child=c):
            return _above(c, mark, name, time)
    return None
