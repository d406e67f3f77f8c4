"""The loops of a traced program as a tree, and which of them two instructions have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from polynb.tracing.model import Folding
from polynb.tracing.records import CallSite, Instruction, LoopOf

LoopKey = tuple[tuple[CallSite, ...], str]
"""A loop in one calling context: the calls that led to its function, and its name."""


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A loop in one calling context, by the `name` that it has among those around it (`called`).
    `depth` is its dimension in the vectors of what is inside (0 is the outermost); `instructions`
    are directly inside, `children` the loops that are."""

    name: str
    key: LoopKey
    loop: LoopOf
    depth: int
    instructions: tuple[Instruction, ...]
    children: tuple[LoopNode, ...]

    @property
    def inside(self) -> tuple[Instruction, ...]:
        """All instructions, at any depth."""
        return (*self.instructions, *(i for c in self.children for i in c.inside))

    def paths(self) -> Iterator[tuple[LoopNode, ...]]:
        """From this loop to each loop without others inside, outermost first."""
        if not self.children:
            yield (self,)
        for child in self.children:
            for path in child.paths():
                yield (self, *path)

    def walk(self) -> Iterator[LoopNode]:
        """It and all loops inside, outer before inner."""
        yield self
        for child in self.children:
            yield from child.walk()


def called(loops: Mapping[str, LoopOf], path: Iterable[str]) -> tuple[str, ...]:
    """What loops inside each other are called: as their source does, but for an inner one that
    counts with the iterator of an outer one (of a caller's, say), which keeps its own name."""
    found: list[str] = []
    for name in path:
        iterator = loops[name].called if name in loops else name
        found.append(name if iterator in found else iterator)
    return tuple(found)


def loop_keys(folding: Folding, i: Instruction) -> tuple[LoopKey, ...]:
    """What tells the loops around an instruction from those of other contexts, outermost first.

    A loop's name is that of its function's; the function may be called from several places, and
    the loop is another one in each.
    """
    functions = {loop.name: loop.function for loop in folding.loops}
    found, reached = [], 0
    for name in i.loops:
        function = functions.get(name, "")
        later = [k for k in range(reached, len(i.place)) if i.place[k].function == function]
        own = reached > 0 and i.place[reached - 1].function == function
        if later and not own:
            reached = later[0] + 1
        found.append((i.place[:reached], name))
    return tuple(found)


def common_loops(folding: Folding, a: Instruction, b: Instruction) -> int:
    """How many outermost loops two instructions are both in, in the same calling context."""
    return shared(loop_keys(folding, a), loop_keys(folding, b))


def shared(a: Sequence[object], b: Sequence[object]) -> int:
    """How many are the same at the beginning of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def precedes(a: Instruction, b: Instruction) -> bool | None:
    """Whether `a` runs before `b` within one iteration of all their common loops; None where the
    trace does not say."""
    if a.name == b.name:
        return False
    if not (a.order and b.order):
        return None
    return a.order < b.order


def loop_tree(folding: Folding) -> tuple[LoopNode, ...]:
    """The outermost loops with all that is in them, in the order of the text."""
    known = {loop.name: loop for loop in folding.loops}
    keyed = [(loop_keys(folding, i), i) for i in folding.instructions.values()]

    def below(outer: tuple[LoopKey, ...], members: list[tuple[tuple[LoopKey, ...], Instruction]]):  # type: ignore[no-untyped-def]
        depth = len(outer)
        groups: dict[LoopKey, list[tuple[tuple[LoopKey, ...], Instruction]]] = {}
        for keys, i in members:
            if len(keys) > depth:
                groups.setdefault(keys[depth], []).append((keys, i))
        found = []
        for key, group in groups.items():
            loop = known.get(key[1]) or LoopOf(key[1], "", "", 0)
            direct = tuple(i for keys, i in group if len(keys) == depth + 1)
            children = below((*outer, key), group)
            name = called(known, (k[1] for k in (*outer, key)))[-1]
            found.append(LoopNode(name, key, loop, depth, direct, children))
        return tuple(found)

    return below((), keyed)  # type: ignore[no-any-return]
