"""Names that nothing in a program has yet."""

from __future__ import annotations

from collections.abc import Iterable

from polynb.scop.model import Scop, roots
from polynb.source.names import new_name
from polynb.source.tree import Access, Call, walk


class Names:
    """A growing set of names in use."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)

    def fresh(self, stem: str, start: int = 0) -> str:
        """`stem` and the smallest number that makes it new; it is in use from now on."""
        return self._take(new_name(f"{stem}{start}", self.taken, stem, start + 1))

    def unique(self, name: str) -> str:
        """The name itself if it is new, else with `_2`, `_3`, ... behind it."""
        return self._take(new_name(name, self.taken, f"{name}_"))

    def _take(self, name: str) -> str:
        self.taken.add(name)
        return name


def global_names(scop: Scop) -> set[str]:
    """Everything a new local name must differ from: parameters, arrays, functions."""
    names = {*scop.parameters, *scop.arrays, *(f.name for f in scop.functions)}
    for s in scop.statements:
        for e in (x for root in roots(s) for x in walk(root)):
            if isinstance(e, Call):
                names.add(e.function)
            elif isinstance(e, Access):
                names.add(e.array)
    return names
