"""What the loops of a program carry: which of them are free, and which can be done in vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from polynb.dependences.model import Edge
from polynb.legality.carried import loops_within
from polynb.optimising.counted import CountedLoop, runs
from polynb.scop.model import Scop


@dataclass(frozen=True)
class LoopsCarry:
    """What loops carry, by their depths: pairs of statements with a dependence, but for those of
    which the first only `reads` what the second writes; these; and by `flow` statements that read
    what an iteration before wrote into the array that they write."""

    pairs: Collection[tuple[int, str, str]]
    reads: Collection[tuple[int, str, str]]
    flow: Collection[tuple[int, str]]

    def of(self, loop: CountedLoop, depth: int) -> CountedLoop:
        """A loop, at this depth, with what it carries."""
        names = tuple(s.name for s in runs([loop]))
        waits = frozenset(name for name in names if (depth, name) in self.flow)
        ahead = self._ahead(depth, names)
        free = ahead and not _between(self.reads, depth, names)
        return replace(loop, depth=depth, free=free, ahead=ahead, waits=waits)

    def _ahead(self, depth: int, names: Sequence[str]) -> bool:
        """Whether a loop over statements in this order carries no more than that a cell is read
        before it is written, as it is in vectors, too."""
        order = {name: k for k, name in enumerate(names)}
        once = len(order) == len(names)
        return not _between(self.pairs, depth, names) and all(
            once and order[a] <= order[b] for _, a, b in _between(self.reads, depth, names)
        )


def _between(
    pairs: Iterable[tuple[int, str, str]], depth: int, names: Iterable[str]
) -> list[tuple[int, str, str]]:
    among = {*names}
    return [p for p in pairs if p[0] == depth and p[1] in among and p[2] in among]


def carried_by_loops(scop: Scop, edges: Iterable[Edge]) -> LoopsCarry:
    """What the loops of a program carry of its dependences."""
    names, edges = scop.by_name, tuple(edges)
    own = [e for e in edges if e.kind == "raw" and e.array == names[e.target].write.array]
    reads, others = ([e for e in edges if (e.kind == "war") == war] for war in (True, False))
    return LoopsCarry(
        _carried(scop, others), _carried(scop, reads), {(d, n) for d, _, n in _carried(scop, own)}
    )


def _carried(scop: Scop, edges: Iterable[Edge]) -> set[tuple[int, str, str]]:
    """Pairs of statements with a dependence that the loop of this depth carries."""
    loops = loops_within(scop, edges)
    return {(x.here.depth, p.source, p.target) for x in loops for p in x.all_carried}
