"""All writes to one array in one loop nest: the schedule that the paper's fork of Polly chooses
(CC'18, section 5.3)."""

from __future__ import annotations

from collections.abc import Generator, Sequence as Seq
from dataclasses import dataclass
from itertools import pairwise

from polynb import isl
from polynb.dependences import analyze
from polynb.dependences.model import Edge
from polynb.derivation import Sentence, Step, derivation
from polynb.legality.violation import Violation, violation
from polynb.schedules.bands import first_loop, with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Sequence, Tree, times


@dataclass(frozen=True, eq=False)
class Merged(Step):
    """Two nests that write an array are one now: all these statements share so many loops."""

    array: str
    statements: tuple[str, ...]
    loops: int

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array, *self.statements)

    @property
    def sentence(self) -> Sentence:
        text = "Writes to {array} are in one loop nest: {statements} share {loops}."
        return text, {
            "array": self.array,
            "statements": ", ".join(self.statements),
            "loops": "a loop" if self.loops == 1 else f"{self.loops} loops",
        }


@dataclass(frozen=True, eq=False)
class NotMerged(Step):
    """Two nests that write an array stay two; `violation` is what merging them would break."""

    array: str
    statements: tuple[str, ...]
    violation: Violation | None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array, *self.statements)

    @property
    def sentence(self) -> Sentence:
        text = "Writes to {array} stay in two nests, {statements}: {reason}."
        reason = "one is no loop" if self.violation is None else str(self.violation)
        return text, {
            "array": self.array,
            "statements": ", ".join(self.statements),
            "reason": reason,
        }


@derivation(paper="CC'18")
def merge_writes(scop: Scop) -> Generator[Step, None, Scop]:
    """Run all statements that write one array in one loop nest (CC'18, section 5.3).

    Of the loop nests of a program, those that write the same array become one: their outermost
    loops are joined, iteration by iteration, as many as the flow, anti and output dependences
    allow, and within an iteration the nests keep their order. The nest stands where the first of
    them was, or else where the last was. Where every way breaks a dependence the two nests stay,
    and the step has the instances as a witness. A program that is in this form already, as one
    that propagation split into pieces mostly is, comes back as the same object.
    """
    for array in dict.fromkeys(s.write.array for s in scop.statements):
        refused: set[tuple[str, ...]] = set()
        while (pair := _pair(scop, array, refused)) is not None:
            names = _names(scop, pair)
            edges = [e for e in analyze(scop).edges if e.source in names or e.target in names]
            with isl.wrapped():
                tree, loops, broken = _merged(scop, pair, edges)
            if tree is None:
                refused.add(names)
                yield NotMerged(array, names, broken)
            else:
                scop = with_schedule(scop, tree)
                yield Merged(array, names, loops)
    return scop


def _pair(scop: Scop, array: str, refused: set[tuple[str, ...]]) -> tuple[int, int] | None:
    """Two nests that write the array, next to each other but for nests that do not."""
    where = _nests(scop, array)
    untried = (p for p in pairwise(where) if _names(scop, p) not in refused)
    return next(untried, None)


def _names(scop: Scop, where: Seq[int]) -> tuple[str, ...]:
    assert isinstance(scop.schedule, Sequence)
    return tuple(n for k in where for n in scop.schedule.children[k].domains)


def _nests(scop: Scop, array: str) -> list[int]:
    """The children of the outermost sequence that write the array."""
    if not isinstance(scop.schedule, Sequence):
        return []
    return [
        k
        for k, f in enumerate(scop.schedule.children)
        if any(scop.by_name[n].write.array == array for n in f.domains)
    ]


def _merged(
    scop: Scop, pair: tuple[int, int], edges: Seq[Edge]
) -> tuple[Tree | None, int, Violation | None]:
    """The tree with these children as one nest, with as many common loops as are legal, and their
    number; or what the least merging breaks."""
    assert isinstance(scop.schedule, Sequence)
    nests = scop.schedule.children
    parts = [nests[k] for k in pair]
    domains = {s.name: s.domain for s in scop.statements}
    broken = None
    for loops in range(_common(parts), 0, -1):
        joined = _joined(parts, loops)
        for place in pair:
            kept = [joined if k == place else f for k, f in enumerate(nests)
                    if k == place or k not in pair]  # fmt: skip
            tree: Tree = Sequence(tuple(kept)) if len(kept) > 1 else joined.child
            broken = violation(edges, times(tree, domains), scop.assumed)
            if broken is None:
                return tree, loops, None
    return None, 0, broken


def _common(parts: Seq[Filter]) -> int:
    """How many loops all nests begin with."""
    return min(_loops(f.child) for f in parts)


def _loops(tree: Tree) -> int:
    return tree.depth + _loops(tree.child) if isinstance(tree, Band) else 0


def _joined(parts: Seq[Filter], loops: int) -> Filter:
    """The nests with their first loops in common."""
    names: dict[str, isl.Set | None] = {}
    for f in parts:
        names |= f.domains
    trees: list[Tree] = [f.child for f in parts]
    members: list[dict[str, isl.Map]] = []
    for _ in range(loops):
        outermost = [first_loop(t) for t in trees if isinstance(t, Band)]
        members.append({n: m for first, _ in outermost for n, m in first.items()})
        trees = [rest for _, rest in outermost]
    inside = (Filter(dict.fromkeys(f.domains), t) for f, t in zip(parts, trees, strict=True))
    tree: Tree = Sequence(tuple(inside))
    for level in reversed(members):
        tree = Band(level, tree)
    return Filter(names, tree)
