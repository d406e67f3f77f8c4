"""The loops of a program as a cost model sees them: how often they run, and over which cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from polynb.codegen.affine_bounds import Affine


@dataclass(frozen=True)
class CountedAccess:
    """An access of a statement: `forms` are its subscripts, by how often the loops around have
    iterated, None where data decides, of so many cells (`extents`, None if that is not known);
    `size` is an element's, in bytes."""

    array: str
    size: int
    forms: tuple[Affine | None, ...]
    written: bool
    extents: tuple[int | None, ...]

    def stride(self, iterator: str) -> float | None:
        """How many cells further on it is in the next iteration of a loop; None: in another row, or
        where data decides."""
        if not self.forms:
            return 0.0
        *rows, last = self.forms
        for f in rows:  # no generator: this is asked ten thousands of times
            if f is None or f.mentions(iterator):
                return None
        return None if last is None else coefficient(last, iterator)


def coefficient(form: Affine, iterator: str) -> float:
    return float(form.coefficients.get(("i", iterator), 0))


@dataclass(frozen=True)
class CountedStatement:
    """A statement. `operations`: without loads and stores, and without `addressing`: the quotients
    and remainders in its subscripts, which it has in some orders only. `asked`: a condition decides
    in each iteration of the innermost loop whether it runs. `latency`: cycles from a value that it
    reads to the one it writes."""

    name: str
    operations: int
    addressing: int
    references: tuple[CountedAccess, ...]
    latency: int
    asked: bool


@dataclass(frozen=True)
class CountedLoop:
    """A loop that iterates `trips` times, on average. `free`: it carries no dependence; `ahead`: or
    such only as vectors keep, too. `bounds`: operations that it takes to find where it begins and
    ends. `first`: where it begins, in its
    iterations, by how often those around have iterated. `depth`: how many loops of the schedule are
    around it. `waits`: statements that update what an iteration before computed."""

    iterator: str
    depth: int
    trips: float
    free: bool
    bounds: int
    first: Affine
    body: tuple[Part, ...]
    waits: frozenset[str] = frozenset()
    ahead: bool = False

    @property
    def innermost(self) -> bool:
        return all(isinstance(x, CountedStatement) for x in self.body)


Part: TypeAlias = CountedLoop | CountedStatement


def work(parts: Iterable[Part], times: float = 1.0, *, asked: bool = True) -> dict[str, float]:
    """The operations of all instances of each statement, and their stores, as the loops count
    them; without those that conditions in innermost loops decide of, if not `asked`."""
    found: dict[str, float] = {}
    for p in parts:
        own = (
            ({p.name: times * (1 + p.operations)} if asked or not p.asked else {})
            if isinstance(p, CountedStatement)
            else work(p.body, times * p.trips, asked=asked)
        )
        for name, n in own.items():
            found[name] = found.get(name, 0.0) + n
    return found


def deepest(parts: Iterable[Part]) -> int:
    """How many loops are inside one another."""
    inside = (1 + deepest(p.body) for p in parts if isinstance(p, CountedLoop))
    return max(inside, default=0)


def runs(parts: Iterable[Part]) -> Iterator[CountedStatement]:
    """The statements, in the order of the text, with those that are there several times."""
    for p in parts:
        if isinstance(p, CountedStatement):
            yield p
        else:
            yield from runs(p.body)
