"""What comes of every order in which arrays can be propagated (CC'18, section 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from polynb import isl
from polynb.arguments import instance
from polynb.errors import PolynbError
from polynb.propagation.algorithm import propagate
from polynb.scop.model import Scop

MOST: Final = 4
"""Arrays: four have 24 orders."""


@dataclass(frozen=True)
class Branch:
    """The array that is tried next, whether it goes, and what can be tried after it."""

    array: str
    goes: bool
    then: tuple[Branch, ...]

    def leaves(self) -> Iterator[tuple[Branch, ...]]:
        """The ways from here to an end, one for each order."""
        if not self.then:
            yield (self,)
        for branch in self.then:
            for rest in branch.leaves():
                yield (self, *rest)


@isl.bounded("the tree of orders")
def order_tree(scop: Scop, **options: Any) -> tuple[Branch, ...]:
    """Every order of the temporaries, as a tree: those that begin with the same arrays share what
    comes of these.

    Claims that after the arrays on the way to a branch have been tried in that order, each of them
    once, `goes` says whether the last of them is propagated. `options` are those of `propagate`,
    but for `arrays` and `order`. Raises PolynbError for a program without temporaries, or with more
    than four.
    """
    temporaries = instance("scop", scop, Scop, "pn.parse(text)").temporaries
    if not 0 < len(temporaries) <= MOST:
        raise PolynbError(
            f"{scop.name} has {len(temporaries) or 'no'} temporaries",
            hint=f"a program with 1 to {MOST} of them: their orders are drawn one by one",
        )
    return _after(scop, (), options)


def _after(scop: Scop, tried: tuple[str, ...], options: dict[str, Any]) -> tuple[Branch, ...]:
    branches = []
    for array in scop.temporaries:
        if array not in tried:
            way = (*tried, array)
            result = propagate(scop, arrays=way, order=way, **options).result
            goes = array not in result.temporaries
            branches.append(Branch(array, goes, _after(scop, way, options)))
    return tuple(branches)
