"""What would make an illegal schedule legal (the paper, Figure 8, and 4.3.2): memory for the values
that would be overwritten, or another schedule nearby."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, overload

from polynb import isl
from polynb.arguments import count, flag, function, optional
from polynb.conveniences import Conveniences
from polynb.dependences import LiveRanges, live_ranges
from polynb.dependences.memory import read_kills
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.checking import Verdict
from polynb.legality.order import New, new_order
from polynb.legality.violation import violations
from polynb.schedules.bands import with_schedule
from polynb.schedules.expanding import Dimensions, dimensions, expanded, refusal
from polynb.schedules.privatizing import privatize
from polynb.scop.model import Scop
from polynb.scop.schedule import Tree
from polynb.scop.storage import in_memory
from polynb.violations.memory_cost import Cells
from polynb.violations.nearest import Tried, nearest
from polynb.violations.overlaps import Overlap, overlapping
from polynb.violations.trees import as_tree, in_some_order
from polynb.words import listed

DISTANCE: Final = 2
CANDIDATES: Final = 60


@dataclass(frozen=True, eq=False, repr=False)
class Repair:
    """A program in a schedule that is legal for it, made of one that was not.

    `kind`: "expand" (arrays get dimensions: `expansions`), "privatize" (each iteration of a
    parallel loop has its own copy of `arrays`), or "reorder" (another schedule: `decisions`).
    `cost` says what it takes of memory. It was checked: its live ranges do not overlap.
    """

    kind: str
    arrays: tuple[str, ...]
    program: Scop
    expansions: tuple[ArrayExpansion, ...] = ()
    decisions: tuple[str, ...] = ()

    def apply(self) -> Scop:
        """The repaired program, in its new order."""
        return self.program

    @property
    def cost(self) -> str:
        """The memory that it takes: cells, as a formula in the parameters."""
        if self.kind == "expand":
            return "; ".join(f"{e.array}: {e.cost}" for e in self.expansions)
        if self.kind == "privatize":
            return f"a copy of {listed(self.arrays)} for each thread"
        return "no memory"

    @property
    def change(self) -> str:
        """What it does, without what it takes: `expand t by i`."""
        if self.kind == "expand":
            each = (f"{e.array} by {listed(e.added.names)}" for e in self.expansions)
            return f"expand {listed(each)}"
        if self.kind == "privatize":
            return f"privatize {listed(self.arrays)}"
        return f"another schedule: {', then '.join(self.decisions)}"

    def __str__(self) -> str:
        if self.kind == "expand":
            each = (f"{e.array} by {listed(e.added.names)} ({e.cost})" for e in self.expansions)
            return f"expand {listed(each)}"
        cost = "a copy for each thread" if self.kind == "privatize" else self.cost
        return f"{self.change} ({cost})"

    def __repr__(self) -> str:
        return f"<Repair: {self}>"


@dataclass(frozen=True, eq=False, repr=False)
class Repairs(Sequence[Repair], Conveniences):
    """What makes a schedule legal, the most alike first; true if there is anything. `refused` says
    of each array in the way why it cannot have more cells, with a witness."""

    found: tuple[Repair, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, k: int) -> Repair: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[Repair, ...]: ...

    def __getitem__(self, k: int | slice) -> Repair | tuple[Repair, ...]:
        return self.found[k]

    def __str__(self) -> str:
        lines = [*map(str, self.found), *(f"not {a}: {why}" for a, why in self.refused.items())]
        return "\n".join(lines) or "nothing to repair"

    def __repr__(self) -> str:
        return f"<Repairs: {'; '.join(map(str, self.found)) or 'none'}>"


@isl.bounded("the search for repairs")
def repairs(
    program: Scop | Derivation,
    schedule: New,
    *,
    parallel: bool = False,
    kills: isl.UnionMap | str | None = None,
    distance: int = DISTANCE,
    candidates: int = CANDIDATES,
    progress: Tried | None = None,
    max_operations: int | None = 200_000_000,
) -> Repairs:
    """What makes `schedule` legal for a program, the most alike first; nothing if it is, or if
    nothing was found.

    Where it respects the flow of values, but live ranges overlap: private copies of temporaries (of
    loops of a schedule tree that run in `parallel`); and further dimensions for the arrays whose
    live ranges overlap, the fewest that suffice. In any case the nearest legal schedule: at most
    `distance` decisions (orders of loops, reversals, fusions, distributions) away, among the first
    so many `candidates`; `progress` is told the number of those tried, and the most. Raises
    PolynbError for a schedule that leaves instances out, and BudgetExhausted.
    """
    scop = in_memory(as_scop(program))
    count("distance", distance)
    count("candidates", candidates)
    optional(function, "progress", progress, "a function of two numbers")
    optional(count, "max_operations", max_operations)
    flag("parallel", parallel)
    with isl.budget(max_operations):
        tree = as_tree(scop, schedule)
        known = read_kills(scop, kills)
        case = _Case(live_ranges(scop, kills=known), parallel, known)
        violated = case.overlapping(tree)
        if violated == {}:
            return Repairs()
        ways: list[Repair] = []
        whys = {array: refusal(scop, array) for array in violated or ()}
        refused = {array: why for array, why in whys.items() if why is not None}
        if violated is not None:
            ways += case.privatized(tree, tuple(violated)) if parallel else ()
            ways += case.expanded(tree, violated) if not refused else ()
        near = nearest(
            scop, tree, case.legal, distance=distance, candidates=candidates, progress=progress
        )
        if near is not None:
            other = _in_order(scop, near.tree)
            ways.append(Repair("reorder", (), other, decisions=near.decisions))
        return Repairs(tuple(ways), refused)


def repairs_of(verdict: Verdict) -> Repairs:
    """The repairs of the schedule that a verdict of `pn.check` is about."""
    asked = verdict.asked
    if asked is None:
        raise PolynbError(
            "this verdict does not know what was asked",
            hint="polynb.violations.repairs(scop, schedule)",
        )
    return repairs(asked.program, asked.schedule, parallel=True, kills=asked.kills)


@dataclass(frozen=True, eq=False)
class _Case:
    """What is asked about the schedules of a program."""

    ranges: LiveRanges
    parallel: bool
    kills: isl.UnionMap | None

    @property
    def scop(self) -> Scop:
        return self.ranges.scop

    def overlapping(self, tree: Tree) -> dict[str, list[Overlap]] | None:
        """The live ranges of each array that overlap; None if some flow is not respected."""
        order = new_order(self.ranges, tree, self.parallel)
        if any(True for _ in violations(self.ranges.flow, order, self.scop.assumed)):
            return None
        return overlapping(self.ranges, order)

    def legal(self, tree: Tree) -> bool:
        return self.overlapping(tree) == {}

    def privatized(self, tree: Tree, arrays: tuple[str, ...]) -> Iterator[Repair]:
        """The arrays whose live ranges overlap, private to an iteration, if they can be."""
        try:
            marked = privatize(_in_order(self.scop, tree), arrays)
        except PolynbError as error:
            if isinstance(error, isl.BudgetExhausted):
                raise
            return
        if self.legal(marked.schedule):
            yield Repair("privatize", arrays, marked)

    def expanded(self, tree: Tree, found: Mapping[str, Sequence[Overlap]]) -> Iterator[Repair]:
        """These arrays with the fewest further dimensions, if all of them can have some."""
        least = tuple(_least_expansion(self.scop, array, here) for array, here in found.items())
        made = expanded(self.scop, {e.array: e.added for e in least})
        kept = None if self.kills is None else _without(self.kills, found)
        if _Case(live_ranges(made, kills=kept), self.parallel, kept).legal(tree):
            yield Repair("expand", tuple(found), _in_order(made, tree), least)


def _in_order(scop: Scop, tree: Tree) -> Scop:
    """The program as a tree says, and what that leaves open in some order."""
    return with_schedule(scop, in_some_order(scop, tree))


def _without(kills: isl.UnionMap, arrays: Container[str]) -> isl.UnionMap:
    """Kills of other arrays: of these the cells are others now."""
    return isl.union_map(m for m in isl.maps(kills) if isl.tuple_name(m, isl.OUT) not in arrays)


# The least expansion of an array that keeps its live ranges apart (the paper, 4.3.2, *supporting
# array/scalar expansion*).


SIZE: Final = 64
"""The value of the parameters at which costs are compared."""


@dataclass(frozen=True, eq=False)
class ArrayExpansion:
    """Further dimensions of an array: how many cells it had, has with them, and would have with
    all of them, a cell for each value that is written."""

    added: Dimensions
    before: Cells
    cells: Cells
    full: Cells

    @property
    def array(self) -> str:
        return self.added.array

    @property
    def cost(self) -> str:
        """`N cells, not 1; in full N * N`, where that is more."""
        full = f"; in full {self.full}" if str(self.full) != str(self.cells) else ""
        return f"{self.cells} cells, not {self.before}{full}"


def _least_expansion(scop: Scop, array: str, found: Sequence[Overlap]) -> ArrayExpansion:
    """The fewest dimensions, and of those the fewest cells, such that none of these overlapping
    live ranges share a cell any more. (With all dimensions each value has its own.)

    The array is one that can be expanded (`expanding.refusal`).
    """
    costs = [(added, _cells(scop, added)) for added in _choices(scop, array)]
    sizes = dict.fromkeys(scop.parameters, SIZE)
    chosen = sorted(costs, key=lambda c: _order(c[0], c[1], sizes))
    full, most = chosen[-1]
    best = next((d, c) for d, c in chosen if d is full or _apart(found, d))
    return ArrayExpansion(best[0], Cells.of(scop, array), best[1], most)


def _choices(scop: Scop, array: str) -> Iterator[Dimensions]:
    writers = [s for s in scop.statements if s.write.array == array]
    loops = range(max(len(s.iterators) for s in writers))
    for number in range(len(loops) + 1):
        for chosen in combinations(loops, number):
            for by_statement in (False, True) if len(writers) > 1 else (False,):
                if chosen or by_statement:
                    yield dimensions(scop, array, chosen, by_statement)


def _cells(scop: Scop, added: Dimensions) -> Cells:
    return Cells.of(expanded(scop, {added.array: added}), added.array)


def _order(added: Dimensions, cells: Cells, sizes: Mapping[str, int]) -> tuple[int, bool, float]:
    at = cells.at(sizes)
    return len(added.loops), added.by_statement, float("inf") if at is None else at


def _apart(found: Sequence[Overlap], added: Dimensions) -> bool:
    """Whether no two of these live ranges have the same cell."""
    return all(_left(o, added) for o in found)


def _left(o: Overlap, added: Dimensions) -> bool:
    if o.first.write is None or o.second.write is None:
        return False
    same = added.same(o.first.write, o.second.write)
    pairs = o.first.pairs.domain_map().apply_range(same)
    pairs = pairs.apply_range(o.second.pairs.domain_map().reverse())
    return bool(o.relation.intersect_range(pairs.wrap()).is_empty())
