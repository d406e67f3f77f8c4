"""Is a propagation worth it? (CC'18, sections 4.1 to 4.3)

A heuristic is a value with two questions; `propagate(..., heuristics=[...])` takes any objects
that answer them, and refuses an array as soon as one answer is no.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from polynb import isl
from polynb.arguments import count
from polynb.dependences import Dependences
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import iterators, walk
from polynb.words import shortened


@dataclass(frozen=True, eq=False)
class Attempt:
    """The program before and after one array was propagated."""

    array: str
    before: Scop
    after: Scop

    @cached_property
    def targets(self) -> tuple[Statement, ...]:
        """The statements that took over expressions, as they are now."""
        known = {id(s.expression) for s in self.before.statements}
        return tuple(s for s in self.after.statements if id(s.expression) not in known)

    @cached_property
    def pieces(self) -> tuple[tuple[Statement, tuple[Statement, ...]], ...]:
        """Each statement that was split, and what became of it."""
        new = self.after.by_name
        split = [s for s in self.before.statements if s.name not in new]
        fresh = [s for s in self.after.statements if s.name not in self.before.by_name]
        assumed = self.after.assumed
        by_statement = ((s, tuple(p for p in fresh if _is_piece(p, s, assumed))) for s in split)
        return tuple((s, parts) for s, parts in by_statement if parts)


def _is_piece(piece: Statement, of: Statement, assumed: isl.Set) -> bool:
    """Pieces have the domain of what they are pieces of, or less, at allowed parameter values."""
    if piece.origin != of.origin or piece.write.array != of.write.array:
        return False
    domain = isl.rename(piece.domain, isl.SET, of.name)
    return bool(domain.intersect_params(assumed).is_subset(of.domain))


@dataclass(frozen=True, eq=False)
class Judgement:
    """Whether a heuristic finds a propagation worth it, and why: `reason` is half a sentence;
    `accesses` or `pieces` are the texts of those that decided."""

    beneficial: bool
    reason: str
    accesses: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heuristic:
    """What `propagate` asks about each array. Either answer may be None: no opinion."""

    name: ClassVar[str] = "Heuristic"

    def worth_trying(self, dependences: Dependences, array: str) -> Judgement | None:
        """Before the array is tried."""
        return None

    def beneficial(self, trial: Attempt) -> Judgement | None:
        """After it was propagated, on trial."""
        return None


@dataclass(frozen=True)
class NonLiveOut(Heuristic):
    """Only arrays that nobody needs afterwards: their writes can go (section 4.1)."""

    name: ClassVar[str] = "Non-live-out memory"

    def worth_trying(self, dependences: Dependences, array: str) -> Judgement | None:
        arrays = dependences.scop.arrays
        if not arrays[array].live_out:
            return None
        if [a.name for a in arrays.values() if a.live_out] == [array]:
            return Judgement(False, "it is the result")
        if arrays[array].why.startswith("declared"):
            return Judgement(False, f"it is declared {arrays[array].role}, and so needed later")
        if not _goes_into_others(dependences.scop, array):
            return Judgement(False, "it is a result: nothing else is computed from it")
        program = dependences.scop.program
        declared = "" if program is not None and program.language == "c" else f"`temp {array};` or "
        return Judgement(
            False, f"it may be used later. Add {declared}`--temp {array}` if it is not"
        )


def _goes_into_others(scop: Scop, array: str) -> bool:
    """Whether a statement that writes another array reads it: a sum that does not is a result."""
    return any(r.array == array for s in scop.statements if s.write.array != array for r in s.reads)


@dataclass(frozen=True)
class CacheLines(Heuristic):
    """At most `limit` cache lines per iteration of every target (section 4.2, Figure 8).

    An access is assumed to be in the middle of its line of `line` bytes, so that it brings, of
    8 elements to a line, 4 before it and 3 after it in the last dimension; an access that hits
    nothing brought so far is one more line. Scalars and accesses with a constant last subscript
    are free; each data-dependent access is one line. The accesses of a target are counted in
    this order, on which the count depends: the reads it had, its write, the reads it took over.
    """

    limit: int = 32
    line: int = 64

    name: ClassVar[str] = "Cache lines"

    def __post_init__(self) -> None:
        count("limit", self.limit, least=0)
        count("line", self.line)

    def beneficial(self, trial: Attempt) -> Judgement:
        worst: tuple[CacheLine, ...] = ()
        where = ""
        for s in trial.targets:
            counted = lines(s, _reads_before(trial, s), self.line, trial.after.arrays)
            if len(counted) > len(worst) or not where:
                worst, where = counted, s.name
        texts = tuple(line.text for line in worst)
        if len(worst) > self.limit:
            said = f"{where} would need {len(worst)} cache lines per iteration"
            reason = f"{said} ({shortened(texts)}), {self.limit} are allowed"
            return Judgement(False, reason, accesses=texts)
        many = "cache line" if len(worst) == 1 else "cache lines"
        reason = f"no target needs more than {len(worst)} {many}, {self.limit} are allowed"
        return Judgement(True, reason, accesses=texts)


def _reads_before(trial: Attempt, target: Statement) -> frozenset[int]:
    """The nodes of reads that the target had before."""
    old = (s for s in trial.before.statements if s.origin == target.origin)
    return frozenset(id(r.node) for s in old for r in s.reads)


@dataclass(frozen=True)
class CodeComplexity(Heuristic):
    """No specialised iterations between loops, and no explosions (section 4.3).

    A piece may be fixed to one iteration of a loop only if that loop is not in between two that
    still iterate. The two other limits have no number in the paper: a statement may become at most
    `pieces` pieces; and an expression may have at most `operations` distinct nodes (Harris, wholly
    propagated, has 211; at 500 the arrays that are left of the paper's seven benchmarks are no more
    than in its Table 1).
    """

    pieces: int = 16
    operations: int = 500

    name: ClassVar[str] = "Code complexity"

    def __post_init__(self) -> None:
        count("pieces", self.pieces, least=0)
        count("operations", self.operations, least=0)

    def beneficial(self, trial: Attempt) -> Judgement:
        for s, parts in trial.pieces:
            names = tuple(p.name for p in parts)
            if len(parts) > self.pieces:
                reason = f"{s.name} would fall into {len(parts)} pieces, {self.pieces} are allowed"
                return Judgement(False, reason, pieces=names)
            for p in parts:
                between = _fixed_between(p, s, trial.after)
                if between is not None:
                    reason = (
                        f"its piece {p.name} would be a single iteration of {between}, "
                        "between loops that iterate"
                    )
                    return Judgement(False, reason, pieces=(p.name,))
        for t in trial.targets:
            size = sum(1 for _ in walk(t.expression))
            if size > self.operations:
                reason = f"{t.name} would have {size} operations, {self.operations} are allowed"
                return Judgement(False, reason, pieces=(t.name,))
        return Judgement(
            True,
            f"at most {self.pieces} pieces, none of them a single iteration between two loops, and "
            f"at most {self.operations} operations in each",
        )


def _fixed_between(piece: Statement, whole: Statement, scop: Scop) -> str | None:
    """An iterator that has one value in the piece, though not in the whole statement, while one
    outside and one inside of it iterate."""
    now = _fixed(piece, scop)
    iterating = [k for k, f in enumerate(now) if not f]
    if not iterating or all(now[k] is False for k in range(iterating[0], iterating[-1])):
        return None
    before = _fixed(whole, scop)
    for k in range(iterating[0], iterating[-1]):
        if now[k] and not before[k]:
            return piece.iterators[k]
    return None


def _fixed(s: Statement, scop: Scop) -> list[bool]:
    """Which iterators have only one value in all, at any parameter values."""
    domain = s.domain.intersect_params(scop.assumed)
    count = len(s.iterators)
    fixed = []
    for k in range(count):
        values = domain.project_out(isl.SET, k + 1, count - k - 1).project_out(isl.SET, 0, k)
        fixed.append(bool(isl.Map.from_range(values).is_single_valued()))
    return fixed


# How many cache lines an iteration touches (CC'18, section 4.2 and Figure 8).


@dataclass(frozen=True, eq=False)
class CacheLine:
    """A line: the access that brings it, and its cells `{ S[i] -> A[x] }`, None where the access
    depends on data."""

    access: MemoryAccess
    cells: isl.Map | None

    @property
    def text(self) -> str:
        return print_affine(self.access.node)


@isl.guarded
def lines(
    s: Statement, first: Collection[int], line: int, arrays: Mapping[str, Array]
) -> tuple[CacheLine, ...]:
    """The lines that an iteration of a statement needs, in the order in which they come.

    `first`: which reads, by the ids of their nodes, come before the write and the other reads;
    `line` is in bytes.
    """
    old = [r for r in s.reads if id(r.node) in first]
    new = [r for r in s.reads if id(r.node) not in first]
    cached: list[CacheLine] = []
    near: dict[str, list[isl.Map]] = {}
    for access in (*old, s.write, *new):
        if _free(access):
            continue
        if not access.must:
            cached.append(CacheLine(access, None))
        elif not _hit(access.relation, brought := near.setdefault(access.array, [])):
            elements = line // arrays[access.array].type.size
            brought.append(_widened(access.relation, elements))
            cached.append(CacheLine(access, brought[-1]))
    return tuple(cached)


def _free(access: MemoryAccess) -> bool:
    """Scalars, and accesses whose last subscript does not move."""
    subscripts = access.node.subscripts
    return not subscripts or not iterators(subscripts[-1])


def _hit(cells: isl.Map, brought: list[isl.Map]) -> bool:
    if any(cells.is_subset(b) for b in brought):
        return True
    return len(brought) > 1 and bool(cells.is_subset(isl.united(brought)))


def _widened(cells: isl.Map, elements: int) -> isl.Map:
    """`{ S[i] -> A[x..., y + d] : -elements/2 <= d < elements/2 }`."""
    outer = "".join(f"x{k}, " for k in range(cells.dim(isl.OUT) - 1))
    before, after = elements // 2, (elements + 1) // 2  # at least the element itself
    near = isl.read_map(f"{{ [{outer}y] -> [{outer}z] : y - {before} <= z < y + {after} }}")
    array = isl.tuple_name(cells, isl.OUT)
    near = near.set_tuple_name(isl.IN, array).set_tuple_name(isl.OUT, array)
    return cells.apply_range(near)
