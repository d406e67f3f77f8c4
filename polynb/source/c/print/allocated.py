"""Arrays that a loop has private and that are too large for the stack, allocated in its body."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator as Iter, Sequence

from polynb.source.c.print.declarations import CDeclarations
from polynb.source.c.print.helpers import Helpers
from polynb.source.tree import Declaration, For, If, Stmt, accessed, every


class Allocated:
    """`arrays`: those that are to be allocated."""

    def __init__(
        self, arrays: Sequence[Declaration], declarations: CDeclarations, helpers: Helpers
    ) -> None:
        self.arrays = arrays
        self.declarations = declarations
        self.helpers = helpers
        self._held: set[str] = set()

    def of(self, names: Collection[str]) -> list[Declaration]:
        """Those of some names that are to be allocated."""
        return [d for d in self.arrays if d.name in names]

    def privately(self, names: Collection[str], lines: Iterable[str]) -> Iter[str]:
        """The lines of the body of a loop that has these names private. In loops inside that have
        them private too, they are the same arrays."""
        new = [d for d in self.of(names) if d.name not in self._held]
        self._held |= {d.name for d in new}
        yield from self.around(new, lines)
        self._held -= {d.name for d in new}

    def around(self, arrays: Sequence[Declaration], lines: Iterable[str]) -> Iter[str]:
        """Lines with memory for some arrays."""
        for d in arrays:
            self.helpers.headers.add("stdlib.h")
            yield from self.declarations.allocation(d)
        yield from lines
        yield from map(self.declarations.freed, reversed(arrays))


def outside(body: Iterable[Stmt], names: Collection[str]) -> set[str]:
    """Those of some arrays that are accessed outside of loops that have them private."""
    found: set[str] = set()
    for s in body:
        match s:
            case For():
                found |= outside(s.body, {*names} - {*s.private})
            case If() if any(isinstance(x, For) for x in every((s,))):  # it tests no array
                found |= outside((*s.then, *s.otherwise), names)
            case _:
                found |= accessed((s,)) & {*names}
    return found
