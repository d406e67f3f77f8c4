"""Whether a program that was moved about may run as it is: its order, its memory, its loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from polynb import isl
from polynb.dependences import Dependences, LiveRanges, analyze, live_ranges
from polynb.dependences.storage import memories
from polynb.errors import PolynbError
from polynb.legality.carried import loops_within
from polynb.legality.checking import CheckAsked, Verdict, check_ranges, check_storage
from polynb.legality.order import AT_ONCE, new_times
from polynb.moves.loops import named_loops
from polynb.schedules.privatizing import privatized
from polynb.schedules.tiled_dependences import AllPairs, all_pairs
from polynb.scop.model import Scop
from polynb.scop.schedule import Mark, Private, Tree, at_one_time, transform
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness, pair_witness


@dataclass(frozen=True, eq=False)
class Original:
    """The program whose values are to be kept, and what has to be known of it."""

    scop: Scop

    @cached_property
    def ranges(self) -> LiveRanges:
        return live_ranges(self.scop)

    @cached_property
    def dependences(self) -> Dependences:
        return analyze(in_memory(self.scop))

    @cached_property
    def pairs(self) -> AllPairs:
        """What loops may carry, in whatever legal order."""
        return all_pairs(self.dependences, in_memory(self.scop).temporaries)


@dataclass(frozen=True, eq=False)
class CarriedBetween:
    """A loop is to run several iterations at once, of which one depends on another: the "target"
    of the witness on its "source"."""

    loop: str
    kind: str
    array: str
    witness: Witness

    def __str__(self) -> str:
        w = self.witness
        said = f"{w['target']} depends on {w['source']} through {self.array}"
        said = w.at_values(f"{said}, in another iteration")
        return f"{self.loop} cannot run {AT_ONCE[self.kind]}: {said}"


@dataclass(frozen=True, eq=False)
class Shared:
    """A temporary that was private to an iteration, and is not any more."""

    array: str
    why: str

    def __str__(self) -> str:
        return f"{self.array} is no longer private to an iteration: {self.why}"


@dataclass(frozen=True, eq=False)
class MoveVerdict:
    """Whether a program may run as it is (truthy then), and if not, why.

    `order` is the verdict of `check` against the live ranges of the original; `carried` has the
    loops that cannot run as they should, `shared` what is not private any more.
    """

    order: Verdict
    carried: tuple[CarriedBetween, ...] = ()
    shared: tuple[Shared, ...] = ()

    @property
    def legal(self) -> bool:
        return self.order.legal and not self.carried and not self.shared

    def __bool__(self) -> bool:
        return self.legal

    @property
    def obstacles(self) -> tuple[str, ...]:
        """The reasons against it, each with its witness."""
        return tuple(map(str, (*self.order.conflicts, *self.carried, *self.shared)))

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays through which it would go wrong."""
        blamed = [c.array for c in self.order.conflicts] + [c.array for c in self.carried]
        return tuple(dict.fromkeys([*blamed, *(s.array for s in self.shared)]))

    @property
    def witness(self) -> Witness | None:
        """The instances that the first reason is about."""
        witnesses = [c.witness for c in self.order.conflicts] + [c.witness for c in self.carried]
        return witnesses[0] if witnesses else None

    def __str__(self) -> str:
        if self.legal:
            return str(self.order)
        return "illegal: " + "; ".join(self.obstacles)

    def __repr__(self) -> str:
        return f"<MoveVerdict: {self}>"


def judged(
    original: Original, scop: Scop, private: tuple[str, ...] = ()
) -> tuple[Scop, MoveVerdict]:
    """The verdict on a program in another order, with other loop kinds, in other memory; and the
    program with marks for the arrays that are to be `private` to an iteration."""
    scop, shared = _marked(original, _unmarked(scop), private)
    verdict = check_storage(scop) if memories(scop) else Verdict(())
    if verdict:
        verdict = check_ranges(original.ranges, new_times(original.scop, scop.schedule))
        verdict = replace(verdict, asked=CheckAsked(original.scop, scop.schedule, None))
    if not verdict:
        return scop, MoveVerdict(verdict)
    return scop, MoveVerdict(verdict, tuple(_carried(original, scop)), shared)


def _unmarked(scop: Scop) -> Scop:
    """Without marks of private arrays: they are found again, as deep as they can be."""

    def change(node: Tree) -> Tree:
        is_private = isinstance(node, Mark) and isinstance(node.what, Private)
        return node.child if isinstance(node, Mark) and is_private else node

    return replace(scop, schedule=transform(scop.schedule, change))


def _marked(
    original: Original, scop: Scop, private: tuple[str, ...]
) -> tuple[Scop, tuple[Shared, ...]]:
    shared = []
    for name in private:
        try:
            scop = privatized(in_memory(scop), [name], original.dependences)
        except isl.BudgetExhausted:
            raise
        except PolynbError as error:
            shared.append(Shared(name, error.reason or error.message))
    return scop, tuple(shared)


def _carried(original: Original, scop: Scop) -> Iterator[CarriedBetween]:
    """For each loop of which iterations run at once, a dependence that it carries."""
    if not any(x.loop.kind in AT_ONCE for x in named_loops(scop)):
        return
    names = {(id(x.band), x.member): x.name for x in named_loops(scop)}
    for x in loops_within(in_memory(scop), original.pairs.edges):
        obstacle = x.carried if x.kind in AT_ONCE else None
        if obstacle is not None:
            witness = _witness(obstacle.relation, x.values)
            yield CarriedBetween(names[id(x.band), x.member], x.kind, obstacle.array, witness)


def _witness(relation: isl.Map, values: dict[str, isl.Map]) -> Witness:
    """A pair of a dependence of which the ends are in different iterations."""
    source, target = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
    witness = pair_witness(relation.subtract(at_one_time(values, source, target)))
    assert witness is not None
    return witness
