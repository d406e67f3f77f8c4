"""Which loops run in parallel (CC'18, section 5.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from polynb import isl
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.legality.carried import (
    LoopContext,
    LoopWithin,
    at_root,
    below,
    one_iteration,
)
from polynb.legality.private import LoopVerdict, marked_private, private_by_cells
from polynb.schedules.bands import iterator_of
from polynb.schedules.reasons import (
    INSIDE,
    Bar,
    Chosen,
    busiest,
    obstructed,
    together,
    too_few,
)
from polynb.schedules.tile_names import tiles_of
from polynb.schedules.trip_counts import occupancy, trip_count
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import (
    Band,
    Filter,
    Leaf,
    LoopKind,
    Mark,
    Private,
    Sequence,
    Tree,
    subtrees,
    transform,
    walk,
    with_kinds,
    with_subtrees,
)
from polynb.scop.tree_walk import walk_within

CHOICES: Final = ("balanced", "trip-count", "outermost", "none")
WORK: Final = 20_000
"""Iterations that are worth waking the threads for, once for each of a loop around: that takes
microseconds."""
ENOUGH: Final = 0.9
"""A loop that keeps the threads busy for this part of its time is not passed over."""

MANY: Final = 8
"""Iterations for each thread, from which on a thread that falls behind leaves some to others."""


class Relations(Protocol):
    """Dependences `{ S[i] -> T[j] }`, by array."""

    def edges_through(self, arrays: Collection[str]) -> Iterable[Edge]: ...


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
    Temporaries that a mark says are private (see `privatize`), and are, do not either.
    Raises PolynbError for an unknown choice or array.
    """
    _check(scop, choice, threads, independent := tuple(independent))
    settled = _settled(scop)
    found = dependences.edges_through([a for a in scop.arrays if a not in settled])
    edges = [e for e in found if not _declared(e, scop, independent)]
    here = at_root(scop, edges)
    chosen = _Chooser(choice, threads, sizes or {}, scop.by_name).visit(scop.schedule, here)
    return replace(scop, schedule=chosen.tree, program=None), chosen.verdicts


def _settled(scop: Scop) -> set[str]:
    """Arrays of which no dependence is asked for: no loop around their marks carries one, and
    nothing is chosen inside of a loop that is parallel already. (One of a single iteration is
    passed over: then something is.)"""
    apart = private_by_cells(scop) if marked_private(scop.schedule) else set()
    found: set[str] = set()
    for node, here in walk_within(scop.schedule, at_root(scop, ()), below) if apart else ():
        parallel = isinstance(node, Band) and node.kinds[:1] == ("parallel",) and here.domains
        if isinstance(node, Band) and parallel and LoopWithin(node, 0, here).iterates:
            found |= apart & set(marked_private(node.child))
    return found


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
    barred: Bar | None = None  # why no loop here may be chosen

    def visit(self, tree: Tree, here: LoopContext) -> _Found:
        match tree:
            case Leaf():
                return _Found(tree)
            case Band():
                return self.loop(tree, 0, here)
            case Sequence(children=children):
                return self.sequence(tree, [self.visit(f, here) for f in children])
            case Mark(what=Private(arrays=arrays)):
                return self.private(tree, arrays, here)
            case Filter(child=c) | Mark(child=c):
                found = self.visit(c, below(tree, here))
                return replace(found, tree=replace(tree, child=found.tree))

    def private(self, tree: Mark, arrays: tuple[str, ...], here: LoopContext) -> _Found:
        """What is below a mark for private arrays, of which those are left that are private."""
        inner = replace(self, barred=self.barred or Bar.TOO_SMALL)
        found = inner.visit(tree.child, below(tree, here))
        proven = tuple(a for a in arrays if a in here.private)
        return replace(found, tree=Mark(Private(proven), found.tree) if proven else found.tree)

    def sequence(self, tree: Sequence, parts: list[_Found]) -> _Found:
        new = with_subtrees(tree, [p.tree for p in parts])
        busy = [p.busy for p in parts if p.busy is not None]
        verdicts = tuple(v for p in parts for v in p.verdicts)
        return _Found(new, verdicts, min(busy, default=None))

    def loop(self, band: Band, k: int, here: LoopContext) -> _Found:
        """The loops of a band from its k-th on, and those further in."""
        if k == band.depth:
            found = self.visit(band.child, here)
            return replace(found, tree=replace(band, child=found.tree))
        x = LoopWithin(band, k, here)
        if not here.domains or not x.iterates:
            return self.loop(band, k + 1, one_iteration(here, x.values, deeper=0))
        undecided = LoopVerdict(
            _name(here, x.values, self.statements),
            here.depth,
            tuple(here.domains),
            trip_count(x.with_outer, self.sizes),
            possible=x.carried is None and x.kind in ("sequential", "parallel"),
            parallel=False,
            why="",
        )
        if x.kind == "parallel":
            return self.taken(x, undecided, Chosen.GIVEN)
        bar = self.bar(x, undecided)
        if bar is not None:
            return self.barred_loop(x, replace(undecided, why=str(bar)))
        return self.possible_loop(x, undecided)

    def bar(self, x: LoopWithin, undecided: LoopVerdict) -> str | None:
        """Why a loop may not be chosen, None if it may."""
        if self.choice == "none":
            return Bar.NONE_ASKED
        if not undecided.possible:
            return obstructed(x.carried)
        small = self.barred is Bar.TOO_SMALL
        if self.barred and not (small and trip_count(x.with_outer) is None):
            return self.barred
        if _asked(x.band, x.member):
            return Bar.PARALLEL_INSIDE
        work = _iterations(x.band, x.member, x.here) if x.here.depth else None
        return Bar.LITTLE if work is not None and work < WORK else None

    def barred_loop(self, x: LoopWithin, verdict: LoopVerdict) -> _Found:
        """The loop as it is, and what is found further in."""
        inner = replace(self, barred=self.barred or Bar.IN_VECTORS) if x.kind == "vector" else self
        found = _outside(verdict, inner.loop(x.band, x.member + 1, x.inside))
        return replace(found, whole=False)

    def possible_loop(self, x: LoopWithin, undecided: LoopVerdict) -> _Found:
        """The loop parallel, or one further in that keeps the threads busier, or both as one."""
        trips = undecided.trips
        busy = occupancy(trips, self.threads)
        many = trips is None or trips >= MANY * self.threads or self.choice == "trip-count"
        if self.choice == "outermost" or (busy >= ENOUGH and many):
            return self.taken(x, undecided, Chosen.FREE)
        deeper = self.loop(x.band, x.member + 1, x.inside)
        if busy >= ENOUGH:
            return self.taken(x, undecided, Chosen.FREE, deeper)
        if (deeper.busy or 0.0) <= busy:
            return self.taken(x, undecided, busiest(self.threads), deeper)
        why = too_few(self.threads)
        if not self.collapses(deeper):
            return _outside(replace(undecided, why=why), deeper)
        found = _outside(replace(undecided, why=together(why)), deeper)
        return replace(found, tree=_as(deeper.tree, x.member, "collapsed"))

    def collapses(self, inner: _Found) -> bool:
        return inner.whole and self.choice == "balanced"

    def taken(
        self, x: LoopWithin, undecided: LoopVerdict, why: str, inner: _Found | None = None
    ) -> _Found:
        """The loop parallel, collapsed with all that was found inside, if that is one loop."""
        busy = occupancy(undecided.trips, self.threads)
        if inner is None or not self.collapses(inner):
            verdict = replace(undecided, parallel=True, why=str(why))
            further = (t for t in walk(x.band.child) if isinstance(t, Band))
            loops = x.member + 1 < x.band.depth or any(further)
            return _Found(_as(x.band, x.member, "parallel"), (verdict,), busy, whole=loops)
        verdict = replace(undecided, parallel=True, why=together(why))
        tree = _as(_collapsed(inner.tree), x.member, "parallel")
        inside = (replace(v, parallel=False, why=INSIDE) for v in inner.verdicts)
        return _Found(tree, (verdict, *inside), busy, whole=True)


def _iterations(tree: Tree, first: int, here: LoopContext) -> int | None:
    """How many iterations, at most, one run of this part of the program has: of a band from its
    `first` loop on; None where the parameters decide."""
    if isinstance(tree, Leaf):
        return 1
    if isinstance(tree, Band):
        if first == tree.depth or not here.domains:
            return _iterations(tree.child, 0, here)
        x = LoopWithin(tree, first, here)
        trips = trip_count(x.with_outer)
        if trips is None:
            return None
        arriving = x.inside if x.iterates else one_iteration(here, x.values, deeper=0)
        inside = _iterations(tree, first + 1, arriving)
        return None if inside is None else trips * inside
    arriving = below(tree, here)
    parts = [_iterations(t, 0, arriving) for t in subtrees(tree)]
    return None if None in parts else sum(p for p in parts if p is not None)


def _outside(verdict: LoopVerdict, inner: _Found) -> _Found:
    """What was found inside a loop that is not parallel itself: one thread, if nothing is."""
    return replace(inner, verdicts=(verdict, *inner.verdicts), busy=inner.busy or 0.0)


def _collapsed(tree: Tree) -> Tree:
    """The tree with its parallel loops collapsed with the one that is to be parallel outside."""

    def change(node: Tree) -> Tree:
        if not isinstance(node, Band):
            return node
        return with_kinds(node, ["collapsed" if k == "parallel" else k for k in node.kinds])

    return transform(tree, change)


def _as(band: Tree, k: int, kind: LoopKind) -> Band:
    assert isinstance(band, Band)
    return with_kinds(band, (*band.kinds[:k], kind, *band.kinds[k + 1 :]))


def _asked(band: Band, k: int) -> bool:
    """Whether a loop inside of a band's k-th one is parallel already."""
    inside = (t for t in walk(band.child) if isinstance(t, Band))
    return any("parallel" in kinds for kinds in (band.kinds[k + 1 :], *(b.kinds for b in inside)))


def _name(
    here: LoopContext, values: dict[str, isl.Map], statements: Mapping[str, Statement]
) -> str:
    """The iterator that a loop's values are, if they are one's (the first statement's), or the
    name of the loop over its tiles."""
    if (iterator := iterator_of(statements, values)) is not None:
        return iterator
    for n, m in values.items():
        tiles = tiles_of(m.intersect_domain(here.domains[n]), statements[n].iterators)
        if tiles is not None:
            return tiles.names[0]
    return ""
