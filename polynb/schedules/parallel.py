"""Which loops run in parallel (CC'18, section 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from polynb import isl
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.legality.carried import (
    DependentPairs,
    LoopContext,
    at_root,
    carried,
    filtered,
    iterates,
    member,
    one_iteration,
    unhidden,
)
from polynb.legality.private import LoopVerdict, private_mark, private_to
from polynb.schedules.tile_names import tiles_of
from polynb.schedules.trip_counts import occupancy, trip_count
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence, Tree, transform, walk

CHOICES: Final = ("balanced", "trip-count", "outermost", "none")
WORK: Final = 20_000
"""Iterations that are worth waking the threads for, once for each of a loop around: that takes
microseconds."""
LITTLE: Final = "as it has too little work, again and again, to wake threads for"
ENOUGH: Final = 0.9
"""A loop that keeps the threads busy for this part of its time is not passed over."""

MANY: Final = 8
"""Iterations for each thread, from which on a thread that falls behind leaves some to others."""
TOGETHER: Final = ", collapsed with the loop inside where both form a rectangle"
INSIDE: Final = "collapsed with the loop outside where both form a rectangle"

TOO_SMALL: Final = "as it is too small: a part of an iteration with temporaries of its own"
IN_VECTORS: Final = "as it is inside a loop that runs in vectors"


class Relations(Protocol):
    """Dependences `{ S[i] -> T[j] }`, by array."""

    @property
    def edges(self) -> Iterable[Edge]: ...


@isl.bounded("the choice of parallel loops")
def mark_parallel(
    scop: Scop,
    dependences: Relations,
    *,
    choice: str = "outermost",
    threads: int = 2,
    sizes: Mapping[str, int] | None = None,
    independent: Iterable[str] = (),
) -> Scop:
    """The program with the loops parallel that `choose_loops` chooses, given the same options."""
    chosen = choose_loops(
        scop, dependences, choice=choice, threads=threads, sizes=sizes, independent=independent
    )
    return chosen[0]


@isl.bounded("the choice of parallel loops")
def choose_loops(
    scop: Scop,
    dependences: Relations,
    *,
    choice: str = "balanced",
    threads: int = 2,
    sizes: Mapping[str, int] | None = None,
    independent: Iterable[str] = (),
) -> tuple[Scop, tuple[LoopVerdict, ...]]:
    """The program with, on every path, one loop that carries no dependence parallel, and what
    was decided of each loop, from the outermost in.

    `choice`: "outermost" takes the outermost such loop; "trip-count" one further in, innermost
    loops included, where the outer one has too few iterations to keep all `threads` busy and the
    inner one does better (paper, section 5.2); "balanced" does too, but makes one loop of both
    where it can (see `collapsing.collapsed`), also where an outer one has just enough; "none"
    takes none. `sizes` are parameter values at which iterations are counted; counts that are not
    known are taken to be large.

    A loop carries a dependence if its two instances agree in all outer loops and differ in this
    one. Loops of a single iteration are passed over, and nothing inside a parallel loop is
    parallel again. Value-based dependences are enough: of three accesses to a cell in order, of
    which the middle one writes, the outer two are in different iterations only if one of them
    and the middle one are; so a loop that carries a memory-based dependence also carries one
    between an access and the next write, or the last write and a read.

    `independent` names arrays of which the user declares that no two instances of statements
    write the same cell where a subscript depends on data: such writes do not stop a loop then.
    Temporaries that a mark says are private (see `private_mark`), and are, do not either.
    Raises PolynbError for an unknown choice or array.
    """
    _check(scop, choice, threads, independent := tuple(independent))
    edges = [e for e in dependences.edges if not _declared(e, scop, independent)]
    here = at_root(scop, edges)
    found = _Chooser(choice, threads, sizes or {}, scop.by_name).visit(scop.schedule, here)
    return replace(scop, schedule=found.tree, program=None), found.verdicts


def _check(scop: Scop, choice: str, threads: int, independent: tuple[str, ...]) -> None:
    if choice not in CHOICES:
        raise PolynbError(
            f"there is no parallel={choice!r}", hint=" or ".join(f'"{c}"' for c in CHOICES)
        )
    if threads < 1:
        raise PolynbError(f"threads must be at least 1, not {threads}", hint="threads=2, say")
    for name in independent:
        if name not in scop.arrays:
            raise PolynbError(
                f"there is no array {name!r} to be independent",
                hint=f"one of: {', '.join(scop.arrays)}",
            )


def _declared(e: Edge, scop: Scop, independent: tuple[str, ...]) -> bool:
    """Whether an output dependence comes only from data-dependent subscripts of such an array."""
    writes = (scop.by_name[e.source].write, scop.by_name[e.target].write)
    return e.kind == "waw" and e.array in independent and not any(w.must for w in writes)


# -- the choice -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Found:
    """A tree with its parallel loops, and how busy they keep the threads (None: no loops).

    `whole`: all of it is in one parallel loop, or in loops that are collapsed with one, and there
    are other loops in those, so that they may be collapsed with one around.
    """

    tree: Tree
    verdicts: tuple[LoopVerdict, ...] = ()
    busy: float | None = None
    whole: bool = False


@dataclass(frozen=True, eq=False)
class _Chooser:
    choice: str
    threads: int
    sizes: Mapping[str, int]
    statements: Mapping[str, Statement]
    barred: str = ""  # why no loop here may be chosen

    def visit(self, tree: Tree, here: LoopContext) -> _Found:
        match tree:
            case Leaf():
                return _Found(tree)
            case Mark(child=c):
                return self.mark(tree, private_to(tree), here)
            case Filter(child=c):
                found = self.visit(c, filtered(tree, here))
                return replace(found, tree=replace(tree, child=found.tree))
            case Sequence(children=children):
                return self.sequence(tree, [self.visit(f.child, filtered(f, here))
                                            for f in children])  # fmt: skip
            case Band():
                return self.loop(tree, 0, here)

    def mark(self, tree: Mark, arrays: tuple[str, ...], here: LoopContext) -> _Found:
        """What is below a mark; of one for private arrays, those are left that are private."""
        if not arrays:
            found = self.visit(tree.child, here)
            return replace(found, tree=replace(tree, child=found.tree))
        inner = replace(self, barred=self.barred or TOO_SMALL)
        found = inner.visit(tree.child, unhidden(here, arrays))
        proven = tuple(a for a in arrays if a in here.private)
        return replace(found, tree=private_mark(proven, found.tree) if proven else found.tree)

    def sequence(self, tree: Sequence, parts: list[_Found]) -> _Found:
        children = zip(tree.children, parts, strict=True)
        new = replace(tree, children=tuple(replace(f, child=p.tree) for f, p in children))
        busy = [p.busy for p in parts if p.busy is not None]
        verdicts = tuple(v for p in parts for v in p.verdicts)
        return _Found(new, verdicts, min(busy, default=None))

    def loop(self, band: Band, k: int, here: LoopContext) -> _Found:
        """The loops of a band from its k-th on, and those further in."""
        if k == band.depth:
            found = self.visit(band.child, here)
            return replace(found, tree=replace(band, child=found.tree))
        values = {n: member(band.members[n], k) for n in here.domains}
        if not here.domains or not iterates(here, values):
            return self.loop(band, k + 1, one_iteration(here, values, deeper=0))
        loops = _loops(values, here)
        trips = trip_count(loops, self.sizes)
        inside = one_iteration(here, values, deeper=1)
        obstacle = carried(here, inside)
        verdict = LoopVerdict(
            _name(here, values, self.statements),
            here.depth,
            tuple(here.domains),
            trips,
            possible=obstacle is None and band.loops[k] in ("sequential", "parallel"),
            parallel=False,
            why="",
        )
        if band.loops[k] == "parallel":
            return self.taken(band, k, verdict, "as it was")
        barred = self.barred or ("as a loop inside is parallel" if _asked(band, k) else "")
        if barred == TOO_SMALL and trip_count(loops) is None:
            barred = ""
        if not barred and verdict.possible and here.depth:
            work = _iterations(band, k, here)
            barred = LITTLE if work is not None and work < WORK else ""
        if self.choice == "none" or barred or not verdict.possible:
            why = barred if verdict.possible else _why_not(obstacle)
            if self.choice == "none":
                why = "none is asked for"
            inner = replace(self, barred=self.barred or IN_VECTORS * (band.loops[k] == "vector"))
            found = _outside(replace(verdict, why=why), inner.loop(band, k + 1, inside))
            return replace(found, whole=False)
        busy = occupancy(trips, self.threads)
        many = trips is None or trips >= MANY * self.threads or self.choice == "trip-count"
        if self.choice == "outermost" or (busy >= ENOUGH and many):
            return self.taken(band, k, verdict, "as it carries no dependence")
        deeper = self.loop(band, k + 1, inside)
        if busy >= ENOUGH or (deeper.busy or 0.0) <= busy:
            why = "as it carries no dependence"
            if busy < ENOUGH:
                why = f"as no loop inside keeps {self.threads} threads busier"
            return self.taken(band, k, verdict, why, deeper)
        why = f"too few for {self.threads} threads, which are busier with a loop inside"
        if not self.collapses(deeper):
            return _outside(replace(verdict, why=why), deeper)
        found = _outside(replace(verdict, why=why + TOGETHER), deeper)
        return replace(found, tree=_as(deeper.tree, k, "collapsed"))

    def collapses(self, inner: _Found) -> bool:
        return inner.whole and self.choice == "balanced"

    def taken(
        self, band: Band, k: int, verdict: LoopVerdict, why: str, inner: _Found | None = None
    ) -> _Found:
        """The loop parallel, collapsed with all that was found inside, if that is one loop."""
        busy = occupancy(verdict.trips, self.threads)
        if inner is None or not self.collapses(inner):
            verdict = replace(verdict, parallel=True, why=why)
            loops = k + 1 < band.depth or any(isinstance(t, Band) for t in walk(band.child))
            return _Found(_as(band, k, "parallel"), (verdict,), busy, whole=loops)
        verdict = replace(verdict, parallel=True, why=why + TOGETHER)
        tree = _as(_collapsed(inner.tree), k, "parallel")
        inside = (replace(v, parallel=False, why=INSIDE) for v in inner.verdicts)
        return _Found(tree, (verdict, *inside), busy, whole=True)


def _loops(values: Mapping[str, isl.Map], here: LoopContext) -> list[tuple[isl.Map, isl.Map]]:
    """For each statement in a loop its values, and those of the loops around."""
    return [(values[n].intersect_domain(d), here.outer[n]) for n, d in here.domains.items()]


def _iterations(tree: Tree, first: int, here: LoopContext) -> int | None:
    """How many iterations, at most, one run of this part of the program has: of a band from its
    `first` loop on; None where the parameters decide."""
    match tree:
        case Leaf():
            return 1
        case Mark(child=c):
            return _iterations(c, 0, here)
        case Filter(child=c):
            return _iterations(c, 0, filtered(tree, here))
        case Sequence(children=children):
            parts = [_iterations(f, 0, here) for f in children]
            return None if None in parts else sum(p for p in parts if p is not None)
        case Band():
            if first == tree.depth or not here.domains:
                return _iterations(tree.child, 0, here)
            values = {n: member(tree.members[n], first) for n in here.domains}
            loops = [
                (values[n].intersect_domain(d), here.outer[n]) for n, d in here.domains.items()
            ]
            trips = trip_count(loops)
            if trips is None:
                return None
            deeper = 1 if iterates(here, values) else 0
            inside = _iterations(tree, first + 1, one_iteration(here, values, deeper=deeper))
            return None if inside is None else trips * inside


def _outside(verdict: LoopVerdict, inner: _Found) -> _Found:
    """What was found inside a loop that is not parallel itself: one thread, if nothing is."""
    return replace(inner, verdicts=(verdict, *inner.verdicts), busy=inner.busy or 0.0)


def _collapsed(tree: Tree) -> Tree:
    """The tree with its parallel loops collapsed with the one that is to be parallel outside."""

    def change(node: Tree) -> Tree:
        if not isinstance(node, Band):
            return node
        return replace(node, loops=tuple("collapsed" if x == "parallel" else x for x in node.loops))

    return transform(tree, change)


def _as(band: Tree, k: int, kind: str) -> Band:
    assert isinstance(band, Band)
    return replace(band, loops=(*band.loops[:k], kind, *band.loops[k + 1 :]))


def _asked(band: Band, k: int) -> bool:
    """Whether a loop inside of a band's k-th one is parallel already."""
    inside = (t for t in walk(band.child) if isinstance(t, Band))
    return any("parallel" in loops for loops in (band.loops[k + 1 :], *(b.loops for b in inside)))


def _why_not(obstacle: DependentPairs | None) -> str:
    if obstacle is None:
        return "as the schedule says"
    return f"as {obstacle.target} depends on {obstacle.source} through {obstacle.array}"


def _name(
    here: LoopContext, values: dict[str, isl.Map], statements: Mapping[str, Statement]
) -> str:
    """The iterator that a loop's values are, if they are one's (the first statement's), or the
    name of the loop over its tiles."""
    for n, m in values.items():
        for k, iterator in enumerate(statements[n].iterators):
            if m.is_subset(m.equate(isl.IN, k, isl.OUT, 0)):
                return iterator
    for n, m in values.items():
        tiles = tiles_of(m.intersect_domain(here.domains[n]), statements[n].iterators)
        if tiles is not None:
            return tiles.names[0]
    return ""
